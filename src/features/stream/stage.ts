import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Changes } from '../../platform/changes.ts'
import type { Clock } from '../../platform/clock.ts'
import { lockState, type StateRecord } from './store.ts'

/** What a change of the stream is made with. */
export interface Scene {
  tx: Db
  /** As it was when the change began. */
  state: StateRecord
  now: string
  tell(type: StreamChange, subject: string | number, data: Record<string, unknown>): Promise<void>
}

export type StreamChange =
  | 'stream.started'
  | 'stream.stopped'
  | 'stream.updated'
  | 'stream.deleted'
  | 'stream.panicked'
  | 'stream.caption_added'
  | 'stream.caption_corrected'
  | 'stream.caption_removed'
  | 'stream.captions_imported'
  | 'stream.captions_cleared'
  | 'stream.milestone_changed'
  | 'stream.milestone_reached'
  | 'stream.milestone_removed'

export type Stage = ReturnType<typeof createStage>

/**
 * Changes of the stream come one after the other, on every instance: each holds the stage until it is committed. So
 * progress adds up exactly, there is one live stream at most, and what is told comes in the order it happened.
 */
export const createStage = ({ db, clock, changes }: { db: Db; clock: Clock; changes: Changes }) => ({
  change: <T>(work: (scene: Scene) => Promise<T>): Promise<T> =>
    inTransaction(db, async (tx) => {
      const now = clock.now().toISOString()
      const state = await lockState(tx, now)
      const { revision } = state
      const tell: Scene['tell'] = (type, subject, data) =>
        changes.record(tx, { type, subject: String(subject), data: { ...data, revision } })
      return work({ tx, state, now, tell })
    }),
})
