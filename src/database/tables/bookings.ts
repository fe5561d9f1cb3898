import type { Generated } from 'kysely'
import type { TableKeys } from './keys.ts'

/** The one row is called this. */
export const THE_ONE = 1

/** What a person gave to reach the booking provider; there is one or none. */
export interface BookingSettingsRow {
  id: number
  provider: 'calcom' | 'calendly'
  /** Null for the provider's own address. */
  baseUrl: string | null
  /** Sealed JSON: the key, and what notices are signed with. */
  secret: string
  updatedAt: string
}

/** How far the bookings are in step with the provider, and which instance sees to it. */
export interface BookingSyncRow {
  id: number
  /** Who runs a sync, and until when it is believed to. */
  owner: string | null
  leaseUntil: string | null
  /** Counts the runs: what an earlier one still writes is refused. */
  epoch: number
  /** The last run that ended, one way or the other; its report or its failure is in `outcome`. */
  endedEpoch: number
  outcome: string | null
  /** Of the run that goes on, or of the last. */
  startedAt: string | null
  isFull: number
  /** When a run last came to its end. */
  lastSyncAt: string | null
  lastSyncStatus: 'ok' | 'partial' | 'failed' | null
  lastError: string | null
  /** By the provider's clock: what changed before then is here. Null before the first run. */
  watermark: string | null
  /** When everything was last looked at. */
  lastFullAt: string | null
}

/** A booking that was seen at the provider. */
export interface BookingRow {
  uid: string
  provider: 'calcom' | 'calendly'
  /** The event it stands as; one that was moved to another time has its event under both uids. */
  eventId: number | null
  /** The version that we left the event in: while it has this one, nobody else has touched it. */
  eventVersion: number
  /** The booking that took its place. */
  replacedBy: string | null
  /** A hash of what the provider said. */
  digest: string
  /** JSON of what we made of that. */
  told: string
  /** When it last changed, as the provider's list told it, and as its notices did. */
  changedAt: string | null
  noticedAt: string | null
}

export const BOOKING_COLUMNS = [
  ...(['uid', 'provider', 'eventId', 'eventVersion', 'replacedBy', 'digest', 'told'] as const),
  ...(['changedAt', 'noticedAt'] as const),
] satisfies (keyof BookingRow)[]

/** A booking that could not be read or stored. */
export interface UnreadableBookingRow {
  id: Generated<number>
  /** Its id, or a hash of what came where it has none. */
  name: string
  bookingId: string | null
  reason: string
  /** JSON as it came, or the beginning of it; null where there are too many. */
  body: string | null
  /** Of the whole, in bytes. */
  size: number
  /** The version of the service that could not read it. Another one tries again. */
  readerVersion: string
  failedAt: string
}

export interface BookingsTables {
  booking_settings: BookingSettingsRow
  booking_sync: BookingSyncRow
  bookings: BookingRow
  unreadable_bookings: UnreadableBookingRow
}

export const bookingsKeys: TableKeys<BookingsTables> = {
  booking_settings: ['id'],
  booking_sync: ['id'],
  bookings: ['uid'],
  unreadable_bookings: ['id'],
}
