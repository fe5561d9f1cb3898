import type { Insertable, Selectable } from 'kysely'
import type { Static, TSchema } from 'typebox'
import type { Validator } from 'typebox/compile'
import { ALL_ACCOUNTS } from '../../database/all-accounts.ts'
import type { Db } from '../../database/db.ts'
import type { ActionRow } from '../../database/tables/instance.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Changes } from '../../platform/changes.ts'
import { compileChecker } from '../../platform/checker.ts'
import type { Clock } from '../../platform/clock.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import { pageOf, readCursor } from '../../platform/http/etag.ts'
import type { PageRequest } from '../../platform/http/shapes.ts'
import {
  type Ids,
  type References,
  SAME_IDS,
  translateReferences,
} from '../../platform/portable/references.ts'

type ActionRecord = Selectable<ActionRow>

const insertAction = async (tx: Db, row: Insertable<ActionRow>): Promise<number> =>
  (await tx.insertInto('actions').values(row).returning('id').executeTakeFirstOrThrow()).id

const extendAction = async (
  tx: Db,
  userId: number,
  id: number,
  { part, ...row }: { summary: string; payload: string; part: string },
): Promise<void> => {
  await tx.updateTable('actions').set(row).where('userId', '=', userId).where('id', '=', id).execute()
  await tx.insertInto('action_parts').values({ actionId: id, payload: part }).execute()
}

/** Lists the parts of an action of the account, oldest first. */
const listParts = async (tx: Db, actionId: number): Promise<string[]> => {
  const rows = await tx
    .selectFrom('action_parts')
    .select('payload')
    .where('actionId', '=', actionId)
    .orderBy('id')
    .execute()
  return rows.map(({ payload }) => payload)
}

const listActions = (
  db: Db,
  userId: number,
  page: { limit: number; below: number | undefined },
): Promise<ActionRecord[]> =>
  db
    .selectFrom('actions')
    .selectAll()
    .where('userId', '=', userId)
    .$if(page.below !== undefined, (query) => query.where('id', '<', page.below as number))
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute()

/** Lists actions of these kinds that are not undone and whose payload contains `fragment`. */
const listNotUndone = (
  tx: Db,
  userId: number,
  kinds: readonly string[],
  fragment: string,
): Promise<Pick<ActionRecord, 'id' | 'payload'>[]> =>
  tx
    .selectFrom('actions')
    .select(['id', 'payload'])
    .where('userId', '=', userId)
    .where('kind', 'in', kinds)
    .where('undoneAt', 'is', null)
    .where('payload', 'like', `%${fragment}%`)
    .execute()

/** Lists actions of a kind whose payload contains `fragment`, newest first. */
const listOfKind = (
  tx: Db,
  userId: number,
  kind: string,
  fragment: string,
): Promise<Pick<ActionRecord, 'id' | 'payload' | 'undoneAt'>[]> =>
  tx
    .selectFrom('actions')
    .select(['id', 'payload', 'undoneAt'])
    .where('userId', '=', userId)
    .where('kind', '=', kind)
    .where('payload', 'like', `%${fragment}%`)
    .orderBy('id', 'desc')
    .execute()

const updatePayload = async (tx: Db, userId: number, id: number, payload: string): Promise<void> => {
  await tx.updateTable('actions').set({ payload }).where('userId', '=', userId).where('id', '=', id).execute()
}

/** Locks the row. Concurrent requests wait for this transaction. */
const lockAction = (tx: Db, userId: number, id: number): Promise<ActionRecord | undefined> =>
  tx
    .updateTable('actions')
    .set((row) => ({ undoneAt: row.ref('undoneAt') }))
    .where('userId', '=', userId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

const markUndone = (tx: Db, userId: number, id: number, undoneAt: string): Promise<ActionRecord> =>
  tx
    .updateTable('actions')
    .set({ undoneAt })
    .where('userId', '=', userId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

const deleteActionsBefore = async (db: Db, at: string): Promise<void> => {
  await db.deleteFrom('actions').where('at', '<', at).modifyEnd(ALL_ACCOUNTS).execute()
}

/** Kinds of items that several actions can change in turn. */
export type Subject = 'task' | 'event' | 'email'

/** A kind of automatic change, and how to undo it. */
export interface ActionKind<S extends TSchema, P extends TSchema> {
  kind: string
  /** Kind of the changed item. The payload contains its `id` and `version`. */
  about?: Subject
  /** Also checked before undo, because rows can come from older releases. */
  payload: S
  /** Schema of each part, for actions that run in several steps. */
  part?: P
  /** The ids in the payload. An import into an instance with data assigns other ids. */
  references?: References
  /** Throws a conflict with the reason if the result has been changed since. `userId` is the account of the action. */
  undo(tx: Db, payload: Static<S>, parts: readonly Static<P>[], userId: number): Promise<void>
}

type Check = (given: unknown) => boolean

interface KnownKind {
  references: References
  about: Subject | undefined
  check: Check
  checkPart: Check
  undo(tx: Db, payload: unknown, parts: readonly unknown[], userId: number): Promise<void>
}

/** Compiles the schema on first use. */
const checkOf = (schema: TSchema | undefined): Check => {
  let checker: Validator | undefined
  return (given) => {
    if (!schema) return false
    checker ??= compileChecker(schema) as Validator
    return checker.Check(given)
  }
}

interface Item {
  id: number
  version: number
}

/** Replaces the version of an item in a payload. */
const withVersion = (value: unknown, { id, version }: Item, now: number): unknown => {
  if (Array.isArray(value)) return value.map((entry) => withVersion(entry, { id, version }, now))
  if (typeof value !== 'object' || value === null) return value
  const { id: itsId, version: itsVersion } = value as Partial<Item>
  if (itsId === id && itsVersion === version) return { ...value, version: now }
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, withVersion(inner, { id, version }, now)]),
  )
}

const viewOf = ({ payload: _, userId: __, ...action }: ActionRecord) => action

export type Actions = ReturnType<typeof createActions>

/** Records automatic changes, so that the person can undo them. */
export const createActions = ({ db, clock, changes }: { db: Db; clock: Clock; changes: Changes }) => {
  const kinds = new Map<string, KnownKind>()
  return {
    /** Registers a kind of action. Features call this at startup. */
    define<S extends TSchema, P extends TSchema = TSchema>(defined: ActionKind<S, P>): void {
      const { kind, about, payload, part, references = {}, undo } = defined
      if (kinds.has(kind)) throw new Error(`The action ${kind} is defined twice.`)
      kinds.set(kind, {
        references,
        about,
        check: checkOf(payload),
        checkPart: checkOf(part),
        undo: (tx, given, parts, userId) => undo(tx, given as Static<S>, parts as Static<P>[], userId),
      })
    },

    /** Must run in the transaction of the change, so that both are stored or neither. */
    async record(
      tx: Db,
      action: { userId: number; kind: string; summary: string; payload: unknown },
    ): Promise<number> {
      const { userId, kind, summary } = action
      if (!kinds.get(kind)?.check(action.payload))
        throw new Error(`The payload of ${kind} does not match its schema.`)
      const payload = JSON.stringify(action.payload)
      const at = clock.now().toISOString()
      return insertAction(tx, { userId, kind, summary, payload, at, undoneAt: null })
    },

    /** Adds a part, in the transaction of that part. */
    async extend(
      tx: Db,
      id: number,
      action: { userId: number; kind: string; summary: string; payload: unknown; part: unknown },
    ): Promise<void> {
      const { userId, kind, summary, payload, part } = action
      const known = kinds.get(kind)
      if (!known?.check(payload) || !known.checkPart(part))
        throw new Error(`A part of ${kind} does not match its schema.`)
      const texts = { payload: JSON.stringify(payload), part: JSON.stringify(part) }
      await extendAction(tx, userId, id, { summary, ...texts })
    },

    /**
     * After an undo, the item has its earlier content with a new version. Updates the version in older
     * actions, so that they can be undone next.
     */
    async restoreVersion(tx: Db, userId: number, about: Subject, thing: Item, now: number): Promise<void> {
      const sameSubjectKinds = [...kinds].filter(([, kind]) => kind.about === about).map(([kind]) => kind)
      const fragment = `"id":${thing.id},"version":${thing.version}`
      for (const { id, payload } of await listNotUndone(tx, userId, sameSubjectKinds, fragment))
        await updatePayload(tx, userId, id, JSON.stringify(withVersion(JSON.parse(payload), thing, now)))
    },

    /** Lists actions of a kind whose JSON payload contains `fragment`, newest first. */
    async find<P>(view: Db, userId: number, kind: string, fragment: string) {
      const rows = await listOfKind(view, userId, kind, fragment)
      return rows.map(({ id, undoneAt, payload }) => ({
        id,
        isUndone: undoneAt !== null,
        payload: JSON.parse(payload) as P,
      }))
    },

    async list(userId: number, { limit, cursor }: PageRequest) {
      const below = readCursor(cursor, 'integer')?.[0]
      const { page, nextCursor } = pageOf(
        await listActions(db, userId, { limit, below }),
        limit,
        ({ id }) => [id],
      )
      return { actions: page.map(viewOf), nextCursor }
    },

    undo: (userId: number, id: number) =>
      inTransaction(db, async (tx) => {
        const action = await lockAction(tx, userId, id)
        if (!action) throw notFound('action')
        if (action.undoneAt !== null) throw conflict('This action has already been undone.')
        const kind = kinds.get(action.kind)
        const payload: unknown = JSON.parse(action.payload)
        const parts: unknown[] = (await listParts(tx, id)).map((part) => JSON.parse(part))
        if (!kind?.check(payload) || !parts.every(kind.checkPart))
          throw conflict('This action was recorded by an older version and can no longer be undone.')
        await kind.undo(tx, payload, parts, userId)
        await changes.record(tx, {
          userId,
          type: 'action.undone',
          subject: String(id),
          data: { kind: action.kind },
        })
        return viewOf(await markUndone(tx, userId, id, clock.now().toISOString()))
      }),

    /** Translates the ids in the payload of an imported action. Actions of unknown kinds cannot be undone. */
    translatePayload(kind: string, payload: string, ids: Ids): string {
      const known = kinds.get(kind)
      if (!known) return ids === SAME_IDS ? payload : '{}'
      try {
        return JSON.stringify(translateReferences(JSON.parse(payload), known.references, ids))
      } catch (error) {
        throw new Error(`payload ${(error as Error).message}`)
      }
    },

    prune: (before: string): Promise<void> => deleteActionsBefore(db, before),
  }
}
