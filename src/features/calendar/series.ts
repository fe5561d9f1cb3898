import { NEVER } from '../../database/spans.ts'
import { closestAverage } from '../../engine/recurrence/density.ts'
import { readRule } from '../../engine/recurrence/read-rule.ts'
import type { Rule } from '../../engine/recurrence/rule.ts'
import { lastStart, type Series } from '../../engine/recurrence/series.ts'
import { writeRule } from '../../engine/recurrence/write-rule.ts'
import { toInstant, toWall } from '../../engine/time-zones.ts'
import type { EventFields } from './event.ts'
import { isoOf, type When } from './times.ts'

const DAY_MS = 86_400_000

/** What of an event decides when it happens. */
export type Recurring = When & Pick<EventFields, 'recurrence' | 'exdates' | 'rdates'>

/** What RFC 2445 had and calendars still hold: a rule of occurrences to leave out. */
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

/** Without rules that name anything, nothing is left out either. */
export const writeRules = ({ rules, exclusionRules }: Rules): string | null =>
  rules.length === 0
    ? null
    : [...rules.map(writeRule), ...exclusionRules.map((rule) => EXCLUDING + writeRule(rule))].join('\n')

export const isSeries = ({ recurrence, rdates }: Pick<EventFields, 'recurrence' | 'rdates'>): boolean =>
  recurrence !== null || rdates.length > 0

/** Nobody's calendar is fuller than that, and whoever counts through a year of it gets to an end. */
const CLOSEST_MS = 5 * 60_000
export const TOO_DENSE = 'recurs more often than every five minutes'

/** As often as these may come as close together as they like. */
const FEW = 1000

/** By what all rules together name on their busiest days. */
export const isTooDense = ({ rules, exclusionRules }: Rules): boolean =>
  [...rules, ...exclusionRules]
    .filter(({ count = Number.POSITIVE_INFINITY }) => count > FEW)
    .reduce((perMs, rule) => perMs + 1 / closestAverage(rule), 0) >
  1 / CLOSEST_MS

export const seriesOf = ({ start, timezone, allDay, recurrence, exdates, rdates }: Recurring): Series => ({
  start: Date.parse(start),
  timezone,
  allDay,
  ...rulesOf(recurrence),
  excluded: exdates.map(Date.parse),
  added: rdates.map(Date.parse),
})

/** When an occurrence ends: after as many days by the clock, or as many hours, as the first one. */
export const endOf = ({ start, end, allDay, timezone }: When, occurrenceStart: number): number => {
  if (!allDay) return occurrenceStart + Date.parse(end) - Date.parse(start)
  const dayOf = (instant: number): number => Math.floor(toWall(instant, timezone) / DAY_MS)
  const days = dayOf(Date.parse(end)) - dayOf(Date.parse(start))
  return toInstant((dayOf(occurrenceStart) + days) * DAY_MS, timezone)
}

/** The longest that any occurrence can last: clocks that change add a little to a day, or all of it, as in Samoa. */
export const longestOf = ({ start, end, allDay }: When): number =>
  Date.parse(end) - Date.parse(start) + (allDay ? DAY_MS + 7_200_000 : 0)

/** When the last occurrence is over. */
export const lastEndOf = (fields: Recurring): string => {
  if (!isSeries(fields)) return fields.end
  const last = lastStart(seriesOf(fields))
  return last === null ? NEVER : isoOf(Math.max(endOf(fields, last), Date.parse(fields.end)))
}
