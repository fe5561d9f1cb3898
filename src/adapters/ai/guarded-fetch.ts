import type { ModelTarget } from '../../features/ai/language-models.ts'
import { AppError } from '../../platform/errors.ts'
import type { Outbound, OutboundResponse } from '../../platform/outbound/outbound.ts'

const LARGEST_ANSWER = 32 * 1024 * 1024
const BEFORE_RETRY_MS = 200
const BUSY = [429, 503, 529]
const WITHOUT_BODY = [204, 205, 304]

type Sent = Parameters<Outbound['fetch']>[1] & object

const wait = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })

/** RFC 9110 §10.2.3: seconds, or a date, which is meant by the clock that the answer itself tells. */
const retryAfterMs = ({ headers }: OutboundResponse): number | undefined => {
  const when = headers.get('retry-after')?.trim() ?? ''
  if (/^\d{1,5}(\.\d+)?$/.test(when)) return Number(when) * 1000
  const waitMs = Date.parse(when) - Date.parse(headers.get('date') ?? '')
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs)
}

const isRefused = (error: unknown): boolean =>
  error instanceof AppError &&
  error.cause instanceof Error &&
  'code' in error.cause &&
  error.cause.code === 'ECONNREFUSED'

const toResponse = async (answer: OutboundResponse): Promise<Response> => {
  const headers = new Headers(answer.headers)
  // The body is decoded by now.
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
 * `fetch` for the providers' libraries, through the guarded client. Tries a second time where nothing can have happened yet:
 * the connection was refused, or the provider says when to come back and that is within the time there is.
 */
export const createGuardedFetch = (
  outbound: Pick<Outbound, 'fetch'>,
  { trust, timeoutMs }: { trust: ModelTarget['trust']; timeoutMs: number },
): typeof fetch => {
  const send = async (url: string, request: Sent): Promise<OutboundResponse> => {
    const once = () => outbound.fetch(url, request)
    let first: OutboundResponse
    try {
      first = await once()
    } catch (error) {
      if (!isRefused(error)) throw error
      await wait(BEFORE_RETRY_MS, request.signal)
      return once()
    }
    const pauseMs = BUSY.includes(first.status) ? retryAfterMs(first) : undefined
    if (pauseMs === undefined || pauseMs > timeoutMs / 2) return first
    first.discard()
    await wait(pauseMs, request.signal)
    return once()
  }

  return async (input, init = {}) =>
    toResponse(
      await send(String(input instanceof Request ? input.url : input), {
        method: init.method ?? 'GET',
        headers: new Headers(init.headers),
        ...(typeof init.body === 'string' && { body: init.body }),
        ...(init.signal && { signal: init.signal }),
        ...{ trust, timeoutMs, maxBytes: LARGEST_ANSWER, maxRedirects: 0 },
      }),
    )
}
