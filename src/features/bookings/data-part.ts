import { sql } from 'kysely'
import Type from 'typebox'
import { ALL_ACCOUNTS } from '../../database/all-accounts.ts'
import {
  idOrNull,
  instant,
  instantOrNull,
  integer,
  json,
  oneOf,
  own,
  portable,
  text,
  textOrNull,
  without,
} from '../../platform/portable/table.ts'
import type { DataPart } from '../accounts/data/parts.ts'

const ofUser = (userId: number) => [sql<boolean>`${sql.ref('userId')} = ${userId}`]

const provider = oneOf('calcom', 'calendly')

/** Useless without the API key of the provider, which is never exported. */
const settings = portable('booking_settings', {
  file: 'settings.jsonl',
  isExportOnly: true,
  of: ofUser,
  columns: { userId: own, provider, baseUrl: textOrNull, secret: without(''), updatedAt: instant },
})

const bookings = portable('bookings', {
  file: 'bookings.jsonl',
  of: ofUser,
  columns: {
    userId: own,
    uid: text,
    provider,
    eventId: idOrNull('events'),
    eventVersion: integer,
    replacedBy: textOrNull,
    digest: text,
    snapshot: json(Type.Object({})),
    changedAt: instantOrNull,
    noticedAt: instantOrNull,
  },
})

/** Bookings for export, import and reset. */
export const bookingsPart: DataPart = {
  folder: 'bookings',
  tables: [settings, bookings],
  others: ['booking_sync', 'unreadable_bookings'],

  async wipe(tx) {
    for (const table of ['bookings', 'booking_settings', 'booking_sync', 'unreadable_bookings'] as const)
      await tx.deleteFrom(table).modifyEnd(ALL_ACCOUNTS).execute()
  },
}
