import { firstWeekOf, type Month, weekdayOf, weekYearOf } from './days.ts'
import type { Rule } from './rule.ts'

/** Whether a day of a month is one that a part of the rule names. */
export type DayTest = (day: number, month: Month) => boolean

const maskOf = (values: readonly number[]): number => values.reduce((mask, value) => mask | (1 << value), 0)

const monthDayTest = (byMonthDay: readonly number[], takesLast: boolean): DayTest => {
  const fromStart = maskOf(byMonthDay.filter((date) => date > 0))
  const fromEnd = maskOf(byMonthDay.filter((date) => date < 0).map((date) => -date))
  const latest = Math.max(...byMonthDay)
  return (day, { first, length }) => {
    const date = day - first + 1
    return (
      (fromStart & (1 << date)) !== 0 ||
      (fromEnd & (1 << (length - date + 1))) !== 0 ||
      (takesLast && date === length && latest > date)
    )
  }
}

const yearDayTest = (byYearDay: readonly number[]): DayTest => {
  const named = new Set(byYearDay)
  return (day, { newYear, yearLength }) =>
    named.has(day - newYear + 1) || named.has(day - newYear - yearLength)
}

const weekNumberTest = (byWeekNumber: readonly number[], weekStart: number): DayTest => {
  const named = new Set(byWeekNumber)
  return (day) => {
    const year = weekYearOf(day, weekStart)
    const first = firstWeekOf(year, weekStart)
    const weeks = (firstWeekOf(year + 1, weekStart) - first) / 7
    const index = Math.floor((day - first) / 7)
    return named.has(index + 1) || named.has(index - weeks)
  }
}

/** Days are counted within the year by FREQ=YEARLY without BYMONTH, and within the month otherwise. */
const weekdayTest = ({ frequency, byMonth, byWeekday = [] }: Rule): DayTest => {
  const every = maskOf(byWeekday.filter(({ nth }) => nth === 0).map(({ weekday }) => weekday))
  const numbered = byWeekday.filter(({ nth }) => nth !== 0)
  if (numbered.length === 0) return (day) => (every & (1 << weekdayOf(day))) !== 0
  const some = maskOf(numbered.map(({ weekday }) => weekday))
  const named = new Set(numbered.map(({ weekday, nth }) => nth * 7 + weekday))
  const inYear = frequency === 'YEARLY' && !byMonth
  return (day, { first, length, newYear, yearLength }) => {
    const weekday = weekdayOf(day)
    if ((every & (1 << weekday)) !== 0) return true
    if ((some & (1 << weekday)) === 0) return false
    const before = day - (inYear ? newYear : first)
    const after = (inYear ? yearLength : length) - 1 - before
    const fromStart = Math.floor(before / 7) + 1
    const fromEnd = -Math.floor(after / 7) - 1
    return named.has(fromStart * 7 + weekday) || named.has(fromEnd * 7 + weekday)
  }
}

const allOf = (tests: readonly DayTest[]): DayTest => {
  const [first, second] = tests
  if (!first) return () => true
  if (!second) return first
  return (day, month) => tests.every((test) => test(day, month))
}

/** What the parts about days ask when BYMONTH has named the months: all of them, and all but BYMONTHDAY. */
export const createDayTests = (rule: Rule): { isNamed: DayTest; isNamedOtherwise: DayTest } => {
  const { byMonthDay, byYearDay, byWeekNumber, byWeekday } = rule
  const others = [
    ...(byYearDay ? [yearDayTest(byYearDay)] : []),
    ...(byWeekNumber ? [weekNumberTest(byWeekNumber, rule.weekStart)] : []),
    ...(byWeekday ? [weekdayTest(rule)] : []),
  ]
  const dates = byMonthDay ? [monthDayTest(byMonthDay, rule.skip === 'BACKWARD')] : []
  return { isNamed: allOf([...dates, ...others]), isNamedOtherwise: allOf(others) }
}
