import { WEEKDAYS } from '../../platform/time.ts'
import { weekdayOf } from '../../recurrence/days.ts'
import { toInstant, toWall } from '../../recurrence/time-zones.ts'
import type { WorkingHours } from '../auth/working-hours.ts'
import { isoOf } from './times.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
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
    const weekday = WEEKDAYS[weekdayOf(day)]
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

/** A longer buffer would make each search read the events of days. */
export const MAX_BUFFER_MINUTES = 480

interface Period {
  from: string
  until: string
}

const shiftBy = (instant: string, minutes: number): number => Date.parse(instant) + minutes * MINUTE_MS

/** The period in which events can be that are busy in the given one because of their buffers. */
export const widenByBuffers = ({ from, until }: Period): Period => ({
  from: isoOf(shiftBy(from, -MAX_BUFFER_MINUTES)),
  until: isoOf(shiftBy(until, MAX_BUFFER_MINUTES)),
})

/** The time that an event takes, with its buffers. */
export const toBusyRange = ({
  start,
  end,
  bufferBefore,
  bufferAfter,
}: {
  start: string
  end: string
  bufferBefore: number | null
  bufferAfter: number | null
}): TimeRange => ({ from: shiftBy(start, -(bufferBefore ?? 0)), until: shiftBy(end, bufferAfter ?? 0) })

export const isWithin =
  ({ from, until }: Period) =>
  (range: TimeRange): boolean =>
    range.from < Date.parse(until) && range.until > Date.parse(from)

export const byFrom = (a: TimeRange, b: TimeRange): number => a.from - b.from

export const toSlot = ({ from, until }: TimeRange) => ({ start: isoOf(from), end: isoOf(until) })

/** Joins ranges that overlap or touch, so that their number tells nothing. */
export const joinRanges = (ranges: readonly TimeRange[]): TimeRange[] => {
  const joined: TimeRange[] = []
  for (const { from, until } of ranges.toSorted(byFrom)) {
    const last = joined.at(-1)
    if (last && from <= last.until) last.until = Math.max(last.until, until)
    else joined.push({ from, until })
  }
  return joined
}

/** Returns the times that are in both. Both inputs are ordered. */
export const intersectRanges = (ranges: readonly TimeRange[], others: readonly TimeRange[]): TimeRange[] =>
  ranges.flatMap((range) =>
    others
      .map((other) => ({
        from: Math.max(range.from, other.from),
        until: Math.min(range.until, other.until),
      }))
      .filter(({ from, until }) => from < until),
  )

const START_STEP_MS = 15 * MINUTE_MS
const MAX_PER_RANGE = 3

/** Yields a few slots of each range, so that the first suggestions are spread over the days. */
export function* suggestSlots(free: Iterable<TimeRange>, minutes: number): Generator<TimeRange> {
  const length = minutes * MINUTE_MS
  const step = Math.ceil(Math.max(minutes, 60) / 15) * START_STEP_MS
  for (const { from, until } of free) {
    let start = Math.ceil(from / START_STEP_MS) * START_STEP_MS
    for (let count = 0; count < MAX_PER_RANGE && start + length <= until; count++, start += step)
      yield { from: start, until: start + length }
  }
}
