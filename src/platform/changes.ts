import type { Static, TSchema } from 'typebox'
import { deletePlacedOutside, placeChanges } from '../database/change-order.ts'
import type { Database } from '../database/database.ts'
import type { Db } from '../database/db.ts'
import { prepare } from '../database/prepared.ts'
import { afterCommit } from '../database/transaction.ts'
import type { Scope } from './access/caller.ts'
import type { Clock } from './clock.ts'
import type { Logger } from './log.ts'

/** A change as its feature declares it, once, in its `changes.ts`. */
export interface ChangeDeclaration {
  /** The data of the change. */
  payload: TSchema
  /** The receivers of a live event: tokens with this scope and all sessions, or only sessions. Default: none. */
  live?: Scope | 'session'
  /** Webhooks can subscribe to it. */
  webhook?: true
  /** The members of this kind of shared resource receive a copy. */
  members?: 'taskList' | 'calendar'
}

export const declareChanges = <const D extends Readonly<Record<string, ChangeDeclaration>>>(
  declarations: D,
): D => declarations

/** All declarations by name. Each feature adds its own to this interface. */
// biome-ignore lint/suspicious/noEmptyInterface: features extend it
export interface DeclaredChanges {}

export type ChangeName = keyof DeclaredChanges

type Payloads = {
  [N in ChangeName]: DeclaredChanges[N] extends { payload: infer S extends TSchema } ? Static<S> : never
}

/** The names of the changes that the members of a kind of shared resource receive. */
export type MemberChangeName<K extends string> = {
  [N in ChangeName]: DeclaredChanges[N] extends { members: K } ? N : never
}[ChangeName]

export type ChangeCatalogue = Readonly<Record<ChangeName, ChangeDeclaration>>

/** An event such as `task.created`, with the resource that it concerns. Its type determines its data. */
export type Change<N extends ChangeName = ChangeName> = {
  [T in N]: {
    /** The account that the change belongs to. */
    userId: number
    type: T
    subject: string
    data: Readonly<Payloads[T]>
    /** The shared list or calendar that the resource was in before the change. Not stored. */
    movedFrom?: number | undefined
  }
}[N]

export type RecordedChange<N extends ChangeName = ChangeName> = Change<N> & { id: number; at: string }

export type ChangeData<N extends ChangeName> = Payloads[N]

/**
 * The ordered log of changes. An entry is written in the same transaction as the change, and sent to
 * listeners after the commit. A listener that missed an entry reads it from the table.
 */
export interface Changes {
  /** Returns the declaration of a change; undefined for the name of another version. */
  declarationOf(name: string): ChangeDeclaration | undefined
  /** The names of the changes that webhooks can subscribe to. */
  published(): ChangeName[]
  record(tx: Db, change: Change): Promise<void>
  /** Records several changes, in order. */
  recordAll(tx: Db, changes: readonly Change[]): Promise<void>
  /** Registers `write`, which adds its own rows to the transaction of every later change. */
  accompany(write: Accompaniment): void
  /** Registers `copy`, which returns copies of changes for other accounts that may see them. */
  copyBy(copy: CopyChanges): void
  listen(listener: (change: RecordedChange) => void): () => void
  prune(before: string): Promise<number>
}

/** Writes rows that must exist if and only if the change is committed. */
type Accompaniment = (tx: Db, changes: readonly RecordedChange[]) => Promise<void>

type CopyChanges = (tx: Db, changes: readonly Change[]) => Promise<Change[]>

interface NewChange {
  userId: number
  type: string
  subject: string
  data: string
  at: string
}

const insertChange = prepare<NewChange, { id: number }>((db, row) =>
  db.insertInto('changes').values(row).returning('id'),
)

const DAY_MS = 86_400_000
/** Number of changes that are inserted and sent to listeners together. */
const BATCH_SIZE = 1000

export const createChanges = (deps: {
  database: Database
  clock: Clock
  log: Logger
  catalogue: ChangeCatalogue
}): Changes => {
  const { database, clock, log } = deps
  const catalogue = new Map(Object.entries<ChangeDeclaration>(deps.catalogue))
  const { signals } = database
  const accompaniments: Accompaniment[] = []
  const accompany = async (tx: Db, recorded: readonly RecordedChange[]): Promise<void> => {
    for (const write of accompaniments) await write(tx, recorded)
  }
  const copiers: CopyChanges[] = []
  const copy = async (tx: Db, changes: readonly Change[]): Promise<Change[]> => {
    const copies: Change[] = []
    for (const copier of copiers) copies.push(...(await copier(tx, changes)))
    return copies
  }
  const listeners = new Set<(change: RecordedChange) => void>()
  const notify = (change: RecordedChange): void => {
    for (const listener of listeners) {
      try {
        listener(change)
      } catch (error) {
        log.error({ err: error, type: change.type }, 'a listener failed')
      }
    }
  }
  const insertAll = async (tx: Db, recorded: readonly Change[]): Promise<Change[]> => {
    const copies: Change[] = []
    const at = clock.now().toISOString()
    for (let from = 0; from < recorded.length; from += BATCH_SIZE) {
      const some = recorded.slice(from, from + BATCH_SIZE)
      const rows = await tx
        .insertInto('changes')
        .values(
          some.map(({ userId, type, subject, data }) => ({
            userId,
            type,
            subject,
            data: JSON.stringify(data),
            at,
          })),
        )
        .returning('id')
        .execute()
      // The database assigns ids in row order, but may return them in another order.
      const ids = rows.map(({ id }) => id).sort((a, b) => a - b)
      const recordedChanges = some.map((change, index) => ({ ...change, id: ids[index] as number, at }))
      await accompany(tx, recordedChanges)
      afterCommit(() => {
        for (const change of recordedChanges) notify(change)
        signals.notify()
      })
      copies.push(...(await copy(tx, some)))
    }
    return copies
  }
  const recordAll = async (tx: Db, recorded: readonly Change[]): Promise<void> => {
    const copies = await insertAll(tx, recorded)
    if (copies.length > 0) await insertAll(tx, copies)
  }
  return {
    declarationOf: (name) => catalogue.get(name),
    published: () => [...catalogue].filter(([, { webhook }]) => webhook).map(([name]) => name as ChangeName),
    async record(tx, change) {
      const { userId, type, subject, data } = change
      const at = clock.now().toISOString()
      const [row] = await insertChange(tx, { userId, type, subject, data: JSON.stringify(data), at })
      const recordedChange = { ...change, id: (row as { id: number }).id, at }
      await accompany(tx, [recordedChange])
      afterCommit(() => {
        notify(recordedChange)
        signals.notify()
      })
      const copies = await copy(tx, [recordedChange])
      if (copies.length > 0) await insertAll(tx, copies)
    },
    recordAll,
    accompany: (write) => void accompaniments.push(write),
    copyBy: (copier) => void copiers.push(copier),
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async prune(before) {
      await placeChanges(database.db)
      const until = new Date(clock.now().getTime() + DAY_MS).toISOString()
      return deletePlacedOutside(database.db, { from: before, until })
    },
  }
}
