import type { BookedEvent, BookedEvents, BookedFields } from '../bookings/booked-events.ts'
import { type EventFields, type EventRecord, fieldsOf } from './event.ts'
import { countBookings, findAny, listBooked, listByBooking, listByIds, lockEvents } from './event-store.ts'
import type { Saving } from './saving.ts'
import { isWithinReach } from './times.ts'

const freshFields = (uid: string, fields: BookedFields): EventFields => ({
  ...fields,
  uid,
  allDay: false,
  source: 'bookingsvc',
  reminders: [],
  notes: '',
  tags: [],
  recurrence: null,
  exdates: [],
  rdates: [],
  busy: true,
  emailId: null,
})

const bookedOf = (row: EventRecord): BookedEvent => {
  const { title, description, location, meetingUrl, start, end, timezone, status, organizer, attendees } =
    fieldsOf(row)
  const when = { start, end, timezone }
  const fields = { title, description, location, meetingUrl, ...when, status, organizer, attendees }
  return { id: row.id, version: row.version, bookingId: row.bookingId, fields }
}

/** A booking has one time: an event that was made a series or a whole day by hand is neither any more. */
const withBooking = (before: EventFields, { attendees, ...fields }: BookedFields): EventFields => ({
  ...before,
  ...fields,
  attendees: [...attendees],
  source: 'bookingsvc',
  allDay: false,
  recurrence: null,
  exdates: [],
  rdates: [],
})

/** The calendar as bookings see it: their events are written by the same rules as all others. */
export const createBookedEvents = ({ saving }: { saving: Saving }): BookedEvents => ({
  refuse: ({ start, end }) =>
    isWithinReach(start) && isWithinReach(end) ? undefined : 'Its time lies outside the years 1000 to 9990.',

  find: listByBooking,

  async lock(tx, ids) {
    await lockEvents(tx, ids)
    return (await listByIds(tx, ids)).map(bookedOf)
  },

  async insert(tx, many) {
    const made = await saving.insertAll(
      tx,
      many.map(({ uid, fields }) => ({ fields: freshFields(uid, fields), kept: {} })),
    )
    const ids = new Map(made.map(({ id, uid }) => [uid, id]))
    return new Map(many.map(({ uid, fields }) => [fields.bookingId, ids.get(uid) as number]))
  },

  async change(tx, id, fields) {
    const row = (await findAny(tx, id)) as EventRecord
    const isChanged = await saving.update(tx, row, withBooking(fieldsOf(row), fields))
    return row.version + (isChanged ? 1 : 0)
  },

  list: async (view, after, limit) => (await listBooked(view, after, limit)).map(bookedOf),

  count: countBookings,
})
