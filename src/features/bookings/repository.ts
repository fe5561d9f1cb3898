import { hash } from 'node:crypto'
import type { Selectable } from 'kysely'
import { ALL_ACCOUNTS } from '../../database/all-accounts.ts'
import { toBatches } from '../../database/batches.ts'
import type { Db } from '../../database/db.ts'
import type { BookingRow, BookingSettingsRow, BookingSyncRow } from '../../database/tables/integrations.ts'
import { keepBody } from '../../platform/kept-body.ts'
import { createLeases, type Lease } from '../../platform/leases.ts'

export type BookingRecord = Selectable<BookingRow>
export type SyncRecord = Selectable<BookingSyncRow>

export type SettingsRecord = Selectable<BookingSettingsRow>

export const findSettings = (db: Db, userId: number): Promise<SettingsRecord | undefined> =>
  db.selectFrom('booking_settings').selectAll().where('userId', '=', userId).executeTakeFirst()

/** Lists the settings of all accounts, for webhooks and the schedule. */
export const listAllSettings = (db: Db): Promise<SettingsRecord[]> =>
  db.selectFrom('booking_settings').selectAll().orderBy('userId').modifyEnd(ALL_ACCOUNTS).execute()

export const saveSettings = async (tx: Db, row: SettingsRecord): Promise<void> => {
  await tx
    .insertInto('booking_settings')
    .values(row)
    .onConflict((existing) => existing.column('userId').doUpdateSet(row))
    .execute()
}

/** Replaces the secret only if it has not changed since it was read. */
export const replaceSecret = async (
  tx: Db,
  { userId, secret: before }: SettingsRecord,
  secret: string,
): Promise<void> => {
  await tx
    .updateTable('booking_settings')
    .set({ secret })
    .where('userId', '=', userId)
    .where('secret', '=', before)
    .execute()
}

export const deleteSettings = async (tx: Db, userId: number): Promise<void> => {
  await tx.deleteFrom('booking_settings').where('userId', '=', userId).execute()
}

const NEVER_RUN: Omit<BookingSyncRow, 'userId'> = {
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

export const readSync = async (db: Db, userId: number): Promise<SyncRecord> =>
  (await db.selectFrom('booking_sync').selectAll().where('userId', '=', userId).executeTakeFirst()) ?? {
    userId,
    ...NEVER_RUN,
  }

export const ensureSyncRow = async (db: Db, userId: number): Promise<void> => {
  await db
    .insertInto('booking_sync')
    .values({ userId, ...NEVER_RUN })
    .onConflict((existing) => existing.column('userId').doNothing())
    .execute()
}

export type BookingLease = Lease<'booking_sync'>

export const bookingLeases = createLeases('booking_sync', 'userId', {
  durationMs: 10_000,
  lostMessage: 'The sync was stopped because another sync has started or the settings have changed.',
})

/** Every writer of an account's bookings locks this row, so that no two writers change the same booking. */
export const lockSync = async (tx: Db, userId: number): Promise<void> => {
  await tx
    .updateTable('booking_sync')
    .set((sync) => ({ epoch: sync.ref('epoch') }))
    .where('userId', '=', userId)
    .execute()
}

/** Resets the sync after the address or key changed. A running sync stops at its next write. */
export const resetSync = async (tx: Db, userId: number): Promise<void> => {
  await tx.deleteFrom('unreadable_bookings').where('userId', '=', userId).execute()
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
    .where('userId', '=', userId)
    .execute()
}

/** Lists the stored state of bookings and the current versions of their events. */
export const listBookingStates = async (db: Db, userId: number, uids: readonly string[]) =>
  uids.length === 0
    ? []
    : db
        .selectFrom('bookings')
        .leftJoin('events', 'events.id', 'bookings.eventId')
        .select(['bookings.uid', 'bookings.digest', 'bookings.eventId', 'bookings.eventVersion'])
        .select(['bookings.replacedBy', 'events.version'])
        .where('bookings.userId', '=', userId)
        .where('bookings.uid', 'in', uids)
        .execute()

export const listBookings = async (
  db: Db,
  userId: number,
  uids: readonly string[],
): Promise<BookingRecord[]> =>
  uids.length === 0
    ? []
    : db.selectFrom('bookings').selectAll().where('userId', '=', userId).where('uid', 'in', uids).execute()

/** Ordered by uid, with the current versions of the events. */
export const pageOfBookings = (db: Db, userId: number, after: string, limit: number) =>
  db
    .selectFrom('bookings')
    .leftJoin('events', 'events.id', 'bookings.eventId')
    .selectAll('bookings')
    .select('events.version')
    .where('bookings.userId', '=', userId)
    .where('bookings.uid', '>', after)
    .orderBy('bookings.uid')
    .limit(limit)
    .execute()

export const pageOfNames = (db: Db, userId: number, after: string, limit: number) =>
  db
    .selectFrom('bookings')
    .select(['uid', 'provider', 'replacedBy', 'eventId'])
    .where('userId', '=', userId)
    .where('uid', '>', after)
    .orderBy('uid')
    .limit(limit)
    .execute()

export const saveBookings = async (tx: Db, rows: readonly BookingRecord[]): Promise<void> => {
  for (const batch of toBatches(rows))
    await tx
      .insertInto('bookings')
      .values(batch)
      .onConflict((existing) =>
        existing.columns(['userId', 'uid']).doUpdateSet((row) => ({
          provider: row.ref('excluded.provider'),
          eventId: row.ref('excluded.eventId'),
          eventVersion: row.ref('excluded.eventVersion'),
          replacedBy: row.ref('excluded.replacedBy'),
          digest: row.ref('excluded.digest'),
          snapshot: row.ref('excluded.snapshot'),
          changedAt: row.ref('excluded.changedAt'),
          noticedAt: row.ref('excluded.noticedAt'),
        })),
      )
      .execute()
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

export const countUnreadable = async (db: Db, userId: number): Promise<number> => {
  const { count } = await db
    .selectFrom('unreadable_bookings')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Stores bookings that could not be parsed. Replaces earlier rows of the same bookings. */
export const saveUnreadable = async (
  tx: Db,
  userId: number,
  bookings: readonly UnreadableBooking[],
  at: { readerVersion: string; failedAt: string },
): Promise<void> => {
  let count = await countUnreadable(tx, userId)
  for (const booking of bookings) {
    const { body, size } = keepBody(booking.body)
    const row = {
      ...at,
      userId,
      name: toKey(booking),
      bookingId: booking.bookingId,
      reason: booking.reason,
      body: count < MAX_BODIES ? body : null,
      size,
    }
    await tx
      .insertInto('unreadable_bookings')
      .values(row)
      .onConflict((existing) => existing.columns(['userId', 'name']).doUpdateSet(row))
      .execute()
    count++
  }
}

export const deleteUnreadable = async (
  tx: Db,
  userId: number,
  bookingIds: readonly string[],
): Promise<void> => {
  if (bookingIds.length > 0)
    await tx
      .deleteFrom('unreadable_bookings')
      .where('userId', '=', userId)
      .where('name', 'in', bookingIds)
      .execute()
}

/** Deletes rows that the last full sync did not update: the booking is gone or can be parsed now. */
export const deleteUnreadableBefore = async (tx: Db, userId: number, failedAt: string): Promise<void> => {
  await tx
    .deleteFrom('unreadable_bookings')
    .where('userId', '=', userId)
    .where('failedAt', '<', failedAt)
    .execute()
}

/**
 * Tells whether a different version of Factotum stored some of the rows. This version may be able to parse
 * them.
 */
export const hasStaleUnreadable = async (db: Db, userId: number, readerVersion: string): Promise<boolean> =>
  (await db
    .selectFrom('unreadable_bookings')
    .select('id')
    .where('userId', '=', userId)
    .where('readerVersion', '!=', readerVersion)
    .limit(1)
    .executeTakeFirst()) !== undefined

export const listUnreadable = (db: Db, userId: number, { limit, after }: { limit: number; after: number }) =>
  db
    .selectFrom('unreadable_bookings')
    .select(['id', 'bookingId', 'reason', 'size', 'failedAt'])
    .where('userId', '=', userId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit + 1)
    .execute()

export const findUnreadable = (
  db: Db,
  userId: number,
  id: number,
): Promise<{ body: string | null } | undefined> =>
  db
    .selectFrom('unreadable_bookings')
    .select('body')
    .where('userId', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
