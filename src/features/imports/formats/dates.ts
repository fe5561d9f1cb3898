import { readRule } from '../../../recurrence/rule.ts'
import { toInstant } from '../../../recurrence/time-zones.ts'

const pad = (number: number | string): string => String(number).padStart(2, '0')

const toDay = (year: number, month: number, day: number): string | null => {
  const date = new Date(Date.UTC(year, month - 1, day))
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= 1900 && year < 9990
  return isReal ? `${String(year).padStart(4, '0')}-${pad(month)}-${pad(day)}` : null
}

const fullYear = (year: string): number => (year.length <= 2 ? 2000 + Number(year) : Number(year))

const SLASHED = /^(\d{1,2})\/(\d{1,2})\/(\d{2,4})/

const readSlashed = (text: string, isDayFirst: boolean): string | null => {
  const match = SLASHED.exec(text)
  if (!match) return null
  const [first, second, year] = [Number(match[1]), Number(match[2]), fullYear(match[3] as string)]
  return isDayFirst ? toDay(year, second, first) : toDay(year, first, second)
}

/** Whether dates with slashes have the day first: more of them are dates in this order. An impossible date decides nothing. */
export const hasDayFirst = (dates: readonly string[]): boolean => {
  const count = (isDayFirst: boolean): number =>
    dates.filter((date) => readSlashed(date, isDayFirst) !== null).length
  return count(true) > count(false)
}

/** Reads `2026-01-31`, `31.01.2026`, `1/31/2026` or `31/1/2026`. A date that exists in one order only is read in that one. */
export const readDay = (text: string, isDayFirst: boolean): string | null => {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})/.exec(text)
  if (iso) return toDay(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  const german = /^(\d{1,2})\.(\d{1,2})\.(\d{2,4})/.exec(text)
  if (german) return toDay(fullYear(german[3] as string), Number(german[2]), Number(german[1]))
  return readSlashed(text, isDayFirst) ?? readSlashed(text, !isDayFirst)
}

/** Reads `09:00`, `9:00:00` or `9:00:00 PM` as seconds of the day. */
export const readTime = (text: string): number | null => {
  const match = /^(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?\s*(am|pm|vorm\.?|nachm\.?)?/i.exec(text.trim())
  if (!match) return null
  const half = match[4]?.toLowerCase()
  const hour = half === undefined ? Number(match[1]) : (Number(match[1]) % 12) + (/^[pn]/.test(half) ? 12 : 0)
  const [minute, second] = [Number(match[2]), Number(match[3] ?? 0)]
  return hour < 24 && minute < 60 && second < 60 ? hour * 3600 + minute * 60 + second : null
}

/** The instant of a wall-clock time in a zone. */
export const toInstantIn = (day: string, seconds: number, timezone: string): string =>
  new Date(toInstant(Date.parse(`${day}T00:00:00Z`) + seconds * 1000, timezone)).toISOString()

/** The day of an instant in a zone. */
export const toDayIn = (instant: string, timezone: string): string =>
  new Intl.DateTimeFormat('en-CA', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(new Date(instant))

/** Reads a timestamp such as `2026-01-31T09:00:00+0000`. Null for the zero value of Go and for anything else. */
export const readTimestamp = (text: string | null | undefined): string | null => {
  if (!text || text.startsWith('0001-')) return null
  const at = Date.parse(text.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'))
  return Number.isNaN(at) || at < Date.UTC(1900, 0, 1) || at > Date.UTC(9990, 0, 1)
    ? null
    : new Date(at).toISOString()
}

/** A recurrence rule, if Factotum can expand it. */
export const toRecurrence = (text: string): string | null => {
  const rule = text
    .split(/[\r\n]+/)
    .map((line) => line.trim().replace(/^RRULE:/i, ''))
    .find((line) => /^(?:[A-Z-]+=[^;]+;)*FREQ=/i.test(line))
    ?.replace(/;(?:TT_|X-)[^;]*/gi, '')
  return rule === undefined || 'fault' in readRule(rule) ? null : rule
}
