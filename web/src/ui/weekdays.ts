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

export const nameOf = (day: Weekday): string => `${day.charAt(0).toUpperCase()}${day.slice(1)}`

/** The weekdays, starting with the user's first day of the week. */
export const weekFrom = (start: Weekday): Weekday[] => {
  const at = WEEKDAYS.indexOf(start)
  return [...WEEKDAYS.slice(at), ...WEEKDAYS.slice(0, at)]
}
