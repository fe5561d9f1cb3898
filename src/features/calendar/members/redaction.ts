import { isPrivate } from '../../../nlu/mail/facts.ts'
import type { Change, MemberChangeName } from '../../../platform/changes.ts'
import { forbidden } from '../../../platform/errors.ts'
import { fingerprint } from '../../../platform/fingerprint.ts'
import type { ShareRole } from '../../sharing/repository.ts'
import {
  BLANK,
  type Event,
  type EventRecord,
  eventColumns,
  type Reminder,
  type ResponseRow,
  type VersionedEvent,
} from '../event.ts'
import { readExtra } from '../ical/entry.ts'

/** The title of an event that says only when the time is taken. */
export const BUSY_TITLE = 'Busy'

/** RFC 5545 §3.8.1.3: treat a value that is not known like PRIVATE. */
const CLASS_LINE = /^CLASS(?:;(?:"[^"]*"|[^":])*)?:(?!\s*PUBLIC\s*$)/i

/** Whether only the owner may read an event: it has the tag `private`, or a calendar file says so. */
export const isPrivateEvent = (tags: readonly string[], extra: string | null): boolean =>
  isPrivate(tags) || (readExtra(extra).lines ?? []).some((line) => CLASS_LINE.test(line))

type PrivacyColumns = Pick<EventRecord, 'tags' | 'extra'>

/** A changed occurrence may lack the tag or class of its series, but is as private as the series. */
export const isPrivateRow = ({ tags, extra }: PrivacyColumns, series?: PrivacyColumns): boolean =>
  isPrivateEvent(JSON.parse(tags) as string[], extra) || (series !== undefined && isPrivateRow(series))

/** The visible content of a private event. Its times, status and recurrence say when the time is taken. */
const { status: _, recurrence: __, exdates: ___, rdates: ____, busy: _____, ...BLANK_CONTENT } = BLANK
const CONTENT = eventColumns.toRow({ ...BLANK_CONTENT, title: BUSY_TITLE }) as Pick<
  EventRecord,
  keyof typeof BLANK_CONTENT | 'title'
>

/**
 * Returns the row of an event as a member of the calendar may read it: a private one shows only when its time is
 * taken. Call it for every row that another account than the owner reads, with the series of a changed occurrence.
 */
export const toMemberRow = <R extends ResponseRow & PrivacyColumns>(row: R, series?: PrivacyColumns): R =>
  isPrivateRow(row, series)
    ? {
        ...row,
        ...CONTENT,
        uid: busyUid(row.seriesId ?? row.id),
        extra: null,
        changedBy: null,
        // These would tell when the owner plans.
        createdAt: row.start,
        updatedAt: row.start,
        version: 0,
        sequence: 0,
        revisedAt: null,
      }
    : row

/** The UID of the calendar could be that of an event of the member. */
const busyUid = (...parts: (string | number)[]): string => `busy-${parts.join('-')}@factotum`

/** The UID of one occurrence, for members who must not see that it recurs. */
export const busyOccurrenceUid = ({ id, start }: { id: number; start: string }): string => busyUid(id, start)

/** Rejects a change of an event that the member cannot read. */
export const requireReadable = (rows: readonly (PrivacyColumns | undefined)[]): void => {
  if (rows.some((row) => row && isPrivateRow(row)))
    throw forbidden('This event is private. Only the owner of the calendar can read and change it.')
}

/**
 * The reminders are each person's own, and mail is never shared. The version is that of the event; `extra` covers the
 * rest.
 */
export const toMemberEvent = <E extends Event>(event: E, reminders: readonly Reminder[] = []): E => ({
  ...event,
  reminders: [...reminders],
  emailId: null,
})

export const toVersionedMemberEvent = (
  event: VersionedEvent,
  reminders: readonly Reminder[] = [],
): VersionedEvent & { extra: string } => {
  const visible = toMemberEvent(event, reminders)
  return {
    ...visible,
    extra: fingerprint(visible).slice(0, 10),
  }
}

/** Shows only that the time is taken. */
const toBusyEvent = ({ id, start, end, allDay, timezone, status, busy, calendarId }: Event): Event => ({
  ...BLANK,
  id,
  recurringEventId: null,
  occurrenceStart: null,
  uid: busyOccurrenceUid({ id, start }),
  title: BUSY_TITLE,
  start,
  end,
  allDay,
  timezone,
  status,
  busy,
  calendarId,
  changedBy: null,
  mirrorOf: null,
  // The times of creation and change would tell when the owner plans.
  createdAt: start,
  updatedAt: start,
})

/** Returns an event of a shared calendar as the member of the share may see it. */
export const toSharedEvent = (event: Event, role: ShareRole, reminders?: readonly Reminder[]): Event =>
  role === 'freeBusy' ? toBusyEvent(event) : toMemberEvent(event, reminders)

type CalendarChange = Change<MemberChangeName<'calendar'>>

/**
 * Returns a change as a member receives it. The UID is left out, because calendar accounts of the member may have an
 * event with the same one. The source is left out, so that bookings notify only their owner.
 */
export const redactChange = (change: CalendarChange, role: ShareRole): CalendarChange => {
  if (change.type === 'event.calendars_updated') return change
  const { uid: _, source: __, bookingId, ...rest } = change.data
  const { id, calendarId } = rest
  if (role === 'freeBusy' || rest.private) return { ...change, data: { id, calendarId } }
  return { ...change, data: bookingId === undefined ? rest : { ...rest, bookingId: null } }
}
