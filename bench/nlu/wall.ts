import type { Moment } from '../../src/nlu/dates/values.ts'

export const DAY = 86_400_000

/** Parses a wall-clock time without a zone to milliseconds, as if it were UTC. */
export const wallMs = (text: string): number =>
  Date.parse(`${text.length === 10 ? `${text}T00:00:00` : text.replace(' ', 'T')}Z`)

export const momentMs = ({ day, seconds }: Moment): number => day * DAY + (seconds ?? 0) * 1000

export const wallText = (ms: number): string => {
  const iso = new Date(ms).toISOString()
  return iso.startsWith('-') || iso.startsWith('+') ? iso : iso.slice(0, 19)
}
