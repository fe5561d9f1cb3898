import type { Hours, Weekday } from '../../../ui/weekdays.ts'
import type { UrlState } from '../address.ts'
import type { CalendarOptions } from '../calendar-options.ts'
import { isEditable, isMovable } from '../calendars/calendar-access.ts'
import type { Day, DayWords, Moment } from '../days.ts'
import type { DisplayedEvent } from '../displayed-event.ts'
import type { Grip, Mover } from '../move-event.ts'
import type { NewEventRange } from '../new-event-range.ts'
import type { CalendarTask } from '../tasks/use-calendar-tasks.ts'
import type { TaskDrag } from '../tasks/use-task-drag.ts'

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
  weekStart: Weekday
  options: CalendarOptions
  /** Open tasks by due day, as YYYY-MM-DD. */
  tasksByDay: ReadonlyMap<string, readonly CalendarTask[]>
  completeTask: (task: CalendarTask) => void
  taskDrag: TaskDrag
  mover: Mover
  /** An invitation that the user has not answered. */
  isUnanswered: (item: DisplayedEvent) => boolean
  /** Whether the event has ended. */
  isPast: (item: DisplayedEvent) => boolean
  /** The selected time while an event is created. */
  newRange: NewEventRange | null
  /** Shows the details beside an element. */
  open: (item: DisplayedEvent, element: HTMLElement) => void
  remove: (item: DisplayedEvent) => void
  create: (range: NewEventRange) => void
  /** Starts a new event for a click on an empty place, unless that click only closed a popover. */
  createOnClick: (range: NewEventRange) => void
  /** Scrolls the month view on by weeks. */
  scrollWeeks: (change: number) => void
  go: (change: Partial<UrlState>) => void
}

const DELETE_KEYS: readonly string[] = ['Delete', 'Backspace']

interface KeyHandlers {
  onKey: (event: React.KeyboardEvent) => void
  onKeyUp: (event: React.KeyboardEvent) => void
  onBlur: () => void
}

/** Key handlers of an event: the move keys, and Delete. None if the event is read-only. */
export const keysOf = (
  viewContext: ViewContext,
  item: DisplayedEvent,
  hasHours: boolean,
): Partial<KeyHandlers> =>
  isEditable(item)
    ? {
        onKey: (event) => {
          if (DELETE_KEYS.includes(event.key) && viewContext.mover.carried === null) {
            event.preventDefault()
            viewContext.remove(item)
          } else if (isMovable(item)) viewContext.mover.onKey(event, item, hasHours)
        },
        onKeyUp: (event) => viewContext.mover.onKeyUp(event, item),
        onBlur: () => viewContext.mover.onBlur(item),
      }
    : {}

interface PressHandlers {
  onPress: (down: React.PointerEvent) => void
  onStretchStart?: (down: React.PointerEvent) => void
  onStretch?: (down: React.PointerEvent) => void
}

interface DragOptions {
  /** The start or the end of the event is displayed and can be dragged. */
  hasStart: boolean
  hasEnd: boolean
  getScroller?: () => HTMLElement | null
  /** The left and right edges lead to other days. */
  canTurn?: boolean
}

/** Drag handlers of an event. Events whose time cannot be changed here can still be copied. */
export const dragOf = (
  { mover }: ViewContext,
  item: DisplayedEvent,
  { hasStart, hasEnd, getScroller = () => null, canTurn = false }: DragOptions,
): Partial<PressHandlers> => {
  if (item.isBusyTime) return {}
  const press = (grip: Grip) => (down: React.PointerEvent) =>
    mover.press(down, item, { grip, scroller: getScroller(), canTurn })
  const canStretch = isMovable(item)
  return {
    onPress: press('whole'),
    ...(canStretch && hasStart && { onStretchStart: press('start') }),
    ...(canStretch && hasEnd && { onStretch: press('end') }),
  }
}

/** Marks the place of a new event, beside which the quick-create popover opens. */
export const newEventMark = (isNew: boolean) => (isNew ? { 'data-new-event': '' } : {})

/** Marks a day element for `findGridPosition` and for the new-event shortcut. */
export const dayMark = (day: Day) => ({ 'data-day': day.toString() })
