import { createHash } from 'node:crypto'
import type { AcceptedShare, ShareRole } from '../../sharing/repository.ts'
import { BLANK, type Event, type Reminder, type VersionedEvent } from '../event.ts'

/**
 * The reminders are each person's own, and mail is never shared. The version is that of the event; `extra` covers the
 * reminders.
 */
export const toMemberEvent = <E extends Event>(event: E, reminders: readonly Reminder[] = []): E => ({
  ...event,
  reminders: [...reminders],
  emailId: null,
})

export const toVersionedMemberEvent = (
  event: VersionedEvent,
  reminders: readonly Reminder[] = [],
): VersionedEvent & { extra: string } => ({
  ...toMemberEvent(event, reminders),
  extra: createHash('sha256').update(JSON.stringify(reminders)).digest('base64url').slice(0, 8),
})

/** Shows only that the time is taken. */
export const toBusyEvent = ({
  id,
  start,
  end,
  allDay,
  timezone,
  status,
  busy,
  calendarId,
}: Event): Event => ({
  ...BLANK,
  id,
  recurringEventId: null,
  occurrenceStart: null,
  uid: '',
  title: 'Busy',
  start,
  end,
  allDay,
  timezone,
  status,
  busy,
  calendarId,
  changedBy: null,
  // The times of creation and change would tell when the owner plans.
  createdAt: start,
  updatedAt: start,
})

/** Returns an event of a shared calendar as the member of the share may see it. */
export const toSharedEvent = (
  event: Event,
  { role }: Pick<AcceptedShare, 'role'>,
  reminders?: readonly Reminder[],
): Event => (role === 'freeBusy' ? toBusyEvent(event) : toMemberEvent(event, reminders))

/**
 * Returns the data of a change for a member. The UID is left out, because calendar accounts of the member may have an
 * event with the same one. The source is left out, so that bookings notify only their owner.
 */
export const redactChange = (
  data: Readonly<Record<string, unknown>>,
  role: ShareRole,
): Readonly<Record<string, unknown>> => {
  const { uid: _, source: __, bookingId, ...rest } = data
  if (role !== 'freeBusy') return bookingId === undefined ? rest : { ...rest, bookingId: null }
  const { id, calendarId } = rest
  return id === undefined ? { calendarId } : { id, calendarId }
}
