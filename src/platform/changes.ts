import { deletePlacedOutside, placeChanges } from '../database/change-order.ts'
import type { Database } from '../database/database.ts'
import type { Db } from '../database/db.ts'
import { prepareRows, prepareWrite } from '../database/prepared.ts'
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
  /** Many at once, in order. */
  recordAll(tx: Db, changes: readonly Change[]): Promise<void>
  /** Has `write` add its own to the transaction of every change that is recorded from now on. */
  accompany(write: Accompaniment): void
  listen(listener: (change: RecordedChange) => void): () => void
  prune(before: string): Promise<number>
}

/** Writes what must exist exactly when a change does. */
type Accompaniment = (tx: Db, changes: readonly RecordedChange[]) => Promise<void>

interface NewChange {
  type: string
  subject: string
  data: string
  at: string
}

const insertChange = prepareWrite<NewChange, { id: number }>((db, parameter) =>
  db
    .insertInto('changes')
    .values({
      type: parameter('type'),
      subject: parameter('subject'),
      data: parameter('data'),
      at: parameter('at'),
    })
    .returning('id'),
)

const insertChanges = prepareRows<NewChange, { id: number }>(['type', 'subject', 'data', 'at'], (db, rows) =>
  db.insertInto('changes').values(rows).returning('id'),
)

const DAY_MS = 86_400_000
/** Told together. */
const AT_ONCE = 1000

export const createChanges = (deps: { database: Database; clock: Clock; log: Logger }): Changes => {
  const { database, clock, log } = deps
  const { signals } = database
  const accompaniments: Accompaniment[] = []
  const accompany = async (tx: Db, recorded: readonly RecordedChange[]): Promise<void> => {
    for (const write of accompaniments) await write(tx, recorded)
  }
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
  const recordAll = async (tx: Db, recorded: readonly Change[]): Promise<void> => {
    const at = clock.now().toISOString()
    for (let from = 0; from < recorded.length; from += AT_ONCE) {
      const some = recorded.slice(from, from + AT_ONCE)
      const rows = await insertChanges(
        tx,
        some.map(({ type, subject, data }) => ({ type, subject, data: JSON.stringify(data), at })),
      )
      // Ids are given in the order of the rows, though they need not come back in it.
      const ids = rows.map(({ id }) => id).sort((a, b) => a - b)
      const told = some.map((change, index) => ({ ...change, id: ids[index] as number, at }))
      await accompany(tx, told)
      afterCommit(() => {
        for (const change of told) tell(change)
        signals.tell()
      })
    }
  }
  return {
    async record(tx, change) {
      const { type, subject, data } = change
      const at = clock.now().toISOString()
      const [row] = await insertChange(tx, { type, subject, data: JSON.stringify(data), at })
      const told = { ...change, id: (row as { id: number }).id, at }
      await accompany(tx, [told])
      afterCommit(() => {
        tell(told)
        signals.tell()
      })
    },
    recordAll,
    accompany: (write) => void accompaniments.push(write),
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async prune(before) {
      await placeChanges(database)
      const until = new Date(clock.now().getTime() + DAY_MS).toISOString()
      return deletePlacedOutside(database, { from: before, until })
    },
  }
}
