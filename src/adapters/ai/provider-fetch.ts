import { setTimeout } from 'node:timers/promises'
import type { ModelTarget } from '../../features/models/language-models.ts'
import { AppError } from '../../platform/errors.ts'
import type { Outbound, OutboundResponse } from '../../platform/outbound/port.ts'

const MAX_ANSWER_BYTES = 32 * 1024 * 1024
const BEFORE_RETRY_MS = 200
const BUSY = [429, 503, 529]
const WITHOUT_BODY = [204, 205, 304]

type Sent = Parameters<Outbound['fetch']>[1] & object

export interface ProviderClient {
  outbound: Pick<Outbound, 'fetch'>
  timeoutMs: number
}

/**
 * RFC 9110 section 10.2.3: seconds or a date. A date is compared with the Date header of the response, so
 * that clock skew does not matter.
 */
const retryAfterMs = ({ headers }: OutboundResponse): number | undefined => {
  const when = headers.get('retry-after')?.trim() ?? ''
  if (/^\d{1,5}(\.\d+)?$/.test(when)) return Number(when) * 1000
  const waitMs = Date.parse(when) - Date.parse(headers.get('date') ?? '')
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs)
}

/**
 * The server refused the connection, or closed it before its response began. A server may close an idle
 * connection at any time (RFC 9112 section 9.3.1). Model requests change nothing, so they can be repeated.
 */
const CLOSED = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']

const isClosed = (error: unknown): boolean =>
  error instanceof AppError &&
  error.cause instanceof Error &&
  'code' in error.cause &&
  CLOSED.includes(String(error.cause.code))

const toResponse = async (answer: OutboundResponse): Promise<Response> => {
  const headers = new Headers(answer.headers)
  // The body is already decoded.
  for (const name of ['content-encoding', 'content-length']) headers.delete(name)
  const head = { status: answer.status, headers }
  if (WITHOUT_BODY.includes(answer.status)) {
    answer.discard()
    return new Response(null, head)
  }
  const isStream = headers.get('content-type')?.includes('event-stream')
  return isStream
    ? new Response(ReadableStream.from(answer.stream()) as ReadableStream<Uint8Array>, head)
    : new Response((await answer.bytes()) as Uint8Array<ArrayBuffer>, head)
}

/**
 * `fetch` for the provider libraries, through the guarded client. It retries once if the connection was
 * refused or closed, or if Retry-After fits into the timeout. In all cases there was no response yet.
 */
export const guardFetch = (
  { outbound, timeoutMs }: ProviderClient,
  { trust }: Pick<ModelTarget, 'trust'>,
): typeof fetch => {
  const send = async (url: string, request: Sent): Promise<OutboundResponse> => {
    const once = () => outbound.fetch(url, request)
    const waiting = request.signal && { signal: request.signal }
    let first: OutboundResponse
    try {
      first = await once()
    } catch (error) {
      if (!isClosed(error)) throw error
      await setTimeout(BEFORE_RETRY_MS, undefined, waiting)
      return once()
    }
    const pauseMs = BUSY.includes(first.status) ? retryAfterMs(first) : undefined
    if (pauseMs === undefined || pauseMs > timeoutMs / 2) return first
    first.discard()
    await setTimeout(pauseMs, undefined, waiting)
    return once()
  }

  return async (input, init = {}) =>
    toResponse(
      await send(String(input instanceof Request ? input.url : input), {
        method: init.method ?? 'GET',
        headers: new Headers(init.headers),
        ...(typeof init.body === 'string' && { body: init.body }),
        ...(init.signal && { signal: init.signal }),
        trust,
        timeoutMs,
        maxBytes: MAX_ANSWER_BYTES,
        maxRedirects: 0,
      }),
    )
}
