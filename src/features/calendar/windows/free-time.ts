import { toInstant, toWall } from '../../../nlu/time-zones.ts'
import type { Weekday, WorkingHours } from '../../auth/accounts.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** 1 January 1970 was a Thursday. */
const WEEKDAYS: readonly Weekday[] = [
  'thursday',
  'friday',
  'saturday',
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
]

/** A time range between two instants. */
export interface TimeRange {
  from: number
  until: number
}

const toMinutes = (clock: string): number => {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  return hours * 60 + minutes
}

/** Yields working hours, which are given in wall-clock time, as ordered ranges of instants. */
export function* workingTime(
  hours: readonly WorkingHours[],
  timezone: string,
  { from, until }: TimeRange,
): Generator<TimeRange> {
  const ordered = hours.toSorted((a, b) => toMinutes(a.start) - toMinutes(b.start))
  const lastDay = Math.floor(toWall(until, timezone) / DAY_MS)
  for (let day = Math.floor(toWall(from, timezone) / DAY_MS); day <= lastDay; day++) {
    const weekday = WEEKDAYS[((day % 7) + 7) % 7]
    for (const entry of ordered) {
      if (entry.day !== weekday) continue
      const at = (clock: string): number => toInstant(day * DAY_MS + toMinutes(clock) * MINUTE_MS, timezone)
      const range = { from: Math.max(at(entry.start), from), until: Math.min(at(entry.end), until) }
      if (range.from < range.until) yield range
    }
  }
}

/** Yields `open` without `taken`, with `buffer` around each taken range. Both inputs are ordered by start. */
export function* freeTime(
  open: Iterable<TimeRange>,
  taken: readonly TimeRange[],
  { minutes, buffer }: { minutes: number; buffer: number },
): Generator<TimeRange> {
  const shortest = minutes * MINUTE_MS
  const margin = buffer * MINUTE_MS
  let next = 0
  // A long event may still be running after shorter ones that began later.
  let takenUntil = Number.NEGATIVE_INFINITY
  for (const range of open) {
    let from = Math.max(range.from, takenUntil)
    for (; next < taken.length; next++) {
      const busy = taken[next] as TimeRange
      if (busy.from - margin >= range.until) break
      if (busy.from - margin - from >= shortest) yield { from, until: busy.from - margin }
      takenUntil = Math.max(takenUntil, busy.until + margin)
      from = Math.max(from, takenUntil)
    }
    if (range.until - from >= shortest) yield { from, until: range.until }
  }
}
