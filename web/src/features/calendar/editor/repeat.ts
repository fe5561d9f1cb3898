import { Temporal } from 'temporal-polyfill'
import { type Day, dayOf } from '../days.ts'

export const UNITS = ['day', 'week', 'month', 'year'] as const
export type Unit = (typeof UNITS)[number]

/** RFC 5545 weekday codes, Monday first. */
export const CODES = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const
export type Code = (typeof CODES)[number]

export type Ending = { kind: 'never' } | { kind: 'on'; day: string } | { kind: 'after'; times: number }

/** A recurrence rule that the form can display. */
export interface Pattern {
  every: number
  unit: Unit
  /** Weekly rules: the weekdays. Empty means the weekday of the start. */
  days: readonly Code[]
  /** Monthly rules: the same date, the same weekday of the month, or the last such weekday. */
  monthly: 'date' | 'weekday' | 'last'
  ending: Ending
}

export type Repeat =
  | { kind: 'never' }
  | { kind: 'pattern'; pattern: Pattern }
  /** An RRULE that the form cannot display. */
  | { kind: 'rule'; text: string }

export const SIMPLE: Pattern = {
  every: 1,
  unit: 'week',
  days: [],
  monthly: 'date',
  ending: { kind: 'never' },
}

export const codeOf = (day: Day): Code => CODES[day.dayOfWeek - 1] ?? 'MO'

/** Ordinal of the weekday in its month: the third Monday is 3. */
export const ordinalOf = (day: Day): number => Math.ceil(day.day / 7)
export const isLastOfMonth = (day: Day): boolean => day.day + 7 > day.daysInMonth

const FREQUENCIES: Record<string, Unit> = { DAILY: 'day', WEEKLY: 'week', MONTHLY: 'month', YEARLY: 'year' }

interface Context {
  start: Day
  allDay: boolean
  timezone: string
}

/** UNTIL is a date, or a UTC time: the last second of the day in the event's time zone. */
const writeUntil = (day: string, { allDay, timezone }: Context): string => {
  if (allDay) return day.replaceAll('-', '')
  const last = dayOf(day).toZonedDateTime({ timeZone: timezone, plainTime: '23:59:59' })
  return `${new Date(last.epochMilliseconds).toISOString().replace(/[-:]|\.\d+/g, '')}`
}

const readUntil = (text: string, timezone: string): string | null => {
  const [, year, month, day, hour, minute, second, utc] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?$/.exec(text) ?? []
  if (year === undefined) return null
  if (hour === undefined || !utc) return `${year}-${month}-${day}`
  const instant = Temporal.Instant.from(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return instant.toZonedDateTimeISO(timezone).toPlainDate().toString()
}

export const writeRepeat = (repeat: Repeat, context: Context): string | null => {
  if (repeat.kind === 'never') return null
  if (repeat.kind === 'rule') return repeat.text.trim()
  const { every, unit, days, monthly, ending } = repeat.pattern
  const { start } = context
  const frequency = Object.keys(FREQUENCIES).find((name) => FREQUENCIES[name] === unit)
  const ordinal = monthly === 'last' ? -1 : ordinalOf(start)
  const parts = [
    `FREQ=${frequency}`,
    every > 1 && `INTERVAL=${every}`,
    unit === 'week' && `BYDAY=${(days.length > 0 ? days : [codeOf(start)]).join()}`,
    unit === 'month' && (monthly === 'date' ? `BYMONTHDAY=${start.day}` : `BYDAY=${ordinal}${codeOf(start)}`),
    ending.kind === 'after' && `COUNT=${ending.times}`,
    ending.kind === 'on' && `UNTIL=${writeUntil(ending.day, context)}`,
  ]
  return parts.filter(Boolean).join(';')
}

const readEnding = (
  count: string | undefined,
  until: string | undefined,
  timezone: string,
): Ending | null => {
  if (count !== undefined) return { kind: 'after', times: Number(count) }
  if (until === undefined) return { kind: 'never' }
  const day = readUntil(until, timezone)
  return day === null ? null : { kind: 'on', day }
}

const readDays = (text: string | undefined): Code[] | null => {
  const days = (text ?? '').split(',').filter(Boolean)
  return days.every((day): day is Code => (CODES as readonly string[]).includes(day)) ? days : null
}

const readMonthly = (
  byDay: string | undefined,
  byMonthDay: string | undefined,
  start: Day,
): Pattern['monthly'] | null => {
  if (byDay === undefined) return byMonthDay === undefined || byMonthDay === String(start.day) ? 'date' : null
  if (byMonthDay !== undefined) return null
  const [, ordinal, code] = /^(-?\d)([A-Z]{2})$/.exec(byDay) ?? []
  if (code !== codeOf(start)) return null
  if (ordinal === '-1' && isLastOfMonth(start)) return 'last'
  return ordinal === String(ordinalOf(start)) ? 'weekday' : null
}

const KNOWN = new Set(['FREQ', 'INTERVAL', 'BYDAY', 'BYMONTHDAY', 'COUNT', 'UNTIL'])

const readPattern = (text: string, { start, timezone }: Context): Pattern | null => {
  const parts = new Map(
    text
      .replace(/^RRULE:/i, '')
      .split(';')
      .map((part): [string, string] => [part.split('=')[0] ?? '', part.split('=')[1] ?? '']),
  )
  if ([...parts.keys()].some((name) => !KNOWN.has(name))) return null
  const unit = FREQUENCIES[parts.get('FREQ') ?? '']
  const every = Number(parts.get('INTERVAL') ?? 1)
  const ending = readEnding(parts.get('COUNT'), parts.get('UNTIL'), timezone)
  const [byDay, byMonthDay] = [parts.get('BYDAY'), parts.get('BYMONTHDAY')]
  if (!unit || !Number.isInteger(every) || !ending) return null
  const pattern = { ...SIMPLE, every, unit, ending }
  if (unit === 'week') {
    const days = readDays(byDay)
    if (!days || byMonthDay !== undefined) return null
    const isOwn = days.length === 1 && days[0] === codeOf(start)
    return { ...pattern, days: isOwn ? [] : days }
  }
  if (unit === 'month') {
    const monthly = readMonthly(byDay, byMonthDay, start)
    return monthly && { ...pattern, monthly }
  }
  return byDay === undefined && byMonthDay === undefined ? pattern : null
}

export const readRepeat = (recurrence: string | null, context: Context): Repeat => {
  if (recurrence === null) return { kind: 'never' }
  const pattern = recurrence.includes('\n') ? null : readPattern(recurrence, context)
  return pattern ? { kind: 'pattern', pattern } : { kind: 'rule', text: recurrence }
}

/**
 * Shifts the weekdays of a rule when a series moves: a Monday rule moved by one day becomes a Tuesday rule.
 */
export const moveRepeat = (recurrence: string | null, from: Context, to: Context): string | null => {
  const repeat = readRepeat(recurrence, from)
  const days = from.start.until(to.start).days
  if (repeat.kind !== 'pattern' || days === 0) return recurrence
  const moved = repeat.pattern.days.map((code) => CODES[(((CODES.indexOf(code) + days) % 7) + 7) % 7] ?? code)
  const monthly =
    repeat.pattern.monthly === 'last' && !isLastOfMonth(to.start) ? 'weekday' : repeat.pattern.monthly
  return writeRepeat({ kind: 'pattern', pattern: { ...repeat.pattern, days: moved, monthly } }, to)
}
