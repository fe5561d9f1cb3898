import type { Updateable } from 'kysely'
import type { Db } from '../../../database/db.ts'
import type { MailSyncRow } from '../../../database/tables/mail-accounts.ts'
import { conflict } from '../../../platform/errors.ts'

/** How long an account stays with an instance that is no longer heard of. */
export const LEASE_MS = 15_000

/** The right to keep one account in step, for a while. */
export interface Lease {
  readonly accountId: string
  readonly owner: string
  readonly epoch: number
}

const until = (now: Date): string => new Date(now.getTime() + LEASE_MS).toISOString()

/** Undefined while another instance has it. */
export const takeLease = async (
  db: Db,
  accountId: string,
  owner: string,
  now: Date,
): Promise<Lease | undefined> => {
  const row = await db
    .updateTable('mail_sync')
    .set((sync) => ({ owner, leaseUntil: until(now), epoch: sync('epoch', '+', 1) }))
    .where('accountId', '=', accountId)
    .where((sync) => sync.or([sync('owner', 'is', null), sync('leaseUntil', '<=', now.toISOString())]))
    .returning('epoch')
    .executeTakeFirst()
  return row && { accountId, owner, epoch: row.epoch }
}

/**
 * Renews the lease as part of a transaction, and throws when it has passed to another: whatever else the transaction
 * did is then undone. Every write of a sync goes through this, so two instances can never both file a message.
 */
export const holdLease = async (
  tx: Db,
  lease: Lease,
  now: Date,
  change: Updateable<MailSyncRow> = {},
): Promise<void> => {
  const { numUpdatedRows } = await tx
    .updateTable('mail_sync')
    .set({ leaseUntil: until(now), ...change })
    .where('accountId', '=', lease.accountId)
    .where('owner', '=', lease.owner)
    .where('epoch', '=', lease.epoch)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw conflict('Another instance looks after this account now.')
}

export const releaseLease = async (db: Db, lease: Lease): Promise<void> => {
  await db
    .updateTable('mail_sync')
    .set({ owner: null, leaseUntil: null })
    .where('accountId', '=', lease.accountId)
    .where('owner', '=', lease.owner)
    .where('epoch', '=', lease.epoch)
    .execute()
}
