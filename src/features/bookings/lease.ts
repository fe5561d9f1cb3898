import type { Updateable } from 'kysely'
import type { Db } from '../../database/db.ts'
import { type BookingSyncRow, THE_ONE } from '../../database/tables/bookings.ts'
import type { Clock } from '../../platform/clock.ts'
import { conflict } from '../../platform/errors.ts'
import { makeSync } from './store.ts'

/** How long others wait for an instance that is no longer heard of. */
const LEASE_MS = 10_000
const RENEW_MS = 3_000

/** The right to run a sync, which one instance has at a time. */
export interface Lease {
  readonly owner: string
  readonly epoch: number
}

export type Leases = ReturnType<typeof createLeases>

export const createLeases = ({ db, clock }: { db: Db; clock: Clock }) => {
  const until = (): string => new Date(clock.now().getTime() + LEASE_MS).toISOString()

  const hold = async (tx: Db, { owner, epoch }: Lease, change: Updateable<BookingSyncRow> = {}) => {
    const { numUpdatedRows } = await tx
      .updateTable('booking_sync')
      .set({ leaseUntil: until(), ...change })
      .where('id', '=', THE_ONE)
      .where('owner', '=', owner)
      .where('epoch', '=', epoch)
      .executeTakeFirst()
    if (numUpdatedRows !== 1n)
      throw conflict('The sync was stopped: another has begun, or the settings were changed.')
  }

  return {
    /** Undefined while another has it. */
    async take(owner: string, isFull: boolean): Promise<Lease | undefined> {
      await makeSync(db)
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
        .where('id', '=', THE_ONE)
        .where((sync) => sync.or([sync('owner', 'is', null), sync('leaseUntil', '<=', now)]))
        .returning('epoch')
        .executeTakeFirst()
      return row && { owner, epoch: row.epoch }
    },

    /**
     * Renews it as part of a transaction, and throws when it has passed to another: what else the transaction did is
     * then undone. Every write of a sync goes through this.
     */
    hold,

    /** Renews it while `work` waits for the provider, and tells `work` to stop once it is lost. */
    async keeping<T>(lease: Lease, stop: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
      const lost = new AbortController()
      const timer = setInterval(() => void hold(db, lease).catch((error) => lost.abort(error)), RENEW_MS)
      try {
        return await work(AbortSignal.any([stop, lost.signal]))
      } finally {
        clearInterval(timer)
      }
    },

    async release({ owner, epoch }: Lease): Promise<void> {
      await db
        .updateTable('booking_sync')
        .set({ owner: null, leaseUntil: null })
        .where('id', '=', THE_ONE)
        .where('owner', '=', owner)
        .where('epoch', '=', epoch)
        .execute()
    },
  }
}
