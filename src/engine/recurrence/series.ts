import { toWall, transitionsBetween } from '../time-zones.ts'
import { DAY, HOUR, SECOND } from './days.ts'
import { withStartDay, withStartTime } from './derivation.ts'
import { countBefore, expandRule } from './expansion.ts'
import { type Anchor, anchoredRule, countedOut, instantsOf, startWallOf, untilInstant } from './instants.ts'
import type { Rule, Until } from './rule.ts'
import { createSteps, type Steps } from './steps.ts'
import { writeRule } from './write-rule.ts'

/**
 * When something recurs, all in instants (ms). The start is always an occurrence, even one that no rule names, and is
 * counted by COUNT, as RFC 5545 has it; a date that is excluded is counted too.
 */
export interface Series extends Anchor {
  rules: readonly Rule[]
  exclusionRules?: readonly Rule[]
  excluded: readonly number[]
  added: readonly number[]
}

function* inOrder(instants: readonly number[]): Generator<number> {
  yield* [...new Set(instants)].sort((a, b) => a - b)
}

/** Several ascending streams as one, without doubles. */
function* merged(streams: readonly Generator<number>[]): Generator<number> {
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

/** A daily series without an occurrence in more than fifty years is taken to have none any more. */
const MOST_EXCLUDED = 20_000

function* without(stream: Generator<number>, excluding: Generator<number>): Generator<number> {
  let head = excluding.next()
  let inARow = 0
  for (const instant of stream) {
    while (!head.done && head.value < instant) head = excluding.next()
    if (head.done || head.value !== instant) {
      inARow = 0
      yield instant
    } else if (++inARow > MOST_EXCLUDED) return
  }
}

/**
 * The instants in [from, until) at which an occurrence starts, ascending, found one by one as they are asked for. All
 * rules together use `steps`: what they name after that is not found.
 */
export function* occurrencesBetween(
  series: Series,
  from: number,
  until: number,
  steps: Steps = createSteps(),
): Generator<number> {
  const { start, rules, exclusionRules = [], added } = series
  const streams = rules.map((rule) => instantsOf(rule, series, from, until, steps))
  const single = [start, ...added].filter((instant) => instant >= from && instant < until)
  if (single.length > 0) streams.push(inOrder(single))
  const excluding = exclusionRules.map((rule) => instantsOf(rule, series, from, until, steps))
  const all = merged(streams)
  const left = excluding.length > 0 ? without(all, merged(excluding)) : all
  const excluded = new Set(series.excluded)
  for (const instant of left) if (!excluded.has(instant)) yield instant
}

export const occursAt = (series: Series, instant: number): boolean =>
  occurrencesBetween(series, instant, instant + 1).next().done === false

const latestOf = (instants: readonly number[]): number =>
  instants.reduce((latest, instant) => Math.max(latest, instant))

const earliestOf = (instants: readonly number[]): number =>
  instants.reduce((earliest, instant) => Math.min(earliest, instant))

/** Looks back in steps that grow, so that neither crowded nor lonely series take long. */
const lastBefore = (series: Series, instant: number, steps: Steps): number | undefined => {
  const first = earliestOf([series.start, ...series.added])
  for (let until = instant, step = HOUR; until > first; until -= step, step *= 2) {
    let last: number | undefined
    for (const found of occurrencesBetween(series, until - step, until, steps)) last = found
    if (last !== undefined) return last
  }
  return undefined
}

/**
 * When the last occurrence starts; null when there is no last one or it cannot be found in a few steps, and the start
 * when all are excluded. Rules that exclude are not looked at, so that it may be later than the last one then, and never
 * earlier.
 */
export const lastStart = (series: Series): number | null => {
  const { start, rules, added, excluded } = series
  if (rules.some(({ count, until }) => count === undefined && !until)) return null
  const steps = createSteps()
  const counted = rules
    .filter(({ count }) => count !== undefined)
    .map((rule) => countedOut(rule, series, steps))
  if (steps.left <= 0) return null
  const certain = latestOf([start, ...added, ...counted])
  const limits = rules.filter(({ until }) => until).map((rule) => untilInstant(rule, series) - 1)
  const latest = latestOf([certain, ...limits])
  if (latest === certain && !excluded.includes(certain)) return certain
  const last = lastBefore({ ...series, exclusionRules: [] }, latest + 1, steps)
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

/** The rules of the series, cut so that nothing they name starts at the instant or after it. */
export const endBefore = (series: Series, instant: number): Rule[] =>
  series.rules.map((rule) => {
    if (instantsOf(rule, series, instant, Number.POSITIVE_INFINITY).next().done) return rule
    const { count: _, ...unending } = rule
    return {
      ...unending,
      until: series.allDay ? lastDayBefore(instant, series.timezone) : lastSecondBefore(instant),
    }
  })

/** The wall-clock time that the rule names for an instant, even where clocks skip it; undefined if it names none. */
const namedWall = (rule: Rule, series: Series, instant: number): number | undefined => {
  const startWall = startWallOf(series)
  const skipped = transitionsBetween(series.timezone, instant - DAY, instant + 1)
    .filter(({ at, before, after }) => instant + before < at + after)
    .map(({ before }) => instant + before)
  return [toWall(instant, series.timezone), ...skipped].find(
    (wall) => expandRule(rule, startWall, wall, wall + 1).next().done === false,
  )
}

/** What the rule leaves to its start, said in full where another start would make something else of it. */
const independentOf = (rule: Rule, startWall: number, nextStartWall: number, allDay: boolean): Rule => {
  const derived = (wall: number): Rule => {
    const dated = withStartDay(rule, wall)
    return allDay ? dated : withStartTime(dated, wall)
  }
  const said = derived(startWall)
  return writeRule(said) === writeRule(derived(nextStartWall)) ? rule : said
}

/**
 * The rules for a series that starts at an instant where this one is cut: COUNT is what is left of it. Where the
 * instant is an added date in a week or month that INTERVAL leaps over, no rule can keep step with the old one.
 */
export const continueFrom = (series: Series, instant: number): Rule[] =>
  series.rules.flatMap((rule) => {
    if (untilInstant(rule, series) <= instant) return []
    const startWall = startWallOf(series)
    const nextStartWall = startWallOf({ ...series, start: instant })
    const next = independentOf(rule, startWall, nextStartWall, series.allDay)
    const anchored = anchoredRule(rule, series)
    if (anchored.count === undefined) return [next]
    const named = namedWall(anchored, series, instant)
    const left = anchored.count - countBefore(anchored, startWall, named ?? nextStartWall)
    // The new start is counted, also where it is one more than the rule names.
    return left <= 0 ? [] : [{ ...next, count: named === undefined ? left + 1 : left }]
  })
