import { toFormatLocale } from '../../../platform/language.ts'
import type { EventFields } from '../event.ts'
import { invitationTexts } from './texts.ts'

type Series = Pick<EventFields, 'start' | 'timezone' | 'recurrence'>

const CODES = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']
const WORKDAYS = 'MO,TU,WE,TH,FR'
const KNOWN_PARTS = new Set(['FREQ', 'INTERVAL', 'BYDAY', 'BYMONTHDAY', 'COUNT', 'UNTIL', 'WKST'])
/** A Sunday. The days after it give the names of the weekdays. */
const SUNDAY = Date.UTC(2026, 0, 4)
const DAY_MS = 86_400_000

const readParts = (rule: string): Map<string, string> =>
  new Map(
    rule
      .replace(/^RRULE:/i, '')
      .toUpperCase()
      .split(';')
      .map((part): [string, string] => [part.split('=')[0] ?? '', part.split('=')[1] ?? '']),
  )

/** UNTIL is a day, or an instant in UTC. */
const readUntil = (text: string): Date | undefined => {
  const [, year, month, day, hour = '12', minute = '00', second = '00'] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)Z?)?$/.exec(text) ?? []
  if (year === undefined) return undefined
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(at.getTime()) ? undefined : at
}

const createNames = ({ start, timezone }: Series, locale: string) => {
  const format = (options: Intl.DateTimeFormatOptions, at = new Date(start), zone = timezone): string =>
    new Intl.DateTimeFormat(toFormatLocale(locale), { timeZone: zone, ...options }).format(at)
  return {
    weekday: (code: string): string =>
      format({ weekday: 'long' }, new Date(SUNDAY + CODES.indexOf(code) * DAY_MS), 'UTC'),
    ownWeekday: (): string => format({ weekday: 'long' }),
    dayOfMonth: (): number =>
      Number(new Intl.DateTimeFormat('en', { timeZone: timezone, day: 'numeric' }).format(new Date(start))),
    dayAndMonth: (): string => format({ day: 'numeric', month: 'long' }),
    /** A day without a time is the same in every zone. */
    date: (until: string, at: Date): string =>
      format({ dateStyle: 'medium' }, at, until.includes('T') ? timezone : 'UTC'),
    list: (words: readonly string[]): string => new Intl.ListFormat(toFormatLocale(locale)).format(words),
  }
}

const describePattern = (
  parts: ReadonlyMap<string, string>,
  series: Series,
  locale: string,
): string | undefined => {
  const t = invitationTexts(locale).recurrence
  const names = createNames(series, locale)
  const count = Number(parts.get('INTERVAL') ?? 1)
  const [byDay, byMonthDay] = [parts.get('BYDAY'), parts.get('BYMONTHDAY')]
  const hasDays = byDay !== undefined || byMonthDay !== undefined
  if (!Number.isInteger(count) || count < 1) return undefined
  switch (parts.get('FREQ')) {
    case 'DAILY':
      return hasDays ? undefined : t.daily(count)
    case 'WEEKLY': {
      if (byDay === WORKDAYS) return t.weekdays(count)
      const codes = byDay?.split(',') ?? []
      if (byMonthDay !== undefined || codes.some((code) => !CODES.includes(code))) return undefined
      return t.weekly(count, codes.length === 0 ? names.ownWeekday() : names.list(codes.map(names.weekday)))
    }
    case 'MONTHLY': {
      if (byDay === undefined)
        return /^(?:[1-9]|[12]\d|3[01])?$/.test(byMonthDay ?? '')
          ? t.monthlyOnDate(count, Number(byMonthDay ?? names.dayOfMonth()))
          : undefined
      const [, ordinal, code = ''] = /^(-1|[1-5])([A-Z]{2})$/.exec(byDay) ?? []
      if (byMonthDay !== undefined || ordinal === undefined || !CODES.includes(code)) return undefined
      return t.monthlyOnWeekday(count, Number(ordinal), names.weekday(code))
    }
    case 'YEARLY':
      return hasDays ? undefined : t.yearly(count, names.dayAndMonth())
    default:
      return undefined
  }
}

/** Describes a recurrence in words: "Every week on Tuesday, 8 times". Unusual rules get a general text. */
export const describeRecurrence = (series: Series, locale: string): string => {
  const t = invitationTexts(locale).recurrence
  const rule = series.recurrence ?? ''
  const parts = readParts(rule)
  const isKnown = !rule.includes('\n') && [...parts.keys()].every((name) => KNOWN_PARTS.has(name))
  const pattern = isKnown ? describePattern(parts, series, locale) : undefined
  if (pattern === undefined) return t.custom
  const times = parts.get('COUNT')
  if (times !== undefined) return /^\d{1,6}$/.test(times) ? t.times(pattern, Number(times)) : t.custom
  const until = parts.get('UNTIL')
  if (until === undefined) return pattern
  const last = readUntil(until)
  return last === undefined ? t.custom : t.until(pattern, createNames(series, locale).date(until, last))
}
