import { NEVER } from '../../database/spans.ts'
import { readRule } from '../../engine/recurrence/read-rule.ts'
import type { Rule } from '../../engine/recurrence/rule.ts'
import { lastStart, type Series } from '../../engine/recurrence/series.ts'
import { writeRule } from '../../engine/recurrence/write-rule.ts'
import { toInstant, toWall } from '../../engine/time-zones.ts'
import type { EventFields } from './event.ts'
import { isoOf, type When } from './times.ts'

/** What of an event decides when it happens. */
export type Recurring = When & Pick<EventFields, 'recurrence' | 'exdates' | 'rdates'>

const rulesOf = (recurrence: string): Rule[] =>
  recurrence.split('\n').flatMap((line) => {
    const read = readRule(line)
    return 'rule' in read ? [read.rule] : []
  })

export const writeRules = (rules: readonly Rule[]): string | null =>
  rules.length === 0 ? null : rules.map(writeRule).join('\n')

export const isSeries = ({ recurrence, rdates }: Pick<EventFields, 'recurrence' | 'rdates'>): boolean =>
  recurrence !== null || rdates.length > 0

export const seriesOf = ({ start, timezone, allDay, recurrence, exdates, rdates }: Recurring): Series => ({
  start: Date.parse(start),
  timezone,
  allDay,
  rules: recurrence === null ? [] : rulesOf(recurrence),
  excluded: exdates.map(Date.parse),
  added: rdates.map(Date.parse),
})

/** When an occurrence ends: after as many days by the clock, or as many hours, as the first one. */
export const endOf = ({ start, end, allDay, timezone }: When, occurrenceStart: number): number => {
  const [first, until] = [Date.parse(start), Date.parse(end)]
  if (!allDay) return occurrenceStart + until - first
  const length = toWall(until, timezone) - toWall(first, timezone)
  return toInstant(toWall(occurrenceStart, timezone) + length, timezone)
}

/** The longest that any occurrence can last: clocks that change may add a little to a day. */
export const longestOf = ({ start, end }: When): number => Date.parse(end) - Date.parse(start) + 7_200_000

/** When the last occurrence is over. */
export const lastEndOf = (fields: Recurring): string => {
  if (!isSeries(fields)) return fields.end
  const last = lastStart(seriesOf(fields))
  return last === null ? NEVER : isoOf(Math.max(endOf(fields, last), Date.parse(fields.end)))
}
