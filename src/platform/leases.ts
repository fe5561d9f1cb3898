import type { Kysely, Updateable } from 'kysely'
import type { Db } from '../database/db.ts'
import type { Tables } from '../database/tables.ts'
import { conflict } from './errors.ts'

/** The tables with a row for each synced account, and the columns that identify the account. */
interface LeaseKeys {
  mail_sync: 'accountId'
  booking_sync: 'userId'
}
type LeasedTable = keyof LeaseKeys

interface LeaseRow {
  accountId: string | number
  owner: string | null
  leaseUntil: string | null
  epoch: number
}

/** The exclusive right of one instance to sync one account, for a limited time. */
export type Lease<T extends LeasedTable> = Readonly<
  Pick<Tables[T], LeaseKeys[T] & keyof Tables[T]> & { owner: string; epoch: number }
>

/**
 * The leases in one table. An instance that crashed loses its accounts after `durationMs`. `lostMessage` is the
 * error of a writer that has lost its lease.
 */
export const createLeases = <T extends LeasedTable>(
  table: T,
  key: LeaseKeys[T] & keyof Lease<T>,
  { durationMs, lostMessage }: { durationMs: number; lostMessage: string },
) => {
  type Id = Lease<T>[typeof key]
  type Change = Updateable<Tables[T]>
  const rowsOf = (db: Db) => db as unknown as Kysely<{ leased: LeaseRow }>
  const [name, keyColumn] = [table as unknown as 'leased', key as unknown as 'accountId']
  const toEnd = (now: Date): string => new Date(now.getTime() + durationMs).toISOString()

  const updateHeld = async (db: Db, lease: Lease<T>, change: Updateable<LeaseRow>): Promise<boolean> => {
    const { numUpdatedRows } = await rowsOf(db)
      .updateTable(name)
      .set(change)
      .where(keyColumn, '=', lease[key] as LeaseRow['accountId'])
      .where('owner', '=', lease.owner)
      .where('epoch', '=', lease.epoch)
      .executeTakeFirst()
    return numUpdatedRows === 1n
  }

  return {
    /** Returns undefined while another instance holds the lease. */
    async take(
      db: Db,
      id: Id,
      { owner, now, change = {} }: { owner: string; now: Date; change?: Change },
    ): Promise<Lease<T> | undefined> {
      const row = await rowsOf(db)
        .updateTable(name)
        .set((sync) => ({ ...change, owner, leaseUntil: toEnd(now), epoch: sync('epoch', '+', 1) }))
        .where(keyColumn, '=', id as LeaseRow['accountId'])
        .where((sync) => sync.or([sync('owner', 'is', null), sync('leaseUntil', '<=', now.toISOString())]))
        .returning('epoch')
        .executeTakeFirst()
      return row && ({ [key]: id, owner, epoch: row.epoch } as Lease<T>)
    },

    /**
     * Renews the lease inside a transaction. Throws, and so rolls the transaction back, if another instance
     * holds it. Every write of a sync calls this function, so two instances never write the same item.
     */
    async hold(tx: Db, lease: Lease<T>, now: Date, change: Change = {}): Promise<void> {
      if (!(await updateHeld(tx, lease, { leaseUntil: toEnd(now), ...change }))) throw conflict(lostMessage)
    },

    async release(db: Db, lease: Lease<T>): Promise<void> {
      await updateHeld(db, lease, { owner: null, leaseUntil: null })
    },
  }
}
