import type { Hours } from '../../../ui/weekdays.ts'
import type { Day, DayWords, Moment } from '../days.ts'
import type { DisplayedEvent } from '../displayed-event.ts'
import type { Mover } from '../move-event.ts'
import type { UrlState } from '../url-state.ts'

/** Time range selected for a new event: hours of one day, or whole days. */
export type NewEventRange =
  | { allDay: false; day: Day; from: number | null; to: number | null }
  | { allDay: true; first: Day; last: Day }

/** Data and actions that all calendar views share. */
export interface ViewContext {
  days: readonly Day[]
  /** The selected day from the URL. */
  day: Day
  today: Day
  now: Moment
  displayedEvents: readonly DisplayedEvent[]
  words: DayWords
  time: (at: string | Date) => string
  hours: (start: string, end: string) => string
  /** Returns the accessible name of an event. */
  labelOf: (item: DisplayedEvent) => string
  timezone: string
  workingHours: readonly Hours[]
  mover: Mover
  open: (item: DisplayedEvent) => void
  remove: (item: DisplayedEvent) => void
  create: (range: NewEventRange) => void
  go: (change: Partial<UrlState>) => void
}

/** Key handlers of an event: the move keys, and Delete. */
export const keysOf = (viewContext: ViewContext, item: DisplayedEvent, hasHours: boolean) => ({
  onKey: (event: React.KeyboardEvent) => {
    if (event.key === 'Delete' && viewContext.mover.carried === null) {
      event.preventDefault()
      viewContext.remove(item)
    } else viewContext.mover.onKey(event, item, hasHours)
  },
  onBlur: () => viewContext.mover.onBlur(item),
})

/** Marks a day element for `findGridPosition` and for the new-event shortcut. */
export const dayMark = (day: Day) => ({ 'data-day': day.toString() })
