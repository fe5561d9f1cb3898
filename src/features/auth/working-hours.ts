import { WEEKDAYS, type Weekday } from '../../platform/time.ts'

/** A period of one weekday in which a person works, in local time. */
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
