/**
 * Limits the work of one query on a series. The search for a rule that rarely or never matches ends when the
 * steps are used up. The rule then counts as ended. One step takes less than 0.2 µs on an ordinary machine.
 */
export interface Steps {
  left: number
}

/** Enough for 400 years of any realistic rule, and for 100,000 days of a rule that recurs within the day. */
const MAX_STEPS = 150_000

export const createSteps = (): Steps => ({ left: MAX_STEPS })

/** Returns false if no steps are left. */
export const spend = (steps: Steps, count: number): boolean => {
  steps.left -= count
  return steps.left > 0
}

/*
 * The Gregorian calendar in integers. A day is the number of days since 1970-01-01. A month is 1 to 12. A
 * weekday is 0 to 6, starting on Monday.
 */

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export const isLeapYear = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

export const monthLength = (year: number, month: number): number =>
  month === 2
    ? isLeapYear(year)
      ? 29
      : 28
    : month === 4 || month === 6 || month === 9 || month === 11
      ? 30
      : 31

/** Returns the non-negative remainder. */
export const modulo = (value: number, divisor: number): number => {
  const rest = value % divisor
  return rest < 0 ? rest + divisor : rest
}

const DAYS_BEFORE_MONTH = [0, 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]

export const newYearOf = (year: number): number => {
  const before = year - 1
  return 365 * before + Math.floor(before / 4) - Math.floor(before / 100) + Math.floor(before / 400) - 719_162
}

export const dayOf = (year: number, month: number, date: number): number =>
  newYearOf(year) + (DAYS_BEFORE_MONTH[month] as number) + (month > 2 && isLeapYear(year) ? 1 : 0) + date - 1

export const yearOf = (day: number): number => {
  const guess = 1970 + Math.floor(day / 365.2425)
  if (day < newYearOf(guess)) return guess - 1
  return day < newYearOf(guess + 1) ? guess : guess + 1
}

export interface CalendarDate {
  year: number
  month: number
  date: number
}

export const dateOf = (day: number): CalendarDate => {
  const year = yearOf(day)
  let date = day - newYearOf(year) + 1
  let month = 1
  for (let length = 31; date > length; length = monthLength(year, month)) {
    date -= length
    month++
  }
  return { year, month, date }
}

/** The first day and the length of a month and of its year. */
export interface Month {
  first: number
  length: number
  newYear: number
  yearLength: number
}

export const monthOf = (year: number, month: number): Month => ({
  first: dayOf(year, month, 1),
  length: monthLength(year, month),
  newYear: newYearOf(year),
  yearLength: isLeapYear(year) ? 366 : 365,
})

export const weekdayOf = (day: number): number => modulo(day + 3, 7)

/** Returns the first day of the week that contains `day`, for weeks that begin on `weekStart`. */
export const weekOf = (day: number, weekStart: number): number => day - modulo(weekdayOf(day) - weekStart, 7)

/** RFC 5545 (BYWEEKNO): week 1 is the first with at least four days in the year. It contains 4 January. */
export const firstWeekOf = (year: number, weekStart: number): number => weekOf(newYearOf(year) + 3, weekStart)

/** Returns the year to which the week of a day belongs. */
export const weekYearOf = (day: number, weekStart: number): number => {
  const year = yearOf(day)
  if (day < firstWeekOf(year, weekStart)) return year - 1
  return day < firstWeekOf(year + 1, weekStart) ? year : year + 1
}

/**
 * Classifies a year. Years of one kind have the same dates, weekdays and week numbers, also in the adjacent
 * weeks.
 */
export const kindOfYear = (year: number): number =>
  weekdayOf(newYearOf(year)) * 8 +
  (isLeapYear(year - 1) ? 4 : 0) +
  (isLeapYear(year) ? 2 : 0) +
  (isLeapYear(year + 1) ? 1 : 0)
