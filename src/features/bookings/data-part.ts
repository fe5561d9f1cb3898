import Type from 'typebox'
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

const provider = oneOf('calcom', 'calendly')

/** Useless without the API key of the provider, which is never exported. */
const settings = portable('booking_settings', {
  file: 'settings.jsonl',
  isExportOnly: true,
  columns: { userId: own, provider, baseUrl: textOrNull, secret: without(''), updatedAt: instant },
})

const bookings = portable('bookings', {
  file: 'bookings.jsonl',
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
}
