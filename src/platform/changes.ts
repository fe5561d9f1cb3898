import type { Db } from '../database/db.ts'
import { afterCommit } from '../database/transaction.ts'
import type { Clock } from './clock.ts'
import type { Logger } from './log.ts'

/** Something that happened: `task.created`, with the thing it happened to. */
export interface Change {
  type: string
  subject: string
  data: Readonly<Record<string, unknown>>
}

export interface RecordedChange extends Change {
  id: number
  at: string
}

/**
 * What changed, in order: written in the same transaction as the change itself, told to listeners once that is
 * committed. Whoever missed it reads it from the table.
 */
export interface Changes {
  record(tx: Db, change: Change): Promise<void>
  listen(listener: (change: RecordedChange) => void): () => void
  prune(before: string): Promise<number>
}

export const createChanges = ({ db, clock, log }: { db: Db; clock: Clock; log: Logger }): Changes => {
  const listeners = new Set<(change: RecordedChange) => void>()
  const tell = (change: RecordedChange): void => {
    for (const listener of listeners) {
      try {
        listener(change)
      } catch (error) {
        log.error({ err: error, type: change.type }, 'a listener failed')
      }
    }
  }
  return {
    async record(tx, { type, subject, data }) {
      const at = clock.now().toISOString()
      const { id } = await tx
        .insertInto('changes')
        .values({ type, subject, data: JSON.stringify(data), at })
        .returning('id')
        .executeTakeFirstOrThrow()
      afterCommit(() => tell({ id, type, subject, data, at }))
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async prune(before) {
      const { numDeletedRows } = await db.deleteFrom('changes').where('at', '<', before).executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}
