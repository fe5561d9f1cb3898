import { closestAverage } from '../../recurrence/expansion.ts'
import { moveRule } from '../../recurrence/moved-rule.ts'
import { type Rule, readRule, type Until, writeRule } from '../../recurrence/rule.ts'
import {
  continueFrom,
  endBefore,
  lastStart,
  occurrencesBetween,
  type Series,
} from '../../recurrence/series.ts'
import { toInstant, toWall } from '../../recurrence/time-zones.ts'
import { isoOf, NEVER, shiftBy, type When, wallDistance } from './times.ts'

const DAY_MS = 86_400_000

/** The fields that decide when an event happens. */
export interface Recurring extends When {
  recurrence: string | null
  exdates: string[]
  rdates: string[]
}

/** EXRULE of RFC 2445, which calendars still contain: a rule of occurrences to exclude. */
export const EXCLUDING = 'EXRULE:'

export interface Rules {
  rules: readonly Rule[]
  exclusionRules: readonly Rule[]
}

const readLines = (lines: readonly string[]): Rule[] =>
  lines.flatMap((line) => {
    const read = readRule(line)
    return 'rule' in read ? [read.rule] : []
  })

export const rulesOf = (recurrence: string | null): Rules => {
  const [excluding = [], including = []] = [true, false].map((isExcluding) =>
    (recurrence?.split('\n') ?? []).filter((line) => line.startsWith(EXCLUDING) === isExcluding),
  )
  return {
    rules: readLines(including),
    exclusionRules: readLines(excluding.map((line) => line.slice(EXCLUDING.length))),
  }
}

/** Without a recurrence rule, exclusion rules are dropped too. */
export const writeRules = ({ rules, exclusionRules }: Rules): string | null =>
  rules.length === 0
    ? null
    : [...rules.map(writeRule), ...exclusionRules.map((rule) => EXCLUDING + writeRule(rule))].join('\n')

export const isSeries = ({ recurrence, rdates }: Pick<Recurring, 'recurrence' | 'rdates'>): boolean =>
  recurrence !== null || rdates.length > 0

/** The minimum average distance between occurrences, so that counting a year of them ends. */
const MIN_DISTANCE_MS = 5 * 60_000
export const TOO_DENSE = 'recurs more often than every five minutes'

/** A series with fewer occurrences may have any distance between them. */
const SMALL_SERIES = 1000

/** Estimates the density from the busiest days of all rules together. */
export const isTooDense = ({ rules, exclusionRules }: Rules): boolean =>
  [...rules, ...exclusionRules]
    .filter(({ count = Number.POSITIVE_INFINITY }) => count > SMALL_SERIES)
    .reduce((perMs, rule) => perMs + 1 / closestAverage(rule), 0) >
  1 / MIN_DISTANCE_MS

export const seriesOf = ({ start, timezone, allDay, recurrence, exdates, rdates }: Recurring): Series => ({
  start: Date.parse(start),
  timezone,
  allDay,
  ...rulesOf(recurrence),
  excluded: exdates.map(Date.parse),
  added: rdates.map(Date.parse),
})

/** Returns the end of an occurrence. All-day events keep their number of days, others their hours. */
export const endOf = ({ start, end, allDay, timezone }: When, occurrenceStart: number): number => {
  if (!allDay) return occurrenceStart + Date.parse(end) - Date.parse(start)
  const dayOf = (instant: number): number => Math.floor(toWall(instant, timezone) / DAY_MS)
  const days = dayOf(Date.parse(end)) - dayOf(Date.parse(start))
  return toInstant((dayOf(occurrenceStart) + days) * DAY_MS, timezone)
}

/**
 * Returns the maximum duration of an occurrence. Clock changes can lengthen a day, in Samoa by a whole day.
 */
export const longestOf = ({ start, end, allDay }: When): number =>
  Date.parse(end) - Date.parse(start) + (allDay ? DAY_MS + 7_200_000 : 0)

/** Returns the end of the last occurrence. */
export const lastEndOf = (fields: Recurring): string => {
  if (!isSeries(fields)) return fields.end
  const last = lastStart(seriesOf(fields))
  return last === null ? NEVER : isoOf(Math.max(endOf(fields, last), Date.parse(fields.end)))
}

const LAST_DAY = Date.parse(NEVER.slice(0, 10))

const wallOf = ({ start, timezone, allDay }: Recurring): number => {
  const wall = toWall(Date.parse(start), timezone)
  return allDay ? Math.floor(wall / DAY_MS) * DAY_MS : wall
}

/** Moves UNTIL along with the start. Otherwise a move to a later time would drop the last occurrence. */
const movedUntil = ({ wall, kind }: Until, before: Recurring, after: Recurring): Until => {
  const days = Math.floor(wallOf(after) / DAY_MS) - Math.floor(wallOf(before) / DAY_MS)
  const usesDays = kind === 'date' || (before.allDay && after.allDay)
  const moved = usesDays
    ? wall + days * DAY_MS
    : kind === 'local'
      ? wall + wallDistance(before, after)
      : Date.parse(shiftBy(isoOf(wall), wallDistance(before, after), before.timezone, after.timezone))
  return { wall: Math.min(moved, LAST_DAY), kind }
}

const movedRecurrence = (recurrence: string, before: Recurring, after: Recurring): string | null => {
  const move = (rule: Rule): Rule => {
    const moved = moveRule(rule, wallOf(before), wallOf(after))
    return rule.until ? { ...moved, until: movedUntil(rule.until, before, after) } : moved
  }
  const { rules, exclusionRules } = rulesOf(recurrence)
  return writeRules({ rules: rules.map(move), exclusionRules: exclusionRules.map(move) })
}

/** Moves rules, EXDATE and RDATE along with the start of a series, unless they were given. */
export const movedAlong = <T extends Recurring>(
  before: T,
  after: T,
  { isRuleGiven }: { isRuleGiven: boolean },
): T => {
  const distance = wallDistance(before, after)
  if (distance === 0 && before.timezone === after.timezone) return after
  const along = (name: 'exdates' | 'rdates'): string[] =>
    before[name].join() === after[name].join()
      ? after[name].map((date) => shiftBy(date, distance, before.timezone, after.timezone))
      : after[name]
  return {
    ...after,
    recurrence:
      isRuleGiven || after.recurrence === null
        ? after.recurrence
        : movedRecurrence(after.recurrence, before, after),
    exdates: along('exdates'),
    rdates: along('rdates'),
  }
}

/** Splits a series before one of its occurrences into two series. */
export const splitAt = <T extends Recurring>(series: T, start: string): { before: T; rest: T } => {
  const at = Date.parse(start)
  const whole = seriesOf(series)
  const { exclusionRules } = rulesOf(series.recurrence)
  return {
    before: {
      ...series,
      recurrence: writeRules({ rules: endBefore(whole, at), exclusionRules }),
      exdates: series.exdates.filter((date) => date < start),
      rdates: series.rdates.filter((date) => date < start),
    },
    rest: {
      ...series,
      start,
      end: isoOf(endOf(series, at)),
      recurrence: writeRules({
        rules: continueFrom(whole, at),
        exclusionRules: continueFrom({ ...whole, rules: exclusionRules }, at),
      }),
      exdates: series.exdates.filter((date) => date >= start),
      rdates: series.rdates.filter((date) => date > start),
    },
  }
}

export const isNothingBefore = (series: Recurring, start: string): boolean =>
  occurrencesBetween(seriesOf(series), Number.NEGATIVE_INFINITY, Date.parse(start)).next().done === true
