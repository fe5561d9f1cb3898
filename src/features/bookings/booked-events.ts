import type { Db } from '../../database/db.ts'
import type { BookingFigures } from '../dashboard/dashboard.ts'
import type { Booking } from './provider.ts'
import { readSync } from './repository.ts'

/** Event fields that come from the booking. */
export interface BookedFields
  extends Omit<Booking, 'uid' | 'timezone' | 'guests' | 'replaces' | 'replacedBy'> {
  bookingId: string
  timezone: string
  attendees: (Booking['guests'][number] & {
    status: 'needs-action' | 'accepted' | 'declined' | 'tentative'
  })[]
}

export interface BookedEvent {
  id: number
  version: number
  /** Null if somebody removed the booking from the event. */
  bookingId: string | null
  fields: Omit<BookedFields, 'bookingId'>
}

/** Calendar operations that bookings need. */
export interface BookedEvents {
  /** Returns the reason why the calendar rejects these fields, or undefined. */
  refuse(fields: Pick<BookedFields, 'start' | 'end'>): string | undefined
  /** Returns the events of these bookings. Bookings without an event are omitted. */
  find(view: Db, userId: number, bookingIds: readonly string[]): Promise<{ id: number; bookingId: string }[]>
  /** Locks the events until the transaction ends. */
  lock(tx: Db, userId: number, ids: readonly number[]): Promise<BookedEvent[]>
  /** Inserts all events in one statement. Returns event ids by booking id. The `uid` prevents duplicates. */
  insert(
    tx: Db,
    userId: number,
    many: readonly { uid: string; fields: BookedFields }[],
  ): Promise<Map<string, number>>
  /** Returns the new version of the event. Fields that are not given stay unchanged. */
  change(tx: Db, userId: number, id: number, fields: BookedFields): Promise<number>
  /** Lists events of bookings, ordered by booking id. */
  list(view: Db, userId: number, after: string, limit: number): Promise<BookedEvent[]>
  /** Counts the events of bookings. */
  count(view: Db, userId: number): Promise<number>
}

/** Returns the number of bookings in the calendar and the time of the last sync. */
export const createBookingFigures =
  ({ db, events }: { db: Db; events: Pick<BookedEvents, 'count'> }) =>
  async (userId: number): Promise<BookingFigures> => ({
    total: await events.count(db, userId),
    lastSyncAt: (await readSync(db, userId)).lastSyncAt,
  })
