import { addMonths, dayOf, daysInMonth, isValidDate, mondayOf, weekdayOf, ymdOf } from './calendar.ts'
import type { DatePart, Days, Duration, Fields } from './values.ts'

/** The reader's current wall-clock time, as a day number and the seconds of that day. */
export interface Now {
  day: number
  seconds: number
}

const days = (from: number, to: number, grain: Days['grain']): Days => ({ is: 'days', from, to, grain })
const oneDay = (day: number): Days => days(day, day + 1, 'day')

/** Days in the past in which a date without a year still means this year, if its weekday matches. */
const RECENT_DAYS = 31

const monthAndDay = (fields: Fields, now: Now): Days | undefined => {
  const { m, d, dow, toward } = fields as Required<Fields>
  const { y } = ymdOf(now.day)
  const inYear = (year: number): number | undefined =>
    isValidDate(year, m, d) ? dayOf(year, m, d) : undefined
  const candidates = (years: number[]): number[] => years.map(inYear).filter((day) => day !== undefined)
  if (toward === 0) {
    const [day] = candidates([y])
    return day === undefined ? undefined : oneDay(day)
  }
  if (toward === -1) {
    const past = candidates([y, y - 1, y - 2, y - 3, y - 4]).find((day) => day < now.day)
    return past === undefined ? undefined : oneDay(past)
  }
  const ahead = candidates([y, y + 1, y + 2, y + 3, y + 4, y + 8]).filter((day) =>
    toward === 1 ? day > now.day : day >= now.day,
  )
  if (dow !== undefined) {
    const matching = (day: number): boolean => weekdayOf(day) === dow
    const recent = candidates([y, y - 1]).find((day) => day < now.day && now.day - day <= RECENT_DAYS)
    if (recent !== undefined && matching(recent)) return oneDay(recent)
    const right = ahead.slice(0, 2).find(matching)
    // For a near date the weekday is probably wrong. For a distant date it determines the year.
    const soon = ahead[0] !== undefined && ahead[0] - now.day <= 62
    if (right !== undefined && !soon) return oneDay(right)
  }
  return ahead[0] === undefined ? undefined : oneDay(ahead[0])
}

const dayOfMonth = (fields: Fields, now: Now): Days | undefined => {
  const { y, m, d: today } = ymdOf(now.day)
  const d = fields.d as number
  const months = Array.from({ length: 25 }, (_, index) => index + (fields.toward === 1 ? 1 : 0))
  const found = months
    .map((ahead) => ({
      year: y + Math.floor((m - 1 + ahead) / 12),
      month: ((m - 1 + ahead) % 12) + 1,
      ahead,
    }))
    .filter(({ year, month, ahead }) => d <= daysInMonth(year, month) && (ahead > 0 || d >= today))
    .map(({ year, month }) => dayOf(year, month, d))
  const right = fields.dow === undefined ? undefined : found.find((day) => weekdayOf(day) === fields.dow)
  const day = right ?? found[0]
  return day === undefined ? undefined : oneDay(day)
}

const weekday = (dow: number, toward: number | undefined, now: Now): number => {
  const monday = mondayOf(now.day)
  if (toward === 1) return monday + 7 + dow - 1
  if (toward === -1) return monday - 7 + dow - 1
  const ahead = (dow - weekdayOf(now.day) + 7) % 7
  return now.day + (ahead === 0 && toward === undefined ? 7 : ahead)
}

/** Resolves a date part to days. Returns undefined for an impossible date such as 30 February. */
export const daysOf = (part: DatePart, now: Now): Days | undefined => {
  if (part.is === 'days') return part
  const { y, m, d, dow, toward } = part
  if (y !== undefined && m !== undefined && d !== undefined) {
    if (isValidDate(y, m, d)) return oneDay(dayOf(y, m, d))
    return part.digits && isValidDate(y, d, m) ? oneDay(dayOf(y, d, m)) : undefined
  }
  if (m !== undefined && d !== undefined) return monthAndDay(part, now)
  if (d !== undefined) return dayOfMonth(part, now)
  if (dow !== undefined) return oneDay(weekday(dow, toward, now))
  if (m !== undefined) {
    const today = ymdOf(now.day)
    const year =
      y ??
      (toward === 0
        ? today.y
        : toward === -1
          ? today.y - (m >= today.m ? 1 : 0)
          : today.y + (m < today.m || (toward === 1 && m === today.m) ? 1 : 0))
    return days(dayOf(year, m, 1), dayOf(year, m + 1, 1), 'month')
  }
  if (y !== undefined) return days(dayOf(y, 1, 1), dayOf(y + 1, 1, 1), 'year')
  return undefined
}

const isBare = (fields: Fields, ...keys: (keyof Fields)[]): boolean =>
  (['y', 'm', 'd', 'dow'] as const).every((key) => keys.includes(key) === (fields[key] !== undefined))

const mergeWithFields = (known: Days, fields: Fields): Days | undefined => {
  if (known.grain === 'week' && isBare(fields, 'dow')) return oneDay(known.from + (fields.dow as number) - 1)
  if (known.grain !== 'day' || known.to - known.from !== 1) return undefined
  const { y, m, d } = ymdOf(known.from)
  const same =
    (fields.y ?? y) === y &&
    (fields.m ?? m) === m &&
    (fields.d ?? d) === d &&
    (fields.dow ?? weekdayOf(known.from)) === weekdayOf(known.from)
  return same ? known : undefined
}

/** Merges two adjacent dates such as "Friday" and "the 13th". Returns undefined if they contradict. */
export const mergeDates = (a: DatePart, b: DatePart): DatePart | undefined => {
  if (a.is === 'days') return b.is === 'days' ? undefined : mergeWithFields(a, b)
  if (b.is === 'days') return mergeWithFields(b, a)
  const merged: Fields = { ...a, ...b }
  for (const key of ['y', 'm', 'd', 'dow'] as const)
    if (a[key] !== undefined && b[key] !== undefined) return undefined
  if (a.toward !== undefined && b.toward !== undefined && a.toward !== b.toward) return undefined
  // In "next Friday, 9 June" the date overrides "next".
  if (a.dow !== undefined && b.m !== undefined && b.toward === undefined) delete merged.toward
  if (b.dow !== undefined && a.m !== undefined && a.toward === undefined) delete merged.toward
  if (merged.d !== undefined && merged.m === undefined && merged.y !== undefined) return undefined
  if (merged.dow !== undefined && merged.d === undefined) return undefined
  return merged
}

/**
 * Adds the months and days of a duration, or subtracts them if `sign` is -1. The caller handles the seconds.
 */
export const shiftDay = (day: number, { months, days: plus }: Duration, sign: 1 | -1): number =>
  addMonths(day, Math.trunc(months) * sign) + plus * sign
