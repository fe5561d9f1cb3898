import { AppError, type ErrorKind } from '../errors.ts'
import type { Random } from '../random.ts'

const LONGEST_WAIT_SECONDS = 3600
const LONGEST_ERROR = 1000

/** Kinds that may pass by themselves. The others say the same thing however often they are asked. */
const PASSING: ReadonlySet<ErrorKind> = new Set(['upstream', 'unavailable', 'rate_limited'])

const UNEXPECTED = 'Something unexpected went wrong; the log says more.'
export const ABANDONED = 'The process ended while this job ran, and no retry is left.'

type Outcome = { fate: 'retry'; delayMs: number; error: string } | { fate: 'park'; error: string }

/** Between half of the doubled wait and all of it, so that jobs which failed together do not return together. */
const backoffMs = (random: Random, backoffSeconds: number, attempt: number): number => {
  const seconds = Math.min(LONGEST_WAIT_SECONDS, backoffSeconds * 2 ** (attempt - 1))
  const chance = random.bytes(4).readUInt32BE() / 2 ** 32
  return Math.round(seconds * 1000 * (0.5 + chance / 2))
}

/** Text that both databases can keep and a page can show. */
export const readable = (text: string): string =>
  text.toWellFormed().replaceAll('\0', '\uFFFD').slice(0, LONGEST_ERROR).toWellFormed()

/** What becomes of a job whose `attempt` failed with `error`. */
export const judge = (
  error: unknown,
  job: { retries: number; backoffSeconds: number },
  attempt: number,
  random: Random,
): Outcome => {
  const known = error instanceof AppError ? error : undefined
  const text = known ? readable(known.message) : UNEXPECTED
  const mayPass = known === undefined || PASSING.has(known.kind)
  if (!mayPass || attempt > job.retries) return { fate: 'park', error: text }
  const askedMs = (known?.details.retryAfterSeconds ?? 0) * 1000
  return {
    fate: 'retry',
    delayMs: Math.max(askedMs, backoffMs(random, job.backoffSeconds, attempt)),
    error: text,
  }
}
