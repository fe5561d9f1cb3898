/** From the shortest to the longest. */
export const FREQUENCIES = ['SECONDLY', 'MINUTELY', 'HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const

export type Frequency = (typeof FREQUENCIES)[number]

/** Weekdays are numbers from Monday, as in ISO 8601 and as WKST has it when nothing is said. */
export const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const

/** `nth` counts within the month or year, from the end when negative; 0 is every one. */
export interface NumberedWeekday {
  weekday: number
  nth: number
}

/** `wall` is the time as it is written, in ms as if it were UTC; `utc` says that it really is. */
export interface Until {
  wall: number
  kind: 'date' | 'local' | 'utc'
}

/** A recurrence rule of RFC 5545 (3.3.10). The lists are sorted and name nothing twice. */
export interface Rule {
  frequency: Frequency
  interval: number
  weekStart: number
  count?: number
  until?: Until
  byMonth?: readonly number[]
  byWeekNumber?: readonly number[]
  byYearDay?: readonly number[]
  byMonthDay?: readonly number[]
  byWeekday?: readonly NumberedWeekday[]
  byHour?: readonly number[]
  byMinute?: readonly number[]
  bySecond?: readonly number[]
  byPosition?: readonly number[]
  /** RFC 7529: what becomes of a day that a month does not have. It is left out when nothing is said. */
  skip?: 'FORWARD' | 'BACKWARD'
}

/** Whether it recurs within the day, so that hours, minutes or seconds are what it steps over. */
export const isWithinDay = ({ frequency }: Rule): boolean =>
  frequency === 'HOURLY' || frequency === 'MINUTELY' || frequency === 'SECONDLY'
