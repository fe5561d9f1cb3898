import type { Platform } from '../../platform/platform.ts'
import { randomId } from '../../platform/random.ts'
import type { BookedEvent, BookedEvents, BookedFields } from '../bookings/booked-events.ts'
import type { Agenda, BusyTime } from '../tasks/queries.ts'
import { BLANK, type EventFields, type EventRecord, fieldsOf } from './event.ts'
import { readNewEvent } from './event-input.ts'
import {
  countBooked,
  findAny,
  listActive,
  listBooked,
  listByBooking,
  listByIds,
  lockAny,
  lockEvent,
  lockEvents,
} from './event-repository.ts'
import type { Saving } from './event-writer.ts'
import { isWithin, toBusyRange, toSlot, widenByBuffers } from './free-time.ts'
import { isWithinReach } from './times.ts'
import { streamWindow } from './windows/window.ts'

/** Events of reservations have UIDs of this form. */
const isReservationUid = (uid: string): boolean => uid.startsWith('reservation-')

/** Implements the calendar port of task planning. */
export const createFocusBlocks = ({
  saving,
  random,
}: Pick<Platform, 'random'> & { saving: Saving }): Agenda => ({
  async busyBetween(db, userId, from, until) {
    const busy: BusyTime[] = []
    for await (const row of streamWindow(db, userId, { ...widenByBuffers({ from, until }), among: 'busy' })) {
      const range = toBusyRange(row)
      if (!isWithin({ from, until })(range)) continue
      // The plan adds travel time for a location. The buffers of the event contain it already.
      const hasBuffer = row.bufferBefore !== null || row.bufferAfter !== null
      busy.push({
        ...toSlot(range),
        allDay: row.allDay === 1,
        location: hasBuffer ? '' : row.location,
        isReservation: isReservationUid(row.uid),
      })
    }
    return busy.sort((a, b) => (a.start < b.start ? -1 : 1))
  },

  async create(tx, userId, { tags, ...block }) {
    const fields = readNewEvent({ ...block, tags: [...tags] }, `${randomId(random)}@factotum`, block.timezone)
    const id = await saving.insert(tx, userId, fields)
    return { id, version: 1, title: fields.title, start: fields.start, end: fields.end }
  },

  find: listActive,
  has: async (tx, userId, id) => (await lockAny(tx, userId, id)) !== undefined,

  async remove(tx, userId, id) {
    await saving.remove(tx, await lockEvent(tx, userId, id))
  },
})

const newBookingFields = (uid: string, fields: BookedFields): EventFields => ({
  ...BLANK,
  ...fields,
  uid,
  allDay: false,
  source: 'bookingsvc',
})

const toBookedEvent = (row: EventRecord): BookedEvent => ({
  id: row.id,
  version: row.version,
  bookingId: row.bookingId,
  fields: fieldsOf(row),
})

/** A booking has one fixed time, so it ends any recurrence or all-day setting made by hand. */
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

/** Implements the calendar port of bookings. Their events follow the same rules as all others. */
export const createBookedEvents = ({ saving }: { saving: Saving }): BookedEvents => ({
  refuse: ({ start, end }) =>
    isWithinReach(start) && isWithinReach(end) ? undefined : 'Its time is outside the years 1000 to 9990.',

  find: listByBooking,

  async lock(tx, userId, ids) {
    await lockEvents(tx, userId, ids)
    return (await listByIds(tx, userId, ids)).map(toBookedEvent)
  },

  async insert(tx, userId, many) {
    const made = await saving.insertAll(
      tx,
      userId,
      many.map(({ uid, fields }) => ({ fields: newBookingFields(uid, fields), kept: {} })),
    )
    const ids = new Map(made.map(({ id, uid }) => [uid, id]))
    return new Map(many.map(({ uid, fields }) => [fields.bookingId, ids.get(uid) as number]))
  },

  async change(tx, userId, id, fields) {
    const row = (await findAny(tx, userId, id)) as EventRecord
    const isChanged = await saving.update(tx, row, withBooking(fieldsOf(row), fields))
    return row.version + (isChanged ? 1 : 0)
  },

  list: async (view, userId, after, limit) =>
    (await listBooked(view, userId, after, limit)).map(toBookedEvent),
  count: (view, userId) => countBooked(view, userId),
})
