import type { Static, TSchema } from 'typebox'
import type { Validator } from 'typebox/compile'
import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Changes } from '../../platform/changes.ts'
import { compileChecker } from '../../platform/checker.ts'
import type { Clock } from '../../platform/clock.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import { pageOf, readCursor } from '../../platform/http/cursor.ts'
import type { PageRequest } from '../../platform/http/shapes.ts'
import {
  type ActionRecord,
  deleteActionsBefore,
  insertAction,
  listActions,
  lockAction,
  markUndone,
} from './store.ts'

/** Something that is done for the person rather than by them, and how it is taken back. */
export interface ActionKind<S extends TSchema> {
  kind: string
  /** Checked before it is taken back as well, for rows outlive releases. */
  payload: S
  /** Throws a conflict that says why when what was done has been changed since. */
  undo(tx: Db, payload: Static<S>): Promise<void>
}

interface KnownKind {
  check(payload: unknown): boolean
  undo(tx: Db, payload: unknown): Promise<void>
}

const viewOf = ({ payload: _, ...action }: ActionRecord) => action

export type Actions = ReturnType<typeof createActions>

/** The journal of what was done for the person. */
export const createActions = ({ db, clock, changes }: { db: Db; clock: Clock; changes: Changes }) => {
  const kinds = new Map<string, KnownKind>()
  return {
    /** Rooms say at the start what can be taken back. */
    define<S extends TSchema>({ kind, payload, undo }: ActionKind<S>): void {
      if (kinds.has(kind)) throw new Error(`The action ${kind} is defined twice.`)
      let checker: Validator | undefined
      kinds.set(kind, {
        check(given) {
          checker ??= compileChecker(payload) as Validator
          return checker.Check(given)
        },
        undo: (tx, given) => undo(tx, given as Static<S>),
      })
    },

    /** Part of the transaction of what is done: there is never one without the other. */
    async record(tx: Db, action: { kind: string; summary: string; payload: unknown }): Promise<number> {
      const { kind, summary } = action
      if (!kinds.get(kind)?.check(action.payload))
        throw new Error(`${kind} was recorded with a payload that does not fit.`)
      const payload = JSON.stringify(action.payload)
      return insertAction(tx, { kind, summary, payload, at: clock.now().toISOString(), undoneAt: null })
    },

    async list({ limit, cursor }: PageRequest) {
      const below = readCursor(cursor, 'integer')?.[0]
      const { page, nextCursor } = pageOf(await listActions(db, { limit, below }), limit, ({ id }) => [id])
      return { actions: page.map(viewOf), nextCursor }
    },

    undo: (id: number) =>
      inTransaction(db, async (tx) => {
        const action = await lockAction(tx, id)
        if (!action) throw notFound('action')
        if (action.undoneAt !== null) throw conflict('This has been taken back already.')
        const kind = kinds.get(action.kind)
        const payload: unknown = JSON.parse(action.payload)
        if (!kind?.check(payload)) throw conflict('This version cannot take back what an earlier one did.')
        await kind.undo(tx, payload)
        await changes.record(tx, { type: 'action.undone', subject: String(id), data: { kind: action.kind } })
        return viewOf(await markUndone(tx, id, clock.now().toISOString()))
      }),

    prune: (before: string): Promise<void> => deleteActionsBefore(db, before),
  }
}
