import { createRequire } from 'node:module'
import type Stripe from 'stripe'
import type { Outbound } from '../../platform/outbound/outbound.ts'

const LARGEST_ANSWER = 8 * 1024 * 1024
const WITHOUT_BODY = [204, 205, 304]
/** They tell what machine this runs on, and what else runs there. */
const KEPT_TO_OURSELVES = [
  'user-agent',
  'x-stripe-client-user-agent',
  'x-stripe-client-telemetry',
  'content-length',
]

/** `fetch` for Stripe's library, through the guarded client. */
const createGuardedFetch =
  (outbound: Pick<Outbound, 'fetch'>, timeoutMs: number): typeof fetch =>
  async (input, init = {}) => {
    const headers = new Headers(init.headers)
    for (const name of KEPT_TO_OURSELVES) headers.delete(name)
    const answer = await outbound.fetch(String(input), {
      ...{ method: init.method ?? 'GET', headers },
      ...(typeof init.body === 'string' && { body: init.body }),
      ...(init.signal && { signal: init.signal }),
      ...{ trust: 'operator' as const, timeoutMs, maxBytes: LARGEST_ANSWER, maxRedirects: 0 },
    })
    const received = new Headers(answer.headers)
    // The body is decoded by now; a notice is meant for the library's own users, and would be printed.
    for (const name of ['content-encoding', 'content-length', 'stripe-notice']) received.delete(name)
    const isEmpty = WITHOUT_BODY.includes(answer.status)
    if (isEmpty) answer.discard()
    const body = isEmpty ? null : ((await answer.bytes()) as Uint8Array<ArrayBuffer>)
    return new Response(body, { status: answer.status, headers: received })
  }

const require = createRequire(import.meta.url)

/** Loaded with the first question, which takes a fifth of a second: a start need not wait for it. */
export const loadStripe = () => require('stripe') as typeof Stripe

const placeOf = (baseUrl: string | null) => {
  if (baseUrl === null) return {}
  const { protocol, hostname, port } = new URL(baseUrl)
  const isPlain = protocol === 'http:'
  return {
    protocol: isPlain ? ('http' as const) : ('https' as const),
    host: hostname,
    port: port || (isPlain ? 80 : 443),
  }
}

export const openStripe = (
  outbound: Pick<Outbound, 'fetch'>,
  settings: { secretKey: string; baseUrl: string | null; timeoutMs: number },
): Stripe => {
  const { secretKey, baseUrl, timeoutMs } = settings
  const Library = loadStripe()
  return new Library(secretKey, {
    ...placeOf(baseUrl),
    httpClient: Library.createFetchHttpClient(createGuardedFetch(outbound, timeoutMs)),
    timeout: timeoutMs,
    // What makes something carries a key, so that to ask twice is not to do twice.
    maxNetworkRetries: 1,
    // It would keep an identity of this machine in a file, and send it along.
    telemetry: false,
  })
}
