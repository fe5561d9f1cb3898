import type { Hours } from '../../../ui/weekdays.ts'
import type { Day, DayWords, Moment } from '../days.ts'
import type { Mover } from '../moving.ts'
import type { Place } from '../place.ts'
import type { Shown } from '../shown.ts'

/** What is to be made, as it was pointed at: hours of a day, or whole days. */
export type Pointed =
  | { allDay: false; day: Day; from: number | null; to: number | null }
  | { allDay: true; first: Day; last: Day }

/** What every view of the calendar draws, and what it can ask for. */
export interface Desk {
  days: readonly Day[]
  /** The day that the address speaks of. */
  day: Day
  today: Day
  now: Moment
  shown: readonly Shown[]
  words: DayWords
  time: (at: string | Date) => string
  hours: (start: string, end: string) => string
  /** What an event is called when it is heard. */
  labelOf: (shown: Shown) => string
  timezone: string
  workingHours: readonly Hours[]
  mover: Mover
  open: (shown: Shown) => void
  remove: (shown: Shown) => void
  create: (pointed: Pointed) => void
  go: (change: Partial<Place>) => void
}

/** Keys on an event: those that carry it, and Delete. */
export const keysOf = (desk: Desk, shown: Shown, hasHours: boolean) => ({
  onKey: (event: React.KeyboardEvent) => {
    if (event.key === 'Delete' && desk.mover.carried === null) {
      event.preventDefault()
      desk.remove(shown)
    } else desk.mover.onKey(event, shown, hasHours)
  },
  onBlur: () => desk.mover.onBlur(shown),
})

/** Marks a day for what looks for the one that has the focus: see spotAt, and the key for a new event. */
export const dayMark = (day: Day) => ({ 'data-day': day.toString() })
