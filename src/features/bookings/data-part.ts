import { Readable } from 'node:stream'
import type { Db } from '../../database/db.ts'
import { everyRow } from '../../database/every-row.ts'
import { clearTally } from '../../database/tallies.ts'
import type { DataPart } from '../settings/data/parts.ts'
import { BOOKINGS_TALLY } from './applying.ts'
import { type BookingRecord, findSettings, pageOfBookings } from './store.ts'

async function* jsonLines(view: Db): AsyncGenerator<string> {
  const rows = everyRow<BookingRecord>((after, limit) => pageOfBookings(view, after?.uid ?? '', limit))
  for await (const { uid, provider, eventId, replacedBy, told, changedAt } of rows)
    yield `${JSON.stringify({ uid, provider, eventId, replacedBy, changedAt, booking: JSON.parse(told) })}\n`
}

/** Bookings in what is done with all data at once. The provider's key is in no export. */
export const bookingsPart: DataPart = {
  async addToExport(zip, view) {
    const settings = await findSettings(view)
    const shown = settings ? { provider: settings.provider, baseUrl: settings.baseUrl } : null
    zip.addBuffer(Buffer.from(`${JSON.stringify(shown, null, 2)}\n`), 'bookings/settings.json')
    zip.addReadStream(Readable.from(jsonLines(view)), 'bookings/bookings.jsonl')
  },
  async wipe(tx) {
    for (const table of ['bookings', 'booking_settings', 'booking_sync'] as const)
      await tx.deleteFrom(table).execute()
    await clearTally(tx, BOOKINGS_TALLY)
  },
  // A sample that no provider knows of would be called off by the first sync.
  async fillSample() {},
  async removeSample() {},
}
