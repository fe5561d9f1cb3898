import { language } from '#locale/language'
import * as t from '#locale/tasks'
import { formatList } from '../../locales/format.ts'

/** Common recurrence rules with their labels. */
export const REPEATS: readonly (readonly [rule: string, text: string])[] = [
  ['FREQ=DAILY', t.every({ unit: 'day', interval: 1 })],
  ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', t.everyWeekday],
  ['FREQ=WEEKLY', t.every({ unit: 'week', interval: 1 })],
  ['FREQ=WEEKLY;INTERVAL=2', t.every({ unit: 'week', interval: 2 })],
  ['FREQ=MONTHLY', t.every({ unit: 'month', interval: 1 })],
  ['FREQ=YEARLY', t.every({ unit: 'year', interval: 1 })],
]

type Unit = Parameters<typeof t.every>[0]['unit']

const UNITS: Readonly<Record<string, Unit>> = {
  DAILY: 'day',
  WEEKLY: 'week',
  MONTHLY: 'month',
  YEARLY: 'year',
}
const WEEKDAY_CODES = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const DESCRIBED_PARTS = new Set([
  'FREQ',
  'INTERVAL',
  'BYDAY',
  'BYMONTHDAY',
  'BYMONTH',
  'COUNT',
  'UNTIL',
  'WKST',
])

const monthName = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' })
const weekdayName = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' })

/** Formats the list, or returns null if any part is unknown. */
const formatParts = (text: string, format: (part: string) => string | undefined): string | null => {
  const texts = text.split(',').map(format)
  return texts.every((part) => part !== undefined) ? formatList(texts) : null
}

const formatMonth = (text: string): string | undefined =>
  /^([1-9]|1[0-2])$/.test(text) ? monthName.format(Date.UTC(2000, Number(text) - 1)) : undefined

const formatDate = (text: string): string | undefined => {
  if (text === '-1') return t.lastDay
  return /^[1-9]\d?$/.test(text) ? t.dayOfMonth(Number(text)) : undefined
}

/** Formats "first Monday", or the weekday alone without a position. 1 January 2024 was a Monday. */
const formatWeekday = (text: string): string | undefined => {
  const [, position = '', code = ''] = /^(-?\d)?([A-Z]{2})$/.exec(text) ?? []
  const index = WEEKDAY_CODES.indexOf(code)
  if (index < 0) return undefined
  const weekday = weekdayName.format(Date.UTC(2024, 0, 1 + index))
  return position === '' ? weekday : t.weekdayOfMonth({ position: Number(position), weekday })
}

type Parts = ReadonlyMap<string, string>

/** Describes the days of a rule. Returns null for a combination that no message covers. */
const describeDays = (unit: Unit, interval: number, parts: Parts): string | null => {
  const [byDay, byDate, byMonth] = ['BYDAY', 'BYMONTHDAY', 'BYMONTH'].map((name) => parts.get(name))
  const months = byMonth === undefined ? '' : formatParts(byMonth, formatMonth)
  if (months === null || (byDay !== undefined && byDate !== undefined)) return null
  if (byDate === undefined && byDay === undefined)
    return months === '' ? t.every({ unit, interval }) : t.everyInMonths({ unit, interval, months })
  if (unit === 'week' && byDay !== undefined && /^[A-Z,]+$/.test(byDay)) {
    const days = formatParts(byDay, formatWeekday)
    return days && t.everyWeekOn({ interval, days })
  }
  if (byDay !== undefined && !/^(-?\d[A-Z]{2},?)+$/.test(byDay)) return null
  const days =
    byDate === undefined ? formatParts(byDay ?? '', formatWeekday) : formatParts(byDate, formatDate)
  if (days === null) return null
  if (unit === 'month')
    return months === '' ? t.everyMonthOn({ interval, days }) : t.everyMonthOnOf({ interval, days, months })
  return unit === 'year' && months !== '' ? t.everyYearOn({ interval, days, months }) : null
}

/** Adds the end of the rule to its description. */
const describeEnd = (rule: string, parts: Parts, formatDay: (day: string) => string): string => {
  const [count, until] = [parts.get('COUNT'), parts.get('UNTIL')]
  if (count !== undefined) return t.repeatsTimes({ rule, count: Number(count) })
  const day = until?.replace(/^(\d{4})(\d\d)(\d\d).*$/, '$1-$2-$3') ?? ''
  return Number.isNaN(Date.parse(day)) ? rule : t.repeatsUntil({ rule, date: formatDay(day) })
}

const describeParts = (rule: string, formatDay: (day: string) => string): string | null => {
  const parts = new Map(rule.split(';').map((part) => part.split('=', 2) as [string, string]))
  const unit = UNITS[parts.get('FREQ') ?? '']
  if (unit === undefined || [...parts.keys()].some((name) => !DESCRIBED_PARTS.has(name))) return null
  const days = describeDays(unit, Number(parts.get('INTERVAL') ?? 1), parts)
  return days && describeEnd(days, parts, formatDay)
}

/** Falls back to the raw rule if it cannot be described. `formatDay` formats a YYYY-MM-DD day. */
export const describeRecurrence = (rule: string, formatDay: (day: string) => string): string =>
  REPEATS.find(([known]) => known === rule)?.[1] ?? describeParts(rule, formatDay) ?? t.customRule(rule)
