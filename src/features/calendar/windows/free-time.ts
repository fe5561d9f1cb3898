import { toInstant, toWall } from '../../../engine/time-zones.ts'
import type { Weekday, WorkingHours } from '../../auth/working-hours.ts'

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

/** A stretch of time between two instants. */
export interface Stretch {
  from: number
  until: number
}

const minutesOf = (clock: string): number => {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  return hours * 60 + minutes
}

/** Working hours by the clock on the wall, as stretches of real time, in order. */
export function* workingTime(
  hours: readonly WorkingHours[],
  timezone: string,
  { from, until }: Stretch,
): Generator<Stretch> {
  const ordered = hours.toSorted((a, b) => minutesOf(a.start) - minutesOf(b.start))
  const lastDay = Math.floor(toWall(until, timezone) / DAY_MS)
  for (let day = Math.floor(toWall(from, timezone) / DAY_MS); day <= lastDay; day++) {
    const weekday = WEEKDAYS[((day % 7) + 7) % 7]
    for (const entry of ordered) {
      if (entry.day !== weekday) continue
      const at = (clock: string): number => toInstant(day * DAY_MS + minutesOf(clock) * MINUTE_MS, timezone)
      const stretch = { from: Math.max(at(entry.start), from), until: Math.min(at(entry.end), until) }
      if (stretch.from < stretch.until) yield stretch
    }
  }
}

/** What is left of `open` (in order) without `taken` (in order of their beginnings), each kept clear of by `buffer`. */
export function* freeTime(
  open: Iterable<Stretch>,
  taken: readonly Stretch[],
  { minutes, buffer }: { minutes: number; buffer: number },
): Generator<Stretch> {
  const long = minutes * MINUTE_MS
  const margin = buffer * MINUTE_MS
  let next = 0
  // Something long may still be going on after shorter things that began later.
  let takenUntil = Number.NEGATIVE_INFINITY
  for (const stretch of open) {
    let from = Math.max(stretch.from, takenUntil)
    for (; next < taken.length; next++) {
      const busy = taken[next] as Stretch
      if (busy.from - margin >= stretch.until) break
      if (busy.from - margin - from >= long) yield { from, until: busy.from - margin }
      takenUntil = Math.max(takenUntil, busy.until + margin)
      from = Math.max(from, takenUntil)
    }
    if (stretch.until - from >= long) yield { from, until: stretch.until }
  }
}
