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
  extendAction,
  insertAction,
  listActions,
  listOfKind,
  listParts,
  listStanding,
  lockAction,
  markUndone,
  updatePayload,
} from './store.ts'

/** What is done again and again to the same thing. */
export type Subject = 'task' | 'event' | 'email'

/** Something that is done for the person rather than by them, and how it is taken back. */
export interface ActionKind<S extends TSchema, P extends TSchema> {
  kind: string
  /** What it leaves in a version, which its payload says by `id` and `version`. */
  about?: Subject
  /** Checked before it is taken back as well, for rows outlive releases. */
  payload: S
  /** Of each piece, where it is done piece by piece. */
  part?: P
  /** Throws a conflict that says why when what was done has been changed since. */
  undo(tx: Db, payload: Static<S>, parts: readonly Static<P>[]): Promise<void>
}

type Check = (given: unknown) => boolean

interface KnownKind {
  about: Subject | undefined
  check: Check
  checkPart: Check
  undo(tx: Db, payload: unknown, parts: readonly unknown[]): Promise<void>
}

/** Compiled when first asked. */
const checkOf = (schema: TSchema | undefined): Check => {
  let checker: Validator | undefined
  return (given) => {
    if (!schema) return false
    checker ??= compileChecker(schema) as Validator
    return checker.Check(given)
  }
}

interface Thing {
  id: number
  version: number
}

/** The payload, in which a thing has another version. */
const withVersion = (value: unknown, { id, version }: Thing, now: number): unknown => {
  if (Array.isArray(value)) return value.map((entry) => withVersion(entry, { id, version }, now))
  if (typeof value !== 'object' || value === null) return value
  const { id: itsId, version: itsVersion } = value as Partial<Thing>
  if (itsId === id && itsVersion === version) return { ...value, version: now }
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, withVersion(inner, { id, version }, now)]),
  )
}

const viewOf = ({ payload: _, ...action }: ActionRecord) => action

export type Actions = ReturnType<typeof createActions>

/** The journal of what was done for the person. */
export const createActions = ({ db, clock, changes }: { db: Db; clock: Clock; changes: Changes }) => {
  const kinds = new Map<string, KnownKind>()
  return {
    /** Rooms say at the start what can be taken back. */
    define<S extends TSchema, P extends TSchema = TSchema>(defined: ActionKind<S, P>): void {
      const { kind, about, payload, part, undo } = defined
      if (kinds.has(kind)) throw new Error(`The action ${kind} is defined twice.`)
      kinds.set(kind, {
        about,
        check: checkOf(payload),
        checkPart: checkOf(part),
        undo: (tx, given, parts) => undo(tx, given as Static<S>, parts as Static<P>[]),
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

    /** Another piece of it, part of the transaction of that piece. */
    async extend(
      tx: Db,
      id: number,
      { kind, summary, payload, part }: { kind: string; summary: string; payload: unknown; part: unknown },
    ): Promise<void> {
      const known = kinds.get(kind)
      if (!known?.check(payload) || !known.checkPart(part))
        throw new Error(`${kind} was extended with a part that does not fit.`)
      const texts = { payload: JSON.stringify(payload), part: JSON.stringify(part) }
      await extendAction(tx, id, { summary, ...texts })
    },

    /** Something is again as it was in a version before: what left it so can be taken back in its turn. */
    async giveBack(tx: Db, about: Subject, thing: Thing, now: number): Promise<void> {
      const alike = [...kinds].filter(([, kind]) => kind.about === about).map(([kind]) => kind)
      const fragment = `"id":${thing.id},"version":${thing.version}`
      for (const { id, payload } of await listStanding(tx, alike, fragment))
        await updatePayload(tx, id, JSON.stringify(withVersion(JSON.parse(payload), thing, now)))
    },

    /** Actions of a kind whose payload, as JSON, contains `fragment`: the newest first. */
    async find<P>(view: Db, kind: string, fragment: string) {
      const rows = await listOfKind(view, kind, fragment)
      return rows.map(({ id, undoneAt, payload }) => ({
        id,
        isUndone: undoneAt !== null,
        payload: JSON.parse(payload) as P,
      }))
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
        const parts: unknown[] = (await listParts(tx, id)).map((part) => JSON.parse(part))
        if (!kind?.check(payload) || !parts.every(kind.checkPart))
          throw conflict('This version cannot take back what an earlier one did.')
        await kind.undo(tx, payload, parts)
        await changes.record(tx, { type: 'action.undone', subject: String(id), data: { kind: action.kind } })
        return viewOf(await markUndone(tx, id, clock.now().toISOString()))
      }),

    prune: (before: string): Promise<void> => deleteActionsBefore(db, before),
  }
}
