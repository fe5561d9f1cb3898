import { hash } from 'node:crypto'
import type { Selectable, Updateable } from 'kysely'
import type { Db } from '../../database/db.ts'
import { prepareRows } from '../../database/prepared.ts'
import {
  BOOKING_COLUMNS,
  type BookingRow,
  type BookingSettingsRow,
  type BookingSyncRow,
  THE_ONE,
} from '../../database/tables/integrations.ts'
import { keepBody } from '../../platform/kept-body.ts'

export type BookingRecord = Selectable<BookingRow>
export type SyncRecord = Selectable<BookingSyncRow>

export const findSettings = (db: Db): Promise<Selectable<BookingSettingsRow> | undefined> =>
  db.selectFrom('booking_settings').selectAll().where('id', '=', THE_ONE).executeTakeFirst()

export const saveSettings = async (tx: Db, row: Omit<BookingSettingsRow, 'id'>): Promise<void> => {
  await tx
    .insertInto('booking_settings')
    .values({ id: THE_ONE, ...row })
    .onConflict((existing) => existing.column('id').doUpdateSet(row))
    .execute()
}

/** Replaces the secret only if it has not changed since it was read. */
export const replaceSecret = async (tx: Db, before: string, secret: string): Promise<void> => {
  await tx.updateTable('booking_settings').set({ secret }).where('secret', '=', before).execute()
}

export const deleteSettings = async (tx: Db): Promise<void> => {
  await tx.deleteFrom('booking_settings').where('id', '=', THE_ONE).execute()
}

const NEVER_RUN: BookingSyncRow = {
  id: THE_ONE,
  owner: null,
  leaseUntil: null,
  epoch: 0,
  endedEpoch: 0,
  outcome: null,
  startedAt: null,
  isFull: 0,
  lastSyncAt: null,
  lastSyncStatus: null,
  lastError: null,
  watermark: null,
  lastFullAt: null,
}

export const readSync = async (db: Db): Promise<SyncRecord> =>
  (await db.selectFrom('booking_sync').selectAll().where('id', '=', THE_ONE).executeTakeFirst()) ?? NEVER_RUN

export const ensureSyncRow = async (db: Db): Promise<void> => {
  await db
    .insertInto('booking_sync')
    .values(NEVER_RUN)
    .onConflict((existing) => existing.column('id').doNothing())
    .execute()
}

/** Every writer of bookings locks this row, so that no two writers change the same booking. */
export const updateSync = async (tx: Db, change: Updateable<BookingSyncRow>): Promise<void> => {
  await tx.updateTable('booking_sync').set(change).where('id', '=', THE_ONE).execute()
}

/** Resets the sync after the address or key changed. A running sync stops at its next write. */
export const resetSync = async (tx: Db): Promise<void> => {
  await tx.deleteFrom('unreadable_bookings').execute()
  await tx
    .updateTable('booking_sync')
    .set((sync) => ({
      owner: null,
      leaseUntil: null,
      watermark: null,
      lastFullAt: null,
      lastSyncStatus: null,
      lastError: null,
      epoch: sync('epoch', '+', 1),
    }))
    .where('id', '=', THE_ONE)
    .execute()
}

/** Lists the stored state of bookings and the current versions of their events. */
export const listBookingStates = async (db: Db, uids: readonly string[]) =>
  uids.length === 0
    ? []
    : db
        .selectFrom('bookings')
        .leftJoin('events', 'events.id', 'bookings.eventId')
        .select(['bookings.uid', 'bookings.digest', 'bookings.eventId', 'bookings.eventVersion'])
        .select(['bookings.replacedBy', 'events.version'])
        .where('bookings.uid', 'in', uids)
        .execute()

export const listBookings = async (db: Db, uids: readonly string[]): Promise<BookingRecord[]> =>
  uids.length === 0 ? [] : db.selectFrom('bookings').selectAll().where('uid', 'in', uids).execute()

/** Ordered by uid, with the current versions of the events. */
export const pageOfBookings = (db: Db, after: string, limit: number) =>
  db
    .selectFrom('bookings')
    .leftJoin('events', 'events.id', 'bookings.eventId')
    .selectAll('bookings')
    .select('events.version')
    .where('bookings.uid', '>', after)
    .orderBy('bookings.uid')
    .limit(limit)
    .execute()

export const pageOfNames = (db: Db, after: string, limit: number) =>
  db
    .selectFrom('bookings')
    .select(['uid', 'provider', 'replacedBy', 'eventId'])
    .where('uid', '>', after)
    .orderBy('uid')
    .limit(limit)
    .execute()

const insertBookings = prepareRows<BookingRecord>(BOOKING_COLUMNS, (db, rows) =>
  db
    .insertInto('bookings')
    .values(rows)
    .onConflict((existing) =>
      existing.column('uid').doUpdateSet((row) => ({
        provider: row.ref('excluded.provider'),
        eventId: row.ref('excluded.eventId'),
        eventVersion: row.ref('excluded.eventVersion'),
        replacedBy: row.ref('excluded.replacedBy'),
        digest: row.ref('excluded.digest'),
        snapshot: row.ref('excluded.snapshot'),
        changedAt: row.ref('excluded.changedAt'),
        noticedAt: row.ref('excluded.noticedAt'),
      })),
    ),
)

export const saveBookings = async (tx: Db, rows: readonly BookingRecord[]): Promise<void> => {
  await insertBookings(tx, rows)
}

/** Number of bodies to store. Further rows store only the reason. */
const MAX_BODIES = 500

export interface UnreadableBooking {
  bookingId: string | null
  reason: string
  /** JSON as received. */
  body: string
}

/** Bookings without an id are identified by a hash of their body. */
const toKey = ({ bookingId, body }: UnreadableBooking): string =>
  bookingId ?? `sha256:${hash('sha256', body, 'base64url')}`

export const countUnreadable = async (db: Db): Promise<number> => {
  const { count } = await db
    .selectFrom('unreadable_bookings')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Stores bookings that could not be parsed. Replaces earlier rows of the same bookings. */
export const saveUnreadable = async (
  tx: Db,
  bookings: readonly UnreadableBooking[],
  at: { readerVersion: string; failedAt: string },
): Promise<void> => {
  let count = await countUnreadable(tx)
  for (const booking of bookings) {
    const { body, size } = keepBody(booking.body)
    const row = {
      ...at,
      name: toKey(booking),
      bookingId: booking.bookingId,
      reason: booking.reason,
      body: count < MAX_BODIES ? body : null,
      size,
    }
    await tx
      .insertInto('unreadable_bookings')
      .values(row)
      .onConflict((existing) => existing.column('name').doUpdateSet(row))
      .execute()
    count++
  }
}

export const deleteUnreadable = async (tx: Db, bookingIds: readonly string[]): Promise<void> => {
  if (bookingIds.length > 0)
    await tx.deleteFrom('unreadable_bookings').where('name', 'in', bookingIds).execute()
}

/** Deletes rows that the last full sync did not update: the booking is gone or can be parsed now. */
export const deleteUnreadableBefore = async (tx: Db, failedAt: string): Promise<void> => {
  await tx.deleteFrom('unreadable_bookings').where('failedAt', '<', failedAt).execute()
}

/**
 * Tells whether a different version of Factotum stored some of the rows. This version may be able to parse
 * them.
 */
export const hasStaleUnreadable = async (db: Db, readerVersion: string): Promise<boolean> =>
  (await db
    .selectFrom('unreadable_bookings')
    .select('id')
    .where('readerVersion', '!=', readerVersion)
    .limit(1)
    .executeTakeFirst()) !== undefined

export const listUnreadable = (db: Db, { limit, after }: { limit: number; after: number }) =>
  db
    .selectFrom('unreadable_bookings')
    .select(['id', 'bookingId', 'reason', 'size', 'failedAt'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit + 1)
    .execute()

export const findUnreadable = (db: Db, id: number): Promise<{ body: string | null } | undefined> =>
  db.selectFrom('unreadable_bookings').select('body').where('id', '=', id).executeTakeFirst()
