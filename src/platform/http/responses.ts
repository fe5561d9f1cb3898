import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
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

/** A body, and its compressed form; null if compression saves nothing. */
interface Compressible {
  content: string | Buffer
  gzipped: Buffer | null
}

/** Sends the compressed form to clients that accept it. */
export const sendSmaller = (
  request: FastifyRequest,
  reply: FastifyReply,
  { content, gzipped }: Compressible,
): FastifyReply => {
  if (gzipped === null) return reply.send(content)
  reply.header('vary', [reply.getHeader('vary') ?? [], 'accept-encoding'].flat().join(', '))
  const takesGzip = /\bgzip\b(?!;q=0\b)/.test(String(request.headers['accept-encoding'] ?? ''))
  return takesGzip ? reply.header('content-encoding', 'gzip').send(gzipped) : reply.send(content)
}

/**
 * Whether both databases can store a text unchanged. PostgreSQL rejects NUL, and half a surrogate pair would
 * be read back as another character. Such input is rejected instead of changed.
 */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

const DEEPEST = 100

export const findUnstorable = (value: unknown, path = '', depth = 0): string | undefined => {
  if (depth > DEEPEST) throw invalid('The body is nested too deeply.')
  if (typeof value === 'string') return isStorable(value) ? undefined : path
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, inner] of Object.entries(value)) {
    if (!isStorable(key)) return path
    const found = findUnstorable(inner, path === '' ? key : `${path}.${key}`, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}
