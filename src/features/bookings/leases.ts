import type { Updateable } from 'kysely'
import type { Db } from '../../database/db.ts'
import type { BookingSyncRow } from '../../database/tables/integrations.ts'
import type { Clock } from '../../platform/clock.ts'
import { conflict } from '../../platform/errors.ts'
import { ensureSyncRow } from './repository.ts'

/** Lifetime of a lease without renewal. After that, another instance can take over. */
const LEASE_MS = 10_000

const RENEW_MS = 3_000

/** The exclusive right of one instance to run the sync of an account. */
export interface Lease {
  readonly userId: number
  readonly owner: string
  readonly epoch: number
}

export type Leases = ReturnType<typeof createLeases>

export const createLeases = ({ db, clock }: { db: Db; clock: Clock }) => {
  const until = (): string => new Date(clock.now().getTime() + LEASE_MS).toISOString()

  const hold = async (tx: Db, { userId, owner, epoch }: Lease, change: Updateable<BookingSyncRow> = {}) => {
    const { numUpdatedRows } = await tx
      .updateTable('booking_sync')
      .set({ leaseUntil: until(), ...change })
      .where('userId', '=', userId)
      .where('owner', '=', owner)
      .where('epoch', '=', epoch)
      .executeTakeFirst()
    if (numUpdatedRows !== 1n)
      throw conflict('The sync was stopped because another sync has started or the settings have changed.')
  }

  return {
    /** Returns undefined while another instance holds the lease. */
    async take(userId: number, owner: string, isFull: boolean): Promise<Lease | undefined> {
      await ensureSyncRow(db, userId)
      const now = clock.now().toISOString()
      const row = await db
        .updateTable('booking_sync')
        .set((sync) => ({
          owner,
          leaseUntil: until(),
          startedAt: now,
          isFull: isFull ? 1 : 0,
          epoch: sync('epoch', '+', 1),
        }))
        .where('userId', '=', userId)
        .where((sync) => sync.or([sync('owner', 'is', null), sync('leaseUntil', '<=', now)]))
        .returning('epoch')
        .executeTakeFirst()
      return row && { userId, owner, epoch: row.epoch }
    },

    /**
     * Renews the lease in a transaction. Throws if another instance holds it, which rolls back the
     * transaction.
     * Every write of a sync calls this.
     */
    hold,

    /** Renews the lease while `work` waits for the provider. Aborts `work` if the lease is lost. */
    async whileRenewing<T>(
      lease: Lease,
      stop: AbortSignal,
      work: (signal: AbortSignal) => Promise<T>,
    ): Promise<T> {
      const lost = new AbortController()
      const timer = setInterval(() => void hold(db, lease).catch((error) => lost.abort(error)), RENEW_MS)
      try {
        return await work(AbortSignal.any([stop, lost.signal]))
      } finally {
        clearInterval(timer)
      }
    },

    async release({ userId, owner, epoch }: Lease): Promise<void> {
      await db
        .updateTable('booking_sync')
        .set({ owner: null, leaseUntil: null })
        .where('userId', '=', userId)
        .where('owner', '=', owner)
        .where('epoch', '=', epoch)
        .execute()
    },
  }
}
