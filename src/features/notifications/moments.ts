import { toInstant, toWall, transitionsBetween } from '../../engine/time-zones.ts'
import type { Digest, QuietHours } from './choices.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** Monday, 1970-01-05. */
const A_MONDAY = 4
const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

/**
 * The first instant at which the clocks of a zone have come to a time: of a time that is shown twice the first, of
 * one that is skipped the moment at which they skip it.
 */
const reaches = (wallMs: number, timezone: string): number => {
  const instant = toInstant(wallMs, timezone)
  if (toWall(instant, timezone) === wallMs) return instant
  const skipped = transitionsBetween(timezone, instant - 2 * DAY_MS, instant + 1).find(
    ({ at, before, after }) => at + before <= wallMs && wallMs < at + after,
  )
  return skipped?.at ?? instant
}

/** Days since 1970, by the calendar on the wall. */
const dayOf = (instantMs: number, timezone: string): number =>
  Math.floor(toWall(instantMs, timezone) / DAY_MS)

const momentOn = (day: number, minutes: number, timezone: string): number =>
  reaches(day * DAY_MS + minutes * MINUTE_MS, timezone)

/** Until when it is quiet; undefined when it is not. */
export const quietUntil = (now: Date, hours: QuietHours, timezone: string): Date | undefined => {
  if (!hours.enabled) return undefined
  const [start, end] = [minutesOf(hours.start), minutesOf(hours.end)]
  const lasts = end > start ? 0 : 1
  const stretchesAround = (at: number) => {
    const day = dayOf(at, timezone)
    return [day - 1, day, day + 1].map((first) => ({
      from: momentOn(first, start, timezone),
      until: momentOn(first + lasts, end, timezone),
    }))
  }
  let until: number | undefined
  let at = now.getTime()
  // Where clocks skip a whole day, one night passes into the next.
  for (let nights = 0; nights < 3; nights++) {
    const stretch = stretchesAround(at).find(({ from, until: to }) => from <= at && at < to)
    if (!stretch) break
    until = stretch.until
    at = until
  }
  return until === undefined ? undefined : new Date(until)
}

/** When the next digest goes; undefined where there is none. */
export const nextDigest = (now: Date, digest: Digest, timezone: string): Date | undefined => {
  if (digest.frequency === 'off') return undefined
  const today = dayOf(now.getTime(), timezone)
  const wanted = WEEKDAYS.indexOf(digest.weekday)
  for (let day = today; ; day++) {
    const isItsDay = digest.frequency === 'daily' || (((day - A_MONDAY) % 7) + 7) % 7 === wanted
    const at = isItsDay ? momentOn(day, minutesOf(digest.time), timezone) : Number.NEGATIVE_INFINITY
    if (at > now.getTime()) return new Date(at)
  }
}
