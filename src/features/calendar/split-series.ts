import { continueFrom, endBefore, occurrencesBetween } from '../../engine/recurrence/series.ts'
import { endOf, type Recurring, rulesOf, seriesOf, writeRules } from './series.ts'
import { isoOf } from './times.ts'

/** A series that ends before one of its occurrences, and what would have come from then on as another one. */
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
