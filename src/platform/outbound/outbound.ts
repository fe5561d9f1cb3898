import { pipeline, Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import {
  type AllowEntry,
  createConnections,
  type Dial,
  type LookupAll,
  normaliseHost,
  parseAllowEntry,
  type Trust,
} from './addresses.ts'
import { refused, toAbortReason, toFailure, upstreamFailed, upstreamTimeout } from './failures.ts'
import type { Outbound, OutboundBody, OutboundBodyAccess, OutboundRequest } from './port.ts'

interface Deadline {
  signal: AbortSignal
  /** Resolves with the work, or rejects with the abort reason as soon as there is one. */
  within<T>(work: Promise<T>): Promise<T>
  /** Restarts the full timeout. */
  restart(): void
  /** Stops the timeout; the caller's signal still aborts. */
  pause(): void
  /** Ends the deadline: nothing is left to wait for. */
  end(): void
  /** Ends the deadline and aborts requests in flight. */
  abort(reason: Error): void
}

/**
 * Creates one timeout for all steps of a request, combined with the caller's signal. It is detached from the
 * signal at the end.
 */
const createDeadline = (
  timeoutMs: number,
  caller: AbortSignal | undefined,
  onTimeout: () => Error,
): Deadline => {
  const controller = new AbortController()
  const toAbortReason = Promise.withResolvers<never>()
  toAbortReason.promise.catch(() => undefined)
  let timer: NodeJS.Timeout | undefined
  const pause = () => clearTimeout(timer)
  const restart = () => {
    pause()
    // Unreferenced: the socket of a request keeps the process alive, and an unread response should not.
    timer = setTimeout(() => abort(onTimeout()), timeoutMs).unref()
  }
  const end = () => {
    pause()
    caller?.removeEventListener('abort', passOn)
  }
  const abort = (reason: Error) => {
    end()
    controller.abort(reason)
    toAbortReason.reject(reason)
  }
  const passOn = () => abort(caller?.reason instanceof Error ? caller.reason : new Error('aborted'))

  caller?.addEventListener('abort', passOn, { once: true })
  restart()
  if (caller?.aborted) passOn()
  const within = <T>(work: Promise<T>) => Promise.race([work, toAbortReason.promise])
  return { signal: controller.signal, within, restart, pause, end, abort }
}

interface BodySource {
  raw: Readable
  host: string
  headers: Headers
  maxBytes: number
  deadline: Deadline
  toError(error: unknown): unknown
}

const DECODERS = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/**
 * For `Accept-Encoding`. Deflate is decoded but not requested, because servers disagree on its format (RFC
 * 9110 §8.4.1.2).
 */
const ACCEPTED_ENCODINGS = 'gzip, br'

const isDecoder = (name: string): name is keyof typeof DECODERS => Object.hasOwn(DECODERS, name)

async function* decode(raw: Readable, encoding: string, host: string): AsyncGenerator<Uint8Array> {
  if (encoding === '' || encoding === 'identity') return yield* raw
  // Only one layer is decoded, because stacked encodings only serve decompression bombs.
  if (!isDecoder(encoding)) throw upstreamFailed(`${host} sent a body with an unsupported encoding.`)
  const decoder = DECODERS[encoding]()
  let isEmpty = true
  const watched = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      isEmpty = false
      yield chunk
    }
  }
  pipeline(raw, watched, decoder, () => undefined)
  try {
    yield* decoder
  } catch (error) {
    // Responses without a body (HEAD, 204, 304) may still name an encoding. An empty body is not an error.
    if (raw.readableEnded && isEmpty) return
    throw error
  }
}

const decodeText = (bytes: Uint8Array, contentType: string): string => {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

const createBody = (source: BodySource): OutboundBodyAccess => {
  const { raw, host, headers, maxBytes, deadline } = source
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() ?? ''
  let whole: Promise<Uint8Array> | undefined
  let streamed = false

  async function* chunks(timing: 'total' | 'idle'): AsyncGenerator<Uint8Array> {
    let size = 0
    try {
      for await (const chunk of decode(raw, encoding, host)) {
        size += chunk.length
        if (size > maxBytes) throw upstreamFailed(`${host} sent more than ${maxBytes} bytes.`)
        if (timing === 'idle') deadline.pause()
        yield chunk
        if (timing === 'idle') deadline.restart()
      }
    } catch (error) {
      throw source.toError(error)
    } finally {
      raw.destroy()
      deadline.end()
    }
  }

  const collect = async (): Promise<Uint8Array> => {
    const parts: Uint8Array[] = []
    for await (const chunk of chunks('total')) parts.push(chunk)
    return Buffer.concat(parts)
  }
  const bytes = async () => {
    if (streamed) throw new Error('The body was already read as a stream')
    whole ??= collect()
    return whole
  }

  return {
    bytes,
    text: async () => decodeText(await bytes(), headers.get('content-type') ?? ''),
    json: async () => {
      const text = new TextDecoder().decode(await bytes())
      try {
        return JSON.parse(text)
      } catch (error) {
        throw upstreamFailed(`${host} did not answer with JSON.`, error)
      }
    },
    stream: () => {
      if (streamed || whole !== undefined) throw new Error('The body was already read')
      streamed = true
      deadline.restart()
      return chunks('idle')
    },
    discard: () => {
      raw.destroy()
      deadline.end()
    },
  }
}

/** One request; a redirect creates the next hop. */
interface Hop {
  url: URL
  method: string
  headers: Headers
  body: OutboundBody | undefined
  trust: Trust
}

const REDIRECTS = [301, 302, 303, 307, 308]

/**
 * Headers that may follow a redirect to another origin. This is an allow list, because secrets have no common
 * name: `Authorization`, `Cookie`, `X-Api-Key`, `api-key`, `PRIVATE-TOKEN`, `xi-api-key` and others.
 */
const HARMLESS = [
  'accept',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'if-modified-since',
  'if-none-match',
  'range',
  'user-agent',
]

/**
 * Parses the URL of a request, or throws the reason it must not be fetched. Its address is checked on
 * connection.
 */
export const parseTarget = (text: string, base?: URL): URL => {
  const url = URL.parse(text, base?.href)
  if (url === null) throw refused('The URL is not valid.')
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw refused('Only http and https URLs are fetched.')
  if (url.username !== '' || url.password !== '')
    throw refused('URLs with a user name or password are not fetched.')
  if (normaliseHost(url.hostname) === undefined) throw refused('The URL has no valid host.')
  // "host." and "host" are the same host. One spelling keeps origins, certificates and the allow list
  // consistent.
  url.hostname = url.hostname.replace(/\.$/, '')
  url.hash = ''
  return url
}

const withoutBody = (headers: Headers): Headers => {
  const kept = new Headers(headers)
  for (const name of headers.keys()) if (name.startsWith('content-')) kept.delete(name)
  return kept
}

const harmless = (headers: Headers): Headers =>
  new Headers([...headers].filter(([name]) => HARMLESS.includes(name)))

/**
 * RFC 9110 §15.4 and the Fetch standard: 303 changes the method to GET, 301 and 302 do so after a POST. Other
 * methods are kept.
 */
const becomesGet = (status: number, method: string): boolean =>
  status === 303 ? method !== 'GET' && method !== 'HEAD' : status <= 302 && method === 'POST'

/** Returns the target of a redirect, or undefined for a final response. */
export const nextHop = (
  hop: Hop,
  status: number,
  location: string | string[] | undefined,
): Hop | undefined => {
  if (!REDIRECTS.includes(status) || location === undefined) return undefined
  if (typeof location !== 'string') throw upstreamFailed(`${hop.url.hostname} sent several Location headers.`)
  // Header values arrive as Latin-1. Servers that send a raw UTF-8 path mean UTF-8.
  const url = parseTarget(Buffer.from(location, 'latin1').toString('utf8'), hop.url)
  if (hop.url.protocol === 'https:' && url.protocol === 'http:')
    throw upstreamFailed(`${hop.url.hostname} redirects from https to http, which is not followed.`)

  const sameOrigin = url.origin === hop.url.origin
  const toGet = becomesGet(status, hop.method)
  const body = toGet ? undefined : hop.body
  if (body !== undefined && !sameOrigin)
    throw upstreamFailed(
      `${hop.url.hostname} redirects a request with a body to another site, which is not followed.`,
    )
  if (body instanceof ReadableStream)
    throw upstreamFailed(`${hop.url.hostname} redirects a streamed request, which cannot be sent twice.`)

  const headers = toGet ? withoutBody(hop.headers) : hop.headers
  return {
    url,
    method: toGet ? 'GET' : hop.method,
    headers: sameOrigin ? headers : harmless(headers),
    body,
    // A trusted server cannot pass on its trust: another origin was chosen by the response, so it is content.
    trust: sameOrigin ? hop.trust : 'content',
  }
}

export type { Trust } from './addresses.ts'

export interface OutboundOptions {
  /** The operator's allow list, in the form that `parseAllowEntry` takes or returns. */
  allow: readonly (string | AllowEntry)[]
  typedMayBePrivate: boolean
  userAgent: string
  lookup?: LookupAll
}

/** For tests only: opens the socket after all checks, so that a public address can be served on loopback. */
export interface OutboundSeams {
  dial?: Dial
}

const DEFAULT_TIMEOUT_MS = 10_000
const DEFAULT_MAX_BYTES = 5 * 1024 * 1024
const DEFAULT_MAX_REDIRECTS = 5

const readHeaders = (given: OutboundRequest['headers']): Headers => {
  try {
    return new Headers(given)
  } catch (error) {
    throw refused('A header of the request is not valid.', error)
  }
}

const firstHop = (target: string, request: OutboundRequest, userAgent: string): Hop => {
  const headers = readHeaders(request.headers)
  // The header would also become the TLS server name, and so name another host than the checked one.
  if (headers.has('host')) throw refused('The Host header follows from the URL and cannot be set.')
  if (!headers.has('user-agent')) headers.set('user-agent', userAgent)
  if (!headers.has('accept-encoding')) headers.set('accept-encoding', ACCEPTED_ENCODINGS)
  return {
    url: parseTarget(target),
    method: request.method?.toUpperCase() ?? 'GET',
    headers,
    body: request.body,
    trust: request.trust ?? 'content',
  }
}

const toHeaders = (sent: Record<string, string | string[] | undefined>): Headers => {
  const headers = new Headers()
  for (const [name, values] of Object.entries(sent))
    for (const value of [values ?? []].flat()) headers.append(name, value)
  return headers
}

export const createOutbound = (options: OutboundOptions, seams: OutboundSeams = {}): Outbound => {
  const rules = {
    allow: options.allow.map((entry) => (typeof entry === 'string' ? parseAllowEntry(entry) : entry)),
    typedMayBePrivate: options.typedMayBePrivate,
  }
  const connections = createConnections(rules, options.lookup, seams.dial)

  const send = async (hop: Hop, { signal, within }: Deadline) => {
    signal.throwIfAborted()
    const sending = connections.agent(hop.trust).request({
      origin: hop.url.origin,
      path: hop.url.pathname + hop.url.search,
      method: hop.method,
      headers: Object.fromEntries(hop.headers),
      body: hop.body instanceof ReadableStream ? Readable.fromWeb(hop.body) : (hop.body ?? null),
      signal,
    })
    // undici notices an abort only after it has a connection. The caller must not wait for a connection that
    // never opens.
    const { statusCode, headers, body } = await within(sending)
    // An unread body that is dropped would otherwise emit an unhandled error.
    body.on('error', () => undefined)
    return { status: statusCode, sent: headers, raw: body }
  }

  const fetch: Outbound['fetch'] = async (target, request = {}) => {
    let hop = firstHop(target, request, options.userAgent)
    const maxRedirects = request.maxRedirects ?? DEFAULT_MAX_REDIRECTS
    const toError = (error: unknown) =>
      request.signal?.aborted
        ? toAbortReason(request.signal, hop.url.hostname)
        : toFailure(error, hop.url.hostname)
    const deadline = createDeadline(request.timeoutMs ?? DEFAULT_TIMEOUT_MS, request.signal, () =>
      upstreamTimeout(hop.url.hostname),
    )
    const redirects: string[] = []
    try {
      for (;;) {
        const { status, sent, raw } = await send(hop, deadline)
        const next = maxRedirects === 0 ? undefined : nextHop(hop, status, sent.location)
        if (next === undefined) {
          const headers = toHeaders(sent)
          const maxBytes = request.maxBytes ?? DEFAULT_MAX_BYTES
          const body = createBody({ raw, host: hop.url.hostname, headers, maxBytes, deadline, toError })
          return { status, headers, url: hop.url.href, redirects, ...body }
        }
        raw.destroy()
        if (redirects.length === maxRedirects)
          throw upstreamFailed(`${hop.url.hostname} redirects more than ${maxRedirects} times.`)
        redirects.push(next.url.href)
        hop = next
      }
    } catch (error) {
      const failure = toError(error)
      deadline.abort(toFailure(error, hop.url.hostname))
      throw failure
    }
  }

  const resolve: Outbound['resolve'] = async (host, trust, port) => {
    const name = normaliseHost(host)
    if (name === undefined) throw refused('The host is not valid.')
    try {
      return await connections.resolve(name, trust, port)
    } catch (error) {
      throw toFailure(error, name)
    }
  }

  return { fetch, resolve, close: connections.close }
}
