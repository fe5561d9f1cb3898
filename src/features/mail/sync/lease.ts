import type { Updateable } from 'kysely'
import type { Db } from '../../../database/db.ts'
import type { MailSyncRow } from '../../../database/tables/mail.ts'
import { conflict } from '../../../platform/errors.ts'

/** Returns undefined while another instance holds the lease. */
export const takeLease = async (
  db: Db,
  accountId: string,
  owner: string,
  now: Date,
): Promise<Lease | undefined> => {
  const row = await db
    .updateTable('mail_sync')
    .set((sync) => ({ owner, leaseUntil: toLeaseEnd(now), epoch: sync('epoch', '+', 1) }))
    .where('accountId', '=', accountId)
    .where((sync) => sync.or([sync('owner', 'is', null), sync('leaseUntil', '<=', now.toISOString())]))
    .returning('epoch')
    .executeTakeFirst()
  return row && { accountId, owner, epoch: row.epoch }
}

/** An instance that crashed loses its accounts after this time. */
export const LEASE_MS = 15_000

/** The exclusive right to sync one account, for a limited time. */
export interface Lease {
  readonly accountId: string
  readonly owner: string
  readonly epoch: number
}

export const toLeaseEnd = (now: Date): string => new Date(now.getTime() + LEASE_MS).toISOString()

/**
 * Renews the lease inside a transaction. Throws, and so rolls the transaction back, if another instance holds
 * it. Every write of a sync calls this function, so two instances never file the same message.
 */
export const holdLease = async (
  tx: Db,
  lease: Lease,
  now: Date,
  change: Updateable<MailSyncRow> = {},
): Promise<void> => {
  const { numUpdatedRows } = await tx
    .updateTable('mail_sync')
    .set({ leaseUntil: toLeaseEnd(now), ...change })
    .where('accountId', '=', lease.accountId)
    .where('owner', '=', lease.owner)
    .where('epoch', '=', lease.epoch)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw conflict('Another instance syncs this account now.')
}
