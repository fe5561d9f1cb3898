import { createCursor, sizeBefore } from './cursor.ts'
import { DAY, dayOf, SECOND } from './days.ts'
import type { Rule, Until } from './rule.ts'
import { createSteps, type Steps } from './steps.ts'

/** The year 10000, which RFC 5545 has no digits for. */
const END_OF_YEARS = dayOf(10_000, 1, 1) * DAY

/** The first wall-clock time that is too late: UNTIL counts in, its whole second or its whole day. */
const endOf = ({ wall, kind }: Until): number => wall + (kind === 'date' ? DAY : SECOND)

/**
 * What the bare rule generates in wall-clock time, ascending in [from, until). The start only anchors it: it is among
 * them, and counts for COUNT, if the rule itself names it.
 */
export function* expandRule(
  rule: Rule,
  start: number,
  from = start,
  until = Number.POSITIVE_INFINITY,
  steps: Steps = createSteps(),
): Generator<number, undefined> {
  const end = Math.min(until, rule.until ? endOf(rule.until) : END_OF_YEARS)
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
    remaining -= cursor.passYears(first)
  }
}

const countOut = (rule: Rule, start: number, isPassing: boolean, steps: Steps) => {
  const cursor = createCursor(rule, start, start, Number.POSITIVE_INFINITY, steps)
  let remaining = rule.count ?? 0
  let last: number | undefined
  while (remaining > 0 && cursor.advance()) {
    const before = sizeBefore(cursor, start)
    const index = Math.min(cursor.size(), before + remaining) - 1
    if (index < before) continue
    last = cursor.at(index)
    remaining -= index + 1 - before
    if (isPassing && remaining > 0) remaining -= cursor.passYears(Number.POSITIVE_INFINITY, remaining)
  }
  return { last, remaining }
}

/** The wall-clock time at which a rule with COUNT comes to its end, if it ever recurs. */
export const lastCounted = (rule: Rule, start: number, steps: Steps = createSteps()): number | undefined => {
  const { last, remaining } = countOut(rule, start, true, steps)
  // Where the calendar ends before the count does, the last is among what was passed over.
  return remaining === 0 ? last : countOut(rule, start, false, steps).last
}

/** How many the rule generates before a wall-clock time. */
export const countBefore = (rule: Rule, start: number, wall: number): number => {
  const most = rule.count ?? Number.POSITIVE_INFINITY
  const cursor = createCursor(rule, start, start, wall)
  let count = 0
  while (count < most && cursor.advance()) {
    const before = sizeBefore(cursor, wall)
    count += before - sizeBefore(cursor, start)
    if (before < cursor.size()) break
    count += cursor.passYears(wall)
  }
  return Math.min(count, most)
}
