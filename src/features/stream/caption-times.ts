import { invalidField } from '../../platform/errors.ts'
import { readInstant } from '../../platform/time.ts'

/** How long a caption of this length is left on the screen, when nobody says: 15 characters a second. */
const readingMs = (text: string): number =>
  Math.min(7000, Math.max(1500, Math.round(text.length * (1000 / 15))))

interface Times {
  start?: number | string | undefined
  end?: number | string | undefined
}

/** Milliseconds from the start of the stream. */
const offsetOf = (path: string, given: number | string, startedAt: string): number => {
  if (typeof given === 'number') return Math.round(given * 1000)
  const offset = Date.parse(readInstant(path, given, 'UTC')) - Date.parse(startedAt)
  if (offset < 0) throw invalidField(path, 'lies before the start of the stream')
  return offset
}

/** When a caption is said, by what is given of it; the rest is `otherwise`. */
export const timesOf = (
  { start, end }: Times,
  {
    text,
    startedAt,
    otherwise,
    path = '',
  }: {
    text: string
    startedAt: string
    otherwise: { startMs: number; endMs?: number }
    path?: string
  },
): { startMs: number; endMs: number } => {
  const startMs = start === undefined ? otherwise.startMs : offsetOf(`${path}start`, start, startedAt)
  const given = end === undefined ? otherwise.endMs : offsetOf(`${path}end`, end, startedAt)
  const endMs = given ?? startMs + readingMs(text)
  if (endMs <= startMs && (start !== undefined || end !== undefined))
    throw invalidField(`${path}end`, 'must be after start')
  return { startMs, endMs }
}

/** Where a stream has come to; where it came to, once it is over. */
export const elapsedMs = (
  { startedAt, stoppedAt }: { startedAt: string; stoppedAt: string | null },
  now: string,
): number => Math.max(0, Date.parse(stoppedAt ?? now) - Date.parse(startedAt))
