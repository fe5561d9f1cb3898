import { Readable } from 'node:stream'
import { type AllowEntry, normaliseHost, parseAllowEntry, type Trust } from './addresses.ts'
import { ACCEPTED_ENCODINGS, createBody, type OutboundBodyAccess } from './body.ts'
import { createConnections, type Dial, type LookupAll, type ResolvedAddress } from './connections.ts'
import { createDeadline, type Deadline } from './deadline.ts'
import { givenUp, refused, toFailure, upstreamFailed, upstreamTimeout } from './failures.ts'
import { type Hop, nextHop, type OutboundBody, parseTarget } from './redirects.ts'

export type { Trust } from './addresses.ts'

export interface OutboundRequest {
  method?: string
  headers?: Record<string, string> | Headers
  body?: OutboundBody
  /** Who chose the URL; `content` unless said otherwise, which reaches public addresses only. */
  trust?: Trust
  /** From the first look-up to the last byte of the body. Default 10 s. */
  timeoutMs?: number
  /** Of the body as decoded. Default 5 MiB. */
  maxBytes?: number
  /** Default 5; with 0 a redirect is an answer like any other. */
  maxRedirects?: number
  signal?: AbortSignal
}

export interface OutboundResponse extends OutboundBodyAccess {
  status: number
  /** As sent: `content-encoding` and `content-length` speak of the body before it was decoded. */
  headers: Headers
  /** The URL that answered. */
  url: string
  /** Where redirects led, in order; the last is `url`. */
  redirects: string[]
}

/** The one way out: every request the product makes passes here. */
export interface Outbound {
  /** An answer with an error status is an answer, not a failure. */
  fetch(url: string, request?: OutboundRequest): Promise<OutboundResponse>
  /** For protocols that are not HTTP (IMAP, SMTP): the checked addresses of a host, to connect to as they are. */
  resolve(host: string, trust: Trust, port?: number): Promise<ResolvedAddress[]>
  /** Drops what is still in flight. */
  close(): Promise<void>
}

export interface OutboundOptions {
  /** The operator's entries, as `parseAllowEntry` takes or gives them. */
  allow: readonly (string | AllowEntry)[]
  typedMayBePrivate: boolean
  userAgent: string
  lookup?: LookupAll
}

/** For tests alone: opens the socket after every check has passed, so that a public address can stand on loopback. */
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
  // It would also become the TLS server name, and so name another host than the one that was checked.
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
    // undici hears an abort only once it has a connection; the caller should not wait for one that never comes.
    const { statusCode, headers, body } = await within(sending)
    // An unread body that is dropped would otherwise raise its error where nobody listens.
    body.on('error', () => undefined)
    return { status: statusCode, sent: headers, raw: body }
  }

  const fetch: Outbound['fetch'] = async (target, request = {}) => {
    let hop = firstHop(target, request, options.userAgent)
    const maxRedirects = request.maxRedirects ?? DEFAULT_MAX_REDIRECTS
    const toError = (error: unknown) =>
      request.signal?.aborted ? givenUp(request.signal, hop.url.hostname) : toFailure(error, hop.url.hostname)
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
