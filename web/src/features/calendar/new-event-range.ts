import type { Day } from './days.ts'

/** Time range selected for a new event: minutes of one day, or whole days. */
export type NewEventRange =
  | { allDay: false; day: Day; from: number; to: number }
  | { allDay: true; first: Day; last: Day }

/** Minutes of a new event when only the day is known: 9 to 10. */
export const DEFAULT_HOURS = { from: 9 * 60, to: 10 * 60 } as const
