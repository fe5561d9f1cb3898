import type { Db } from '../../database/db.ts'
import { readTally } from '../../database/tallies.ts'
import type { BookingFigures } from '../dashboard/dashboard.ts'
import { BOOKINGS_TALLY } from './applying.ts'
import { readSync } from './store.ts'

/** How many bookings there are, and how fresh that is. */
export const createBookingFigures = (db: Db) => async (): Promise<BookingFigures> => ({
  total: await readTally(db, BOOKINGS_TALLY),
  lastSyncAt: (await readSync(db)).lastSyncAt,
})
