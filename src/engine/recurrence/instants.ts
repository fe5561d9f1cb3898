import { offsetAt, toInstant, toWall, transitionsBetween } from '../time-zones.ts'
import { DAY, SECOND } from './days.ts'
import { expandRule, lastCounted } from './expansion.ts'
import { isWithinDay, type Rule } from './rule.ts'
import { createSteps, type Steps } from './steps.ts'

/** What a rule recurs from: an instant, and the zone whose clocks it keeps to. */
export interface Anchor {
  start: number
  timezone: string
  allDay: boolean
}

/** Skipped hours, and the one skipped day of Samoa, move times by this much at most. */
const LONGEST_GAP = DAY + SECOND

/** Four digits of a year last until then, in any zone. */
const END_OF_TIME = 253_402_300_800_000 + DAY

/** What clocks show at the start; a whole day begins at midnight, even where clocks went over it. */
export const startWallOf = ({ start, timezone, allDay }: Anchor): number => {
  const wall = toWall(start, timezone)
  return allDay ? Math.floor(wall / DAY) * DAY : wall
}

/** RFC 5545: parts about the time of day are ignored for whole days, which leaves the steps that meet a midnight. */
const forDays = ({ byHour: _, byMinute: __, bySecond: ___, ...rule }: Rule): Rule =>
  isWithinDay(rule) ? { ...rule, byHour: [0], byMinute: [0], bySecond: [0] } : rule

/** Whether the start is one that the rule itself names. */
const namesStart = ({ count: _, until: __, ...rule }: Rule, startWall: number, steps: Steps): boolean =>
  expandRule(rule, startWall, startWall, startWall + 1, steps).next().done === false

/** "The DTSTART property value always counts as the first occurrence" (RFC 5545, COUNT), named by the rule or not. */
const withoutStart = (rule: Rule, startWall: number, steps: Steps): Rule =>
  rule.count === undefined || namesStart(rule, startWall, steps) ? rule : { ...rule, count: rule.count - 1 }

/** The rule as it applies from an anchor, without UNTIL, which is about instants. */
export const anchoredRule = (
  { until: _, ...rule }: Rule,
  anchor: Anchor,
  steps: Steps = createSteps(),
): Rule => withoutStart(anchor.allDay ? forDays(rule) : rule, startWallOf(anchor), steps)

/** The first instant that UNTIL makes too late. It counts in, with its whole second or its whole day. */
export const untilInstant = ({ until }: Rule, { timezone, allDay }: Anchor): number => {
  if (!until) return Number.POSITIVE_INFINITY
  const { wall, kind } = until
  // For whole days, programs write a midnight in UTC when they mean the day.
  if (kind === 'date' || (kind === 'utc' && allDay && wall % DAY === 0))
    return toInstant(wall + DAY, timezone)
  return (kind === 'utc' ? wall : toInstant(wall, timezone)) + SECOND
}

/** When a rule with COUNT recurs for the last time; the start if it never does. */
export const countedOut = (rule: Rule, anchor: Anchor, steps: Steps): number => {
  const last = lastCounted(anchoredRule(rule, anchor, steps), startWallOf(anchor), steps)
  return last === undefined ? anchor.start : toInstant(last, anchor.timezone)
}

/** Between which wall-clock times lie all that may mean an instant in [from, until). */
const wallBounds = (from: number, until: number, timezone: string): [number, number] => {
  const offsetsAround = (instant: number): number[] => [
    offsetAt(instant, timezone),
    ...transitionsBetween(timezone, instant - LONGEST_GAP, instant + LONGEST_GAP).flatMap(
      ({ before, after }) => [before, after],
    ),
  ]
  return [from + Math.min(...offsetsAround(from)), until + Math.max(...offsetsAround(until))]
}

/**
 * The instants that the rule generates in [from, until), ascending and each once, never before the start. Wall-clock
 * times stay put when clocks change. One that is skipped is not left out, as RFC 5545 has it, but moved along with the
 * clocks, as calendar programs do: nobody's daily reminder is lost. An hour that comes twice counts once.
 */
export function* instantsOf(
  rule: Rule,
  anchor: Anchor,
  from: number,
  until: number,
  steps: Steps = createSteps(),
): Generator<number> {
  const { start, timezone } = anchor
  const first = Math.max(from, start)
  const end = Math.min(until, untilInstant(rule, anchor), END_OF_TIME)
  if (first >= end) return
  const startWall = startWallOf(anchor)
  const [fromWall, untilWall] = wallBounds(first, end, timezone)
  let last = first - 1
  /** Moved times, which may come later than some whose wall-clock time is later. */
  let moved: number[] = []
  const anchored = anchoredRule(rule, anchor, steps)
  for (const wall of expandRule(anchored, startWall, fromWall, untilWall, steps)) {
    const instant = wall === startWall ? start : toInstant(wall, timezone)
    if (instant !== start && instant + offsetAt(instant, timezone) !== wall) {
      moved.push(instant)
      continue
    }
    if (moved.length > 0) {
      for (const earlier of moved)
        if (earlier > last && earlier < instant && earlier < end) {
          last = earlier
          yield earlier
        }
      moved = moved.filter((later) => later > instant)
    }
    if (instant >= end) return
    if (instant > last) {
      last = instant
      yield instant
    }
  }
  for (const instant of moved)
    if (instant > last && instant < end) {
      last = instant
      yield instant
    }
}
