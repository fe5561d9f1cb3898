import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Platform } from '../../platform/platform.ts'
import type { StreamChange } from './changes.ts'
import type { StateRecord } from './repository.ts'
import { lockState } from './repository.ts'

/** Context of a change to the stream. */
export interface ChangeContext {
  tx: Db
  userId: number
  /** State before the change. */
  state: StateRecord
  now: string
  emit(change: StreamChange): Promise<void>
}

export type StreamWriter = ReturnType<typeof createStreamWriter>

/**
 * Serializes changes to the stream of an account across all instances: each holds a lock until it commits.
 * Therefore progress adds up exactly, at most one stream per account is live, and events are ordered.
 */
export const createStreamWriter = ({ db, clock, changes }: Platform) => ({
  change: <T>(userId: number, work: (context: ChangeContext) => Promise<T>): Promise<T> =>
    inTransaction(db, async (tx) => {
      const now = clock.now().toISOString()
      const state = await lockState(tx, userId, now)
      const emit: ChangeContext['emit'] = (change) => changes.record(tx, { userId, ...change })
      return work({ tx, userId, state, now, emit })
    }),
})
