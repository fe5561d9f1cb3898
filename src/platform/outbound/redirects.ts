import { normaliseHost, type Trust } from './addresses.ts'
import { refused, upstreamFailed } from './failures.ts'

export type OutboundBody = string | Uint8Array | ReadableStream<Uint8Array>

/** One request on the way to an answer; a redirect makes the next. */
export interface Hop {
  url: URL
  method: string
  headers: Headers
  body: OutboundBody | undefined
  trust: Trust
}

const REDIRECTS = [301, 302, 303, 307, 308]

/**
 * What may follow to another origin. A list of the harmless, because secrets have no common name: `Authorization`,
 * `Cookie`, `X-Api-Key`, `api-key`, `PRIVATE-TOKEN`, `xi-api-key` and whatever the next vendor invents.
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

/** The URL of a request, or the reason it may not be fetched. Its address is checked when it is connected to. */
export const parseTarget = (text: string, base?: URL): URL => {
  const url = URL.parse(text, base?.href)
  if (url === null) throw refused('The URL is not valid.')
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw refused('Only http and https URLs are fetched.')
  if (url.username !== '' || url.password !== '')
    throw refused('A URL with a user name or password is not fetched.')
  if (normaliseHost(url.hostname) === undefined) throw refused('The URL has no valid host.')
  // "host." and "host" are one host; one spelling keeps origins, certificates and the allow list of one mind.
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

/** RFC 9110 §15.4 and the Fetch standard: 303 asks for a GET, 301 and 302 do after a POST; other methods are kept. */
const becomesGet = (status: number, method: string): boolean =>
  status === 303 ? method !== 'GET' && method !== 'HEAD' : status <= 302 && method === 'POST'

/** Where an answer sends the request, or undefined when it is the final one. */
export const nextHop = (
  hop: Hop,
  status: number,
  location: string | string[] | undefined,
): Hop | undefined => {
  if (!REDIRECTS.includes(status) || location === undefined) return undefined
  if (typeof location !== 'string')
    throw upstreamFailed(`${hop.url.hostname} redirects to several places at once.`)
  // Header values arrive byte by byte; servers that send a bare UTF-8 path mean UTF-8.
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
    // A server that was trusted may not hand that trust on: elsewhere is what the answer says, so it is content.
    trust: sameOrigin ? hop.trust : 'content',
  }
}
