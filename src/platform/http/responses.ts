import type { IncomingHttpHeaders } from 'node:http'
import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { invalid } from '../errors.ts'

/** Returns the quality value of a named type, from 0 to 1 (RFC 9110, 12.5.1). */
const qualityOf = (accept: string, type: string): number => {
  for (const range of accept.toLowerCase().split(',')) {
    const [name, ...parameters] = range.split(';').map((part) => part.trim())
    if (name !== type) continue
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    return weight === undefined ? 1 : Number(weight) || 0
  }
  return 0
}

export const takesPages = ({ accept = '' }: IncomingHttpHeaders): boolean =>
  qualityOf(accept, 'text/html') > 0

/** Whether the client wants a response as an event stream, if the route also offers a single document. */
export const takesEvents = ({ accept = '' }: IncomingHttpHeaders): boolean => {
  const quality = qualityOf(accept, 'text/event-stream')
  return quality > 0 && quality >= qualityOf(accept, 'application/json')
}

/** A body, and its compressed forms; null if compression saves nothing. */
interface Compressible {
  content: string | Buffer
  brotli?: Buffer | null
  gzipped: Buffer | null
}

const ENCODINGS = { br: /\bbr\b(?!;q=0\b)/, gzip: /\bgzip\b(?!;q=0\b)/ }

const takes = ({ headers }: FastifyRequest, encoding: keyof typeof ENCODINGS): boolean =>
  ENCODINGS[encoding].test(String(headers['accept-encoding'] ?? ''))

const varyByEncoding = (reply: FastifyReply): FastifyReply =>
  reply.header('vary', [reply.getHeader('vary') ?? [], 'accept-encoding'].flat().join(', '))

/** Sends the smallest form that the client accepts. */
export const sendSmaller = (
  request: FastifyRequest,
  reply: FastifyReply,
  { content, brotli, gzipped }: Compressible,
): FastifyReply => {
  if (gzipped === null) return reply.send(content)
  varyByEncoding(reply)
  if (brotli && takes(request, 'br')) return reply.header('content-encoding', 'br').send(brotli)
  return takes(request, 'gzip') ? reply.header('content-encoding', 'gzip').send(gzipped) : reply.send(content)
}

/** A smaller body fits into one packet. */
const MIN_COMPRESSED_LENGTH = 1_400

/**
 * Compresses JSON in the thread pool. Responses with tokens stay as they are: the size of a compressed body can reveal
 * a secret in it.
 */
export const addJsonCompression = (app: FastifyInstance): void => {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (
      typeof payload !== 'string' ||
      payload.length < MIN_COMPRESSED_LENGTH ||
      request.url.startsWith('/api/auth/') ||
      !String(reply.getHeader('content-type')).startsWith('application/json')
    )
      return done(null, payload)
    varyByEncoding(reply)
    if (!takes(request, 'gzip')) return done(null, payload)
    gzip(payload, { level: 4 }, (error, compressed) => {
      if (error) return done(null, payload)
      reply.removeHeader('content-length').header('content-encoding', 'gzip')
      done(null, compressed)
    })
  })
}

const isSuccess = (status: string): boolean => status.startsWith('2')

/** Replaces the parameters in the path of a route by those of a request. */
const fillPath = (path: string, params: unknown): string =>
  path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent((params as Record<string, string>)[name] ?? ''),
  )

const hasId = (payload: unknown): payload is { id: number | string } =>
  typeof payload === 'object' && payload !== null && 'id' in payload

/**
 * A route that declares one successful status answers with it: 201, 202 or 204. A 201 names the new resource in
 * `Location` (RFC 9110, 15.3.2): by default its id below the path of the route.
 */
export const addDeclaredStatus = (app: FastifyInstance): void => {
  app.addHook('onRoute', (route) => {
    const [status, ...others] = Object.keys(route.schema?.response ?? {}).filter(isSuccess)
    if (status === undefined || status === '200' || others.length > 0) return
    const { handler } = route
    const path = route.url.replace(/\/$/, '')
    route.handler = async function answer(request, reply) {
      reply.code(Number(status))
      const payload = await handler.call(this, request, reply)
      if (status === '201' && hasId(payload) && !reply.hasHeader('location'))
        reply.header('location', `${fillPath(path, request.params)}/${payload.id}`)
      return payload
    }
  })
}

/**
 * Whether both databases can store a text unchanged. PostgreSQL rejects NUL, and half a surrogate pair would
 * be read back as another character. Such input is rejected instead of changed.
 */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

const MAX_DEPTH = 100

export const findUnstorable = (value: unknown, path = '', depth = 0): string | undefined => {
  if (depth > MAX_DEPTH) throw invalid('The body is nested too deeply.')
  if (typeof value === 'string') return isStorable(value) ? undefined : path
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, inner] of Object.entries(value)) {
    if (!isStorable(key)) return path
    const found = findUnstorable(inner, path === '' ? key : `${path}.${key}`, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}
