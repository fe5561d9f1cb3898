import { language } from '#locale/language'
import type { Shape } from '../api/client.ts'

export type Hours = Shape<'WorkingHours'>
export type Weekday = Hours['day']

export const WEEKDAYS: readonly Weekday[] = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
]

const names = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' })

/** The name in the language of the console. 1 January 2024 was a Monday. */
export const nameOf = (day: Weekday): string => names.format(Date.UTC(2024, 0, 1 + WEEKDAYS.indexOf(day)))

/** The weekdays, starting with the user's first day of the week. */
export const weekFrom = (start: Weekday): Weekday[] => {
  const at = WEEKDAYS.indexOf(start)
  return [...WEEKDAYS.slice(at), ...WEEKDAYS.slice(0, at)]
}
