import { createCursor, sizeBefore } from './cursor.ts'
import { createSteps, DAY, dayOf, HOUR, MINUTE, SECOND, type Steps } from './days.ts'
import { isWithinDay, type Rule, type Until } from './rule.ts'

/** The year 10000. RFC 5545 writes years with four digits. */
const END_OF_CALENDAR = dayOf(10_000, 1, 1) * DAY

/** Returns the first wall-clock time after UNTIL. UNTIL includes its whole second or its whole day. */
const endOf = ({ wall, kind }: Until): number => wall + (kind === 'date' ? DAY : SECOND)

/**
 * Generates the wall-clock times of the rule in [from, until), ascending. The start is only an anchor: it is
 * included, and counts for COUNT, only if the rule matches it.
 */
export function* expandRule(
  rule: Rule,
  start: number,
  from = start,
  until = Number.POSITIVE_INFINITY,
  steps: Steps = createSteps(),
): Generator<number, undefined> {
  const end = Math.min(until, rule.until ? endOf(rule.until) : END_OF_CALENDAR)
  const first = Math.max(from, start)
  const cursor = createCursor(rule, start, rule.count === undefined ? first : start, end, steps)
  let remaining = rule.count ?? Number.POSITIVE_INFINITY
  while (remaining > 0 && cursor.advance()) {
    let index = sizeBefore(cursor, first)
    if (index > 0) remaining -= index - sizeBefore(cursor, start)
    for (const size = cursor.size(); index < size && remaining > 0; index++, remaining--) {
      const wall = cursor.at(index)
      if (wall >= end) return
      yield wall
    }
    remaining -= cursor.skipYears(first)
  }
}

const findLastCounted = (rule: Rule, start: number, canSkipYears: boolean, steps: Steps) => {
  const cursor = createCursor(rule, start, start, Number.POSITIVE_INFINITY, steps)
  let remaining = rule.count ?? 0
  let last: number | undefined
  while (remaining > 0 && cursor.advance()) {
    const before = sizeBefore(cursor, start)
    const index = Math.min(cursor.size(), before + remaining) - 1
    if (index < before) continue
    last = cursor.at(index)
    remaining -= index + 1 - before
    if (canSkipYears && remaining > 0) remaining -= cursor.skipYears(Number.POSITIVE_INFINITY, remaining)
  }
  return { last, remaining }
}

/** Returns the wall-clock time of the last recurrence of a rule with COUNT, if there is one. */
export const lastCounted = (rule: Rule, start: number, steps: Steps = createSteps()): number | undefined => {
  const { last, remaining } = findLastCounted(rule, start, true, steps)
  // If the calendar ends before the count does, the last recurrence is in a skipped year.
  return remaining === 0 ? last : findLastCounted(rule, start, false, steps).last
}

/** Counts the recurrences before a wall-clock time. */
export const countBefore = (rule: Rule, start: number, wall: number): number => {
  const most = rule.count ?? Number.POSITIVE_INFINITY
  const cursor = createCursor(rule, start, start, wall)
  let count = 0
  while (count < most && cursor.advance()) {
    const before = sizeBefore(cursor, wall)
    count += before - sizeBefore(cursor, start)
    if (before < cursor.size()) break
    count += cursor.skipYears(wall)
  }
  return Math.min(count, most)
}

const STEPS = { HOURLY: HOUR, MINUTELY: MINUTE, SECONDLY: SECOND }

/**
 * Returns the average distance in ms between the recurrences of a rule on its busiest day. It is a day or
 * more if the rule recurs at most once a day. If the distance depends on the start, this is a lower bound.
 */
export const closestAverage = (rule: Rule): number => {
  const { frequency, interval, byHour, byMinute, bySecond, byPosition } = rule
  const most = (times: number): number => Math.min(times, byPosition?.length ?? times)
  const [minutes, seconds] = [byMinute?.length ?? 1, bySecond?.length ?? 1]
  if (!isWithinDay(rule)) return DAY / most((byHour?.length ?? 1) * minutes * seconds)
  const step = STEPS[frequency as keyof typeof STEPS]
  const within = most(frequency === 'HOURLY' ? minutes * seconds : frequency === 'MINUTELY' ? seconds : 1)
  const open =
    (byHour?.length ?? 24) *
    (frequency === 'HOURLY' ? 1 : (byMinute?.length ?? 60)) *
    (frequency === 'SECONDLY' ? (bySecond?.length ?? 60) : 1)
  return Math.max(interval * step, DAY / open) / within
}
