import type { Selectable, Updateable } from 'kysely'
import type { Db } from '../../database/db.ts'
import { prepareRows } from '../../database/prepared.ts'
import {
  BOOKING_COLUMNS,
  type BookingRow,
  type BookingSettingsRow,
  type BookingSyncRow,
  THE_ONE,
} from '../../database/tables/bookings.ts'

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

/** Only while it is still the one that was read. */
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

export const makeSync = async (db: Db): Promise<void> => {
  await db
    .insertInto('booking_sync')
    .values(NEVER_RUN)
    .onConflict((existing) => existing.column('id').doNothing())
    .execute()
}

/** Whoever changes bookings holds this row meanwhile, so that no two change the same one. */
export const updateSync = async (tx: Db, change: Updateable<BookingSyncRow>): Promise<void> => {
  await tx.updateTable('booking_sync').set(change).where('id', '=', THE_ONE).execute()
}

/** A new address or key: what runs stops at its next write, and everything is looked at again. */
export const beginAnew = async (tx: Db): Promise<void> => {
  await tx.deleteFrom('unreadable_bookings').execute()
  await tx
    .updateTable('booking_sync')
    .set((sync) => ({
      ...{ owner: null, leaseUntil: null, watermark: null, lastFullAt: null },
      ...{ lastSyncStatus: null, lastError: null },
      epoch: sync('epoch', '+', 1),
    }))
    .where('id', '=', THE_ONE)
    .execute()
}

/** What is known of these, and which version their events are in by now. */
export const listStanding = async (db: Db, uids: readonly string[]) =>
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

/** All of them, in the order of their names, with the version of their events. */
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
        told: row.ref('excluded.told'),
        changedAt: row.ref('excluded.changedAt'),
        noticedAt: row.ref('excluded.noticedAt'),
      })),
    ),
)

export const saveBookings = async (tx: Db, rows: readonly BookingRecord[]): Promise<void> => {
  await insertBookings(tx, rows)
}
