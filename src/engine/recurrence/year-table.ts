import { createDayTests } from './day-match.ts'
import { dateOf, firstWeekOf, kindOfYear, monthOf, newYearOf, weekOf } from './days.ts'
import type { Rule } from './rule.ts'

/** A month by its number, or a week by its first day, with the days of it that the rule names. */
export interface Period {
  key: number
  days: number[]
}

/** The days of a year that a rule names as if INTERVAL were 1, counted from New Year. */
export interface YearTable {
  /** Apart by month or week where it matters which of them a day is in; otherwise in one. */
  periods: readonly Period[]
  all: readonly number[]
}

/** Where a year begins: weeks are never torn apart where the rule counts in them. */
const yearBounds = ({ frequency, byWeekNumber, weekStart }: Rule): ((year: number) => number) => {
  if (frequency === 'YEARLY' && byWeekNumber) return (year) => firstWeekOf(year, weekStart)
  if (frequency === 'WEEKLY') return (year) => weekOf(newYearOf(year) + 6, weekStart)
  return newYearOf
}

const readYear = (rule: Rule): ((year: number) => YearTable) => {
  const { frequency, byMonth, byMonthDay = [0], weekStart } = rule
  const { isNamed, isNamedOtherwise } = createDayTests(rule)
  const bound = yearBounds(rule)
  // RFC 7529: SKIP takes a day that the month does not have to the first of the next.
  const skipsForward = rule.skip === 'FORWARD' && (frequency === 'YEARLY' || frequency === 'MONTHLY')
  const latestDate = Math.max(...byMonthDay)
  const isApart = rule.byPosition !== undefined || rule.interval > 1
  const byMonths = isApart && frequency === 'MONTHLY'
  const byWeeks = isApart && frequency === 'WEEKLY'

  return (ofYear) => {
    const origin = newYearOf(ofYear)
    const from = bound(ofYear)
    const until = bound(ofYear + 1)
    const periods: Period[] = []
    const keep = (day: number, month: number): void => {
      const key = byMonths ? month : byWeeks ? weekOf(day, weekStart) - origin : 0
      const period = periods.at(-1)
      if (period?.key === key) period.days.push(day - origin)
      else periods.push({ key, days: [day - origin] })
    }
    let { year, month } = dateOf(from)
    for (let next = from; next < until; ) {
      const frame = monthOf(year, month)
      const end = frame.first + frame.length
      if (!byMonth || byMonth.includes(month)) {
        for (let day = Math.max(frame.first, from); day < end && day < until; day++)
          if (isNamed(day, frame)) keep(day, month)
        if (skipsForward && latestDate > frame.length && isNamedOtherwise(end, monthOf(year, month + 1)))
          keep(end, month)
      }
      next = end
      if (month === 12) year++
      month = (month % 12) + 1
    }
    const all = periods.flatMap(({ days }) => days)
    return { periods, all: skipsForward ? [...new Set(all)] : all }
  }
}

/** There are few kinds of years, so that looking far ahead costs next to nothing. `onRead` is called for each kind. */
export const createYearTables = (rule: Rule, onRead: () => void): ((year: number) => YearTable) => {
  const read = readYear(rule)
  const known = new Map<number, YearTable>()
  return (year) => {
    const kind = kindOfYear(year)
    const seen = known.get(kind)
    if (seen) return seen
    onRead()
    const table = read(year)
    known.set(kind, table)
    return table
  }
}
