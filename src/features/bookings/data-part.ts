import Type from 'typebox'
import {
  idOrNull,
  instant,
  instantOrNull,
  integer,
  json,
  oneOf,
  text,
  textOrNull,
  without,
} from '../../platform/portable/columns.ts'
import { portable } from '../../platform/portable/table.ts'
import type { DataPart } from '../settings/data/parts.ts'

const provider = oneOf('calcom', 'calendly')

/** Of no use without the provider's key, which is in no export. */
const settings = portable('booking_settings', {
  file: 'settings.jsonl',
  fate: 'told',
  columns: { id: integer, provider, baseUrl: textOrNull, secret: without(''), updatedAt: instant },
})

const bookings = portable('bookings', {
  file: 'bookings.jsonl',
  columns: {
    ...{
      uid: text,
      provider,
      eventId: idOrNull,
      eventVersion: integer,
      replacedBy: textOrNull,
      digest: text,
    },
    ...{ told: json(Type.Object({})), changedAt: instantOrNull, noticedAt: instantOrNull },
  },
})

/** Bookings in what is done with all data at once. A sample that no provider knows of would be called off by the first sync. */
export const bookingsPart: DataPart = {
  folder: 'bookings',
  tables: [settings, bookings],
  others: ['booking_sync', 'unreadable_bookings'],

  async wipe(tx) {
    for (const table of ['bookings', 'booking_settings', 'booking_sync', 'unreadable_bookings'] as const)
      await tx.deleteFrom(table).execute()
  },
}
