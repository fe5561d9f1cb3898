import { toFormatLocale } from '../../../platform/language.ts'
import { type Rule, readRule, type Until } from '../../../recurrence/rule.ts'
import type { EventFields } from '../event.ts'
import { invitationTexts } from './texts.ts'

type Series = Pick<EventFields, 'start' | 'timezone' | 'recurrence'>

/** Rules with other parts get a general text. */
const DESCRIBED: readonly string[] = [
  'frequency',
  'interval',
  'weekStart',
  'count',
  'until',
  'byWeekday',
  'byMonthDay',
] satisfies (keyof Rule)[]
const WORKDAYS = '0,1,2,3,4'
/** The days after it give the names of the weekdays. */
const MONDAY = Date.UTC(2026, 0, 5)
const DAY_MS = 86_400_000

const createNames = ({ start, timezone }: Series, locale: string) => {
  const format = (options: Intl.DateTimeFormatOptions, at = new Date(start), zone = timezone): string =>
    new Intl.DateTimeFormat(toFormatLocale(locale), { timeZone: zone, ...options }).format(at)
  return {
    weekday: (weekday: number): string =>
      format({ weekday: 'long' }, new Date(MONDAY + weekday * DAY_MS), 'UTC'),
    ownWeekday: (): string => format({ weekday: 'long' }),
    dayOfMonth: (): number =>
      Number(new Intl.DateTimeFormat('en', { timeZone: timezone, day: 'numeric' }).format(new Date(start))),
    dayAndMonth: (): string => format({ day: 'numeric', month: 'long' }),
    /** A day without a time is the same in every zone. */
    date: ({ wall, kind }: Until): string =>
      format({ dateStyle: 'medium' }, new Date(wall), kind === 'utc' ? timezone : 'UTC'),
    list: (words: readonly string[]): string => new Intl.ListFormat(toFormatLocale(locale)).format(words),
  }
}

type Names = ReturnType<typeof createNames>

const describePattern = (rule: Rule, names: Names, locale: string): string | undefined => {
  const t = invitationTexts(locale).recurrence
  const { frequency, interval, byWeekday, byMonthDay } = rule
  const hasDays = byWeekday !== undefined || byMonthDay !== undefined
  switch (frequency) {
    case 'DAILY':
      return hasDays ? undefined : t.daily(interval)
    case 'WEEKLY': {
      const weekdays = byWeekday?.map(({ weekday }) => weekday) ?? []
      if (byMonthDay) return undefined
      if (weekdays.join() === WORKDAYS) return t.weekdays(interval)
      const days = weekdays.length === 0 ? names.ownWeekday() : names.list(weekdays.map(names.weekday))
      return t.weekly(interval, days)
    }
    case 'MONTHLY': {
      if (!byWeekday) {
        const [day = names.dayOfMonth(), ...others] = byMonthDay ?? []
        return day < 1 || others.length > 0 ? undefined : t.monthlyOnDate(interval, day)
      }
      const [day, ...others] = byWeekday
      if (!day || others.length > 0 || byMonthDay || day.nth === 0 || day.nth < -1) return undefined
      return t.monthlyOnWeekday(interval, day.nth, names.weekday(day.weekday))
    }
    case 'YEARLY':
      return hasDays ? undefined : t.yearly(interval, names.dayAndMonth())
    default:
      return undefined
  }
}

/** Describes a recurrence in words: "Every week on Tuesday, 8 times". Unusual rules get a general text. */
export const describeRecurrence = (series: Series, locale: string): string => {
  const t = invitationTexts(locale).recurrence
  const read = readRule(series.recurrence ?? '')
  if ('fault' in read || !Object.keys(read.rule).every((part) => DESCRIBED.includes(part))) return t.custom
  const { count, until } = read.rule
  const names = createNames(series, locale)
  const pattern = describePattern(read.rule, names, locale)
  if (pattern === undefined) return t.custom
  if (count !== undefined) return t.times(pattern, count)
  return until ? t.until(pattern, names.date(until)) : pattern
}
