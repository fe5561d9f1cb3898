import { createSteps, DAY, HOUR, SECOND, type Steps } from './days.ts'
import { countBefore, expandRule, lastCounted } from './expansion.ts'
import { isWithinDay, type Rule, type Until, withStartDay, withStartTime, writeRule } from './rule.ts'
import { offsetAt, toInstant, toWall, transitionsBetween } from './time-zones.ts'

/** The start of a series: an instant, and the zone of its wall clock. */
interface Anchor {
  start: number
  timezone: string
  allDay: boolean
}

/** The largest shift of a time by a skipped hour or by the skipped day of Samoa. */
const MAX_GAP = DAY + SECOND

/** The end of the last year with four digits, in any zone. */
const END_OF_TIME = 253_402_300_800_000 + DAY

/**
 * Returns the wall-clock time of the start. A whole day begins at midnight, even if the clocks skip midnight.
 */
const toStartWall = ({ start, timezone, allDay }: Anchor): number => {
  const wall = toWall(start, timezone)
  return allDay ? Math.floor(wall / DAY) * DAY : wall
}

/** RFC 5545: whole days ignore the parts about the time of day. Only steps that fall on midnight remain. */
const withoutTimeParts = ({ byHour: _, byMinute: __, bySecond: ___, ...rule }: Rule): Rule =>
  isWithinDay(rule) ? { ...rule, byHour: [0], byMinute: [0], bySecond: [0] } : rule

/** Tells whether the rule matches its start. */
const matchesStart = ({ count: _, until: __, ...rule }: Rule, startWall: number, steps: Steps): boolean =>
  expandRule(rule, startWall, startWall, startWall + 1, steps).next().done === false

/**
 * RFC 5545 (COUNT): "The DTSTART property value always counts as the first occurrence", even if the rule does
 * not match it.
 */
const withoutStart = (rule: Rule, startWall: number, steps: Steps): Rule =>
  rule.count === undefined || matchesStart(rule, startWall, steps) ? rule : { ...rule, count: rule.count - 1 }

/** Returns the rule for an anchor, without UNTIL, because UNTIL is an instant. */
const anchoredRule = ({ until: _, ...rule }: Rule, anchor: Anchor, steps: Steps = createSteps()): Rule =>
  withoutStart(anchor.allDay ? withoutTimeParts(rule) : rule, toStartWall(anchor), steps)

/** Returns the first instant after UNTIL. UNTIL includes its whole second or its whole day. */
const untilInstant = ({ until }: Rule, { timezone, allDay }: Anchor): number => {
  if (!until) return Number.POSITIVE_INFINITY
  const { wall, kind } = until
  // For whole days, programs write midnight in UTC and mean the day.
  if (kind === 'date' || (kind === 'utc' && allDay && wall % DAY === 0))
    return toInstant(wall + DAY, timezone)
  return (kind === 'utc' ? wall : toInstant(wall, timezone)) + SECOND
}

/** Returns the last recurrence of a rule with COUNT, or the start if there is none. */
const findLastCounted = (rule: Rule, anchor: Anchor, steps: Steps): number => {
  const last = lastCounted(anchoredRule(rule, anchor, steps), toStartWall(anchor), steps)
  return last === undefined ? anchor.start : toInstant(last, anchor.timezone)
}

/** Returns the range of all wall-clock times that may denote an instant in [from, until). */
const wallBounds = (from: number, until: number, timezone: string): [number, number] => {
  const offsetsAround = (instant: number): number[] => [
    offsetAt(instant, timezone),
    ...transitionsBetween(timezone, instant - MAX_GAP, instant + MAX_GAP).flatMap(({ before, after }) => [
      before,
      after,
    ]),
  ]
  return [from + Math.min(...offsetsAround(from)), until + Math.max(...offsetsAround(until))]
}

/**
 * Generates the instants of the rule in [from, until), ascending, without duplicates and never before the
 * start. Wall-clock times stay the same when the clocks change. RFC 5545 omits a skipped time. Here it moves
 * with the clocks, as in calendar programs, so that no daily reminder is lost. An hour that occurs twice
 * counts once.
 */
function* expandInstants(
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
  const startWall = toStartWall(anchor)
  const [fromWall, untilWall] = wallBounds(first, end, timezone)
  let last = first - 1
  /** Moved times. They may follow instants with a later wall-clock time. */
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

/**
 * A recurring series; all times are instants in ms. RFC 5545: the start is always an occurrence and counts
 * for COUNT, even if no rule matches it. Excluded dates count for COUNT too.
 */
export interface Series extends Anchor {
  rules: readonly Rule[]
  exclusionRules?: readonly Rule[]
  excluded: readonly number[]
  added: readonly number[]
}

function* sortInstants(instants: readonly number[]): Generator<number> {
  yield* [...new Set(instants)].sort((a, b) => a - b)
}

/** Merges ascending streams without duplicates. */
function* mergeStreams(streams: readonly Generator<number>[]): Generator<number> {
  const heads = streams.map((stream) => stream.next())
  for (;;) {
    let least = Number.POSITIVE_INFINITY
    for (const head of heads) if (!head.done && head.value < least) least = head.value
    if (least === Number.POSITIVE_INFINITY) return
    yield least
    for (let index = 0; index < heads.length; index++)
      if (heads[index]?.value === least) heads[index] = (streams[index] as Generator<number>).next()
  }
}

/**
 * Ends a series after this many excluded occurrences in sequence, which is over fifty years of a daily one.
 */
const MAX_EXCLUDED_IN_SEQUENCE = 20_000

function* excludeInstants(stream: Generator<number>, excluding: Generator<number>): Generator<number> {
  let head = excluding.next()
  let excludedCount = 0
  for (const instant of stream) {
    while (!head.done && head.value < instant) head = excluding.next()
    if (head.done || head.value !== instant) {
      excludedCount = 0
      yield instant
    } else if (++excludedCount > MAX_EXCLUDED_IN_SEQUENCE) return
  }
}

/**
 * Generates the starts of the occurrences in [from, until), ascending and lazily. All rules share `steps` and
 * find nothing after the steps are used up.
 */
export function* occurrencesBetween(
  series: Series,
  from: number,
  until: number,
  steps: Steps = createSteps(),
): Generator<number> {
  const { start, rules, exclusionRules = [], added } = series
  const streams = rules.map((rule) => expandInstants(rule, series, from, until, steps))
  const single = [start, ...added].filter((instant) => instant >= from && instant < until)
  if (single.length > 0) streams.push(sortInstants(single))
  const excluding = exclusionRules.map((rule) => expandInstants(rule, series, from, until, steps))
  const all = mergeStreams(streams)
  const left = excluding.length > 0 ? excludeInstants(all, mergeStreams(excluding)) : all
  const excluded = new Set(series.excluded)
  for (const instant of left) if (!excluded.has(instant)) yield instant
}

export const occursAt = (series: Series, instant: number): boolean =>
  occurrencesBetween(series, instant, instant + 1).next().done === false

const latestOf = (instants: readonly number[]): number =>
  instants.reduce((latest, instant) => Math.max(latest, instant))

const earliestOf = (instants: readonly number[]): number =>
  instants.reduce((earliest, instant) => Math.min(earliest, instant))

/** Searches backwards in growing steps, so that both dense and sparse series are fast. */
const findLastBefore = (series: Series, instant: number, steps: Steps): number | undefined => {
  const first = earliestOf([series.start, ...series.added])
  for (let until = instant, step = HOUR; until > first; until -= step, step *= 2) {
    let last: number | undefined
    for (const found of occurrencesBetween(series, until - step, until, steps)) last = found
    if (last !== undefined) return last
  }
  return undefined
}

/**
 * Returns the start of the last occurrence, or `start` if all are excluded. Returns null if the series has no
 * end, or if a limited search does not find it. Exclusion rules are ignored, so the result may be too late,
 * but never too early.
 */
export const lastStart = (series: Series): number | null => {
  const { start, rules, added, excluded } = series
  if (rules.some(({ count, until }) => count === undefined && !until)) return null
  const steps = createSteps()
  const counted = rules
    .filter(({ count }) => count !== undefined)
    .map((rule) => findLastCounted(rule, series, steps))
  if (steps.left <= 0) return null
  const certain = latestOf([start, ...added, ...counted])
  const limits = rules.filter(({ until }) => until).map((rule) => untilInstant(rule, series) - 1)
  const latest = latestOf([certain, ...limits])
  if (latest === certain && !excluded.includes(certain)) return certain
  const last = findLastBefore({ ...series, exclusionRules: [] }, latest + 1, steps)
  return steps.left <= 0 ? null : (last ?? start)
}

const lastDayBefore = (instant: number, timezone: string): Until => ({
  wall: Math.ceil(toWall(instant, timezone) / DAY - 1) * DAY,
  kind: 'date',
})

const lastSecondBefore = (instant: number): Until => ({
  wall: Math.floor(instant / SECOND - 1) * SECOND,
  kind: 'utc',
})

/** Ends the rules of the series before an instant. */
export const endBefore = (series: Series, instant: number): Rule[] =>
  series.rules.map((rule) => {
    if (expandInstants(rule, series, instant, Number.POSITIVE_INFINITY).next().done) return rule
    const { count: _, ...unending } = rule
    return {
      ...unending,
      until: series.allDay ? lastDayBefore(instant, series.timezone) : lastSecondBefore(instant),
    }
  })

/**
 * Returns the wall-clock time of the rule for an instant, even if the clocks skip it. Returns undefined if
 * the rule does not match.
 */
const findMatchingWall = (rule: Rule, series: Series, instant: number): number | undefined => {
  const startWall = toStartWall(series)
  const skipped = transitionsBetween(series.timezone, instant - DAY, instant + 1)
    .filter(({ at, before, after }) => instant + before < at + after)
    .map(({ before }) => instant + before)
  return [toWall(instant, series.timezone), ...skipped].find(
    (wall) => expandRule(rule, startWall, wall, wall + 1).next().done === false,
  )
}

/** Writes the parts that the rule derives from its start explicitly, if the new start would change them. */
const withExplicitParts = (rule: Rule, startWall: number, nextStartWall: number, allDay: boolean): Rule => {
  const derived = (wall: number): Rule => {
    const dated = withStartDay(rule, wall)
    return allDay ? dated : withStartTime(dated, wall)
  }
  const explicit = derived(startWall)
  return writeRule(explicit) === writeRule(derived(nextStartWall)) ? rule : explicit
}

/**
 * Returns the rules for a series that continues at an instant, with the remaining COUNT. The instant may be
 * an added date in a week or month that INTERVAL skips. No rule can then keep the old interval.
 */
export const continueFrom = (series: Series, instant: number): Rule[] =>
  series.rules.flatMap((rule) => {
    if (untilInstant(rule, series) <= instant) return []
    const startWall = toStartWall(series)
    const nextStartWall = toStartWall({ ...series, start: instant })
    const next = withExplicitParts(rule, startWall, nextStartWall, series.allDay)
    const anchored = anchoredRule(rule, series)
    if (anchored.count === undefined) return [next]
    const named = findMatchingWall(anchored, series, instant)
    const left = anchored.count - countBefore(anchored, startWall, named ?? nextStartWall)
    // The new start counts, even if the rule does not match it.
    return left <= 0 ? [] : [{ ...next, count: named === undefined ? left + 1 : left }]
  })
