import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import { AppError } from '../errors.ts'
import { givenUp, upstreamFailed } from './failures.ts'
import type { Outbound, OutboundRequest } from './outbound.ts'

export interface PatientAnswer {
  status: number
  body: unknown
}

const TRIES = 5
/** Who says nothing for half a minute is asked once more: somebody waits for the answer. */
const SILENT_TRIES = 2
const FIRST_WAIT_MS = 250
/** Longer than that nobody waits for an answer; whoever asked hears when to come back. */
const LONGEST_WAIT_MS = 90_000
const TIMEOUT_MS = 30_000
const LARGEST_BODY = 32 * 1024 * 1024

/** RFC 9110, 10.2.3: seconds, or a date. */
const waitAskedFor = (headers: Headers, now: Date): number | undefined => {
  const text = headers.get('retry-after')?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime())
}

type Outcome = { answer: PatientAnswer } | { failure: AppError; waitMs: number | undefined }

/**
 * JSON from an API that throttles and stumbles: what may be asked again is, after the wait it asks for. Only for
 * requests that change nothing. An answer that is no fault of the other side (401, 404) is an answer.
 */
export const createPatience = ({ outbound, clock }: { outbound: Outbound; clock: Clock }) => {
  const ask = async (url: string, request: OutboundRequest): Promise<Outcome> => {
    const limits = { timeoutMs: TIMEOUT_MS, maxBytes: LARGEST_BODY, maxRedirects: 0 }
    const response = await outbound.fetch(url, { ...limits, ...request })
    const { status, headers } = response
    if (status === 200) return { answer: { status, body: await response.json() } }
    const body = await response.json().catch(() => undefined)
    if (status !== 429 && status < 500) return { answer: { status, body } }
    const waitMs = waitAskedFor(headers, clock.now())
    const { hostname } = new URL(url)
    return {
      waitMs,
      failure:
        status === 429
          ? new AppError('upstream', 'upstream_failed', `${hostname} asks for fewer requests.`, {
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
        if (signal.aborted) throw givenUp(signal, hostname)
        if (error instanceof AppError && error.kind === 'upstream')
          return { failure: error, waitMs: undefined }
        throw error
      })
      if ('answer' in outcome) return outcome.answer
      const waitMs = outcome.waitMs ?? FIRST_WAIT_MS * 2 ** (tries - 1)
      if (outcome.failure.code === 'upstream_timeout') silences++
      if (tries === TRIES || silences === SILENT_TRIES || waitMs > LONGEST_WAIT_MS) throw outcome.failure
      await sleep(waitMs, undefined, { signal }).catch(() => {
        throw givenUp(signal, hostname)
      })
    }
  }
}
