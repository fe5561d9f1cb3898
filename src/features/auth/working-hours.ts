export const WEEKDAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const
export type Weekday = (typeof WEEKDAYS)[number]

/** A stretch of a day in which a person works, by the clock on their wall. */
export interface WorkingHours {
  day: Weekday
  start: string
  end: string
}

export const DEFAULT_WORKING_HOURS: readonly WorkingHours[] = WEEKDAYS.slice(0, 5).map((day) => ({
  day,
  start: '09:00',
  end: '17:00',
}))
