import type { Db } from '../../database/db.ts'
import type { BookingFigures } from '../dashboard/dashboard.ts'
import type { BookedEvents } from './booked-events.ts'
import { readSync } from './store.ts'

/** How many bookings the calendar has, by whatever way they came, and how fresh those of the provider are. */
export const createBookingFigures =
  ({ db, events }: { db: Db; events: Pick<BookedEvents, 'count'> }) =>
  async (): Promise<BookingFigures> => ({
    total: await events.count(db),
    lastSyncAt: (await readSync(db)).lastSyncAt,
  })
