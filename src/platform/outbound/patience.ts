import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import { AppError } from '../errors.ts'
import { toAbortReason, upstreamFailed } from './failures.ts'
import type { Outbound, OutboundRequest } from './port.ts'

export interface PatientAnswer {
  status: number
  body: unknown
}

const TRIES = 5
/** Requests without a response within half a minute are retried once, because a user waits for the result. */
const MAX_SILENT_ATTEMPTS = 2
const FIRST_WAIT_MS = 250
/** No user waits longer for a response. The caller gets the retry time instead. */
const MAX_WAIT_MS = 90_000
const TIMEOUT_MS = 30_000
const MAX_BODY_BYTES = 32 * 1024 * 1024

/** RFC 9110, 10.2.3: seconds, or a date. */
const parseRetryAfter = (headers: Headers, now: Date): number | undefined => {
  const text = headers.get('retry-after')?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime())
}

type Outcome = { answer: PatientAnswer } | { failure: AppError; waitMs: number | undefined }

/**
 * Fetches JSON from an API with rate limits and temporary failures, and retries after the wait that the API
 * asks for. Only for requests that change nothing. A response such as 401 or 404 is returned, not retried.
 */
export const createPatience = ({ outbound, clock }: { outbound: Outbound; clock: Clock }) => {
  const ask = async (url: string, request: OutboundRequest): Promise<Outcome> => {
    const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BODY_BYTES, maxRedirects: 0 }
    const response = await outbound.fetch(url, { ...limits, ...request })
    const { status, headers } = response
    if (status === 200) return { answer: { status, body: await response.json() } }
    const body = await response.json().catch(() => undefined)
    if (status !== 429 && status < 500) return { answer: { status, body } }
    const waitMs = parseRetryAfter(headers, clock.now())
    const { hostname } = new URL(url)
    return {
      waitMs,
      failure:
        status === 429
          ? new AppError('upstream', 'upstream_failed', `${hostname} limits the number of requests.`, {
              details: waitMs === undefined ? {} : { retryAfterSeconds: waitMs / 1000 },
            })
          : upstreamFailed(`${hostname} answered with an error (${status}).`),
    }
  }

  return async (url: string, request: OutboundRequest & { signal: AbortSignal }): Promise<PatientAnswer> => {
    const { signal } = request
    const { hostname } = new URL(url)
    let silences = 0
    for (let tries = 1; ; tries++) {
      const outcome = await ask(url, request).catch((error: unknown): Outcome => {
        if (signal.aborted) throw toAbortReason(signal, hostname)
        if (error instanceof AppError && error.kind === 'upstream')
          return { failure: error, waitMs: undefined }
        throw error
      })
      if ('answer' in outcome) return outcome.answer
      const waitMs = outcome.waitMs ?? FIRST_WAIT_MS * 2 ** (tries - 1)
      if (outcome.failure.code === 'upstream_timeout') silences++
      if (tries === TRIES || silences === MAX_SILENT_ATTEMPTS || waitMs > MAX_WAIT_MS) throw outcome.failure
      await sleep(waitMs, undefined, { signal }).catch(() => {
        throw toAbortReason(signal, hostname)
      })
    }
  }
}
