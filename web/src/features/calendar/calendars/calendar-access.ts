import * as t from '#locale/calendars'
import type { Calendar } from '../../../api/calendars.ts'
import type { DisplayedEvent } from '../displayed-event.ts'

/** An event of an unknown calendar counts as writable: the service decides when it is saved. */
export const isEditable = ({ calendar, isBusyTime, event }: DisplayedEvent): boolean =>
  calendar?.readOnly !== true && !isBusyTime && event.mirrorOf === null

/** The provider sets the time of a booking: the next sync would undo a move. */
export const isMovable = (item: DisplayedEvent): boolean =>
  isEditable(item) && item.event.source !== 'bookingsvc'

/** Viewers cannot edit an event, but they can set reminders for themselves. */
export const hasOwnReminders = ({ calendar, isBusyTime, event }: DisplayedEvent): boolean =>
  calendar?.role === 'viewer' && !isBusyTime && event.mirrorOf === null

export const findDefaultCalendar = (calendars: readonly Calendar[]): Calendar | null =>
  calendars.find(({ isDefault, owner }) => isDefault && owner === null) ?? null

export const listWritable = (calendars: readonly Calendar[]): Calendar[] =>
  calendars.filter(({ readOnly }) => !readOnly)

/** Calendars that an event of `calendar` can move to. An event cannot move to another owner. */
export const listMoveTargets = (calendars: readonly Calendar[], calendar: Calendar | null): Calendar[] =>
  calendar === null
    ? []
    : listWritable(calendars).filter(({ owner }) => owner?.email === calendar.owner?.email)

/** Whether other people see the events of the calendar. */
export const isSharedCalendar = ({ shared, owner }: Calendar): boolean => shared || owner !== null

/** The name of a calendar, with its owner if it belongs to somebody else. */
export const nameCalendar = ({ name, owner }: Calendar): string =>
  owner === null ? name : t.calendarOf({ calendarName: name, owner: owner.name })

/** Replaces a calendar that is no longer offered, for example in input that was saved earlier. */
export const withOfferedCalendar = <T extends { calendarId: number | null }>(
  draft: T,
  offered: readonly Calendar[],
): T => {
  if (offered.length === 0 || offered.some(({ id }) => id === draft.calendarId)) return draft
  return { ...draft, calendarId: (findDefaultCalendar(offered) ?? offered[0])?.id ?? null }
}
