import type { Insertable, Selectable } from 'kysely'
import type { Static, TNever, TSchema } from 'typebox'
import { ALL_ACCOUNTS } from '../../database/all-accounts.ts'
import type { Db } from '../../database/db.ts'
import type { ActionRow, ActionSubjectRow } from '../../database/tables/instance.ts'
import { inTransaction } from '../../database/transaction.ts'
import { compileChecker } from '../../platform/checker.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import type { PageRequest } from '../../platform/http/shapes.ts'
import type { Platform } from '../../platform/platform.ts'
import {
  type Ids,
  type References,
  SAME_IDS,
  translateReferences,
} from '../../platform/portable/references.ts'
import { readByNumber } from '../../platform/resources.ts'

type ActionRecord = Selectable<ActionRow>

/** Rows of one statement. */
const MAX_ROWS = 200

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

type StoredAction = Pick<ActionRecord, 'id' | 'kind' | 'payload' | 'undoneAt'>

/** Lists actions of these kinds about a subject, in no order. */
const listAbout = (
  view: Db,
  userId: number,
  kinds: readonly string[],
  { kind, id }: Subject,
): Promise<StoredAction[]> =>
  view
    .selectFrom('action_subjects')
    .innerJoin('actions', 'actions.id', 'action_subjects.actionId')
    .select(['actions.id', 'actions.kind', 'actions.payload', 'actions.undoneAt'])
    .where('action_subjects.userId', '=', userId)
    .where('action_subjects.kind', '=', kind)
    .where('action_subjects.subjectId', '=', String(id))
    .where('actions.userId', '=', userId)
    .where('actions.kind', 'in', kinds)
    .execute()

/** Lists actions of these kinds whose subjects are only in their payloads. */
const listWithoutSubjects = (view: Db, userId: number, kinds: readonly string[]): Promise<StoredAction[]> =>
  view
    .selectFrom('actions')
    .select(['id', 'kind', 'payload', 'undoneAt'])
    .where('userId', '=', userId)
    .where('kind', 'in', kinds)
    .where('hasSubjects', 'is', null)
    .execute()

/** Stores the subjects of an action, besides those that are stored. */
const addSubjects = async (
  tx: Db,
  userId: number,
  actionId: number,
  subjects: readonly Subject[],
): Promise<void> => {
  const rows = subjects.map(({ kind, id }) => ({ userId, kind, subjectId: String(id), actionId }))
  for (let at = 0; at < rows.length; at += MAX_ROWS)
    await tx
      .insertInto('action_subjects')
      .values(rows.slice(at, at + MAX_ROWS))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

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
export type ItemKind = 'task' | 'event' | 'email'

/** An item that an action is about, or a revision that it applied. */
export interface Subject {
  kind: ActionSubjectRow['kind']
  id: number | string
}

/** A kind of automatic change, and how to undo it. */
export interface ActionKind<S extends TSchema, P extends TSchema> {
  kind: string
  /** Kind of the changed item. The payload contains its `id` and `version`. */
  about?: ItemKind
  /** Lists the subjects that find the action. Default: all items of the payload, if `about` is set. */
  subjects?(payload: Static<S>): readonly Subject[]
  /** Also checked before undo, because rows can come from older releases. */
  payload: S
  /** Schema of each part, for actions that run in several steps. */
  part?: P
  /** The ids in the payload. An import into an instance with data assigns other ids. */
  references?: References
  /** Throws a conflict with the reason if the result has been changed since. `userId` is the account of the action. */
  undo(tx: Db, payload: Static<S>, parts: readonly Static<P>[], userId: number): Promise<void>
}

type Check<T> = (given: unknown) => given is T

interface KnownKind {
  references: References
  about: ItemKind | undefined
  check(payload: unknown): boolean
  checkPart(part: unknown): boolean
  /** Returns none for a payload that does not match the schema. */
  listSubjects(payload: unknown): readonly Subject[]
  /** Returns false if the payload or a part does not match its schema. */
  undo(tx: Db, payload: unknown, parts: readonly unknown[], userId: number): Promise<boolean>
}

/** Compiles the schema on first use. */
const checkOf =
  <S extends TSchema>(schema: S): Check<Static<S>> =>
  (given): given is Static<S> =>
    compileChecker(schema).Check(given)

interface Item {
  id: number
  version: number
}

const isItem = (value: object): value is Item =>
  'id' in value && 'version' in value && typeof value.id === 'number' && typeof value.version === 'number'

/** Lists the ids of all items in a payload. */
const listItemIds = (value: unknown): number[] => {
  if (typeof value !== 'object' || value === null) return []
  return [...(isItem(value) ? [value.id] : []), ...Object.values(value).flatMap(listItemIds)]
}

/** Replaces the version of an item in a payload. */
const withVersion = (value: unknown, { id, version }: Item, newVersion: number): unknown => {
  if (Array.isArray(value)) return value.map((entry) => withVersion(entry, { id, version }, newVersion))
  if (typeof value !== 'object' || value === null) return value
  if (isItem(value) && value.id === id && value.version === version) return { ...value, version: newVersion }
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, withVersion(inner, { id, version }, newVersion)]),
  )
}

const viewOf = ({ payload: _, userId: __, hasSubjects: ___, ...action }: ActionRecord) => action

export type Actions = ReturnType<typeof createActions>

/** Records automatic changes, so that the person can undo them. */
export const createActions = ({ db, clock, changes }: Pick<Platform, 'db' | 'clock' | 'changes'>) => {
  const kinds = new Map<string, KnownKind>()

  /** Lists actions of these kinds about a subject that are stored with or without subjects, newest first. */
  const findAbout = async (view: Db, userId: number, names: readonly string[], subject: Subject) => {
    const isAbout = ({ kind, payload }: StoredAction): boolean => {
      const subjects = kinds.get(kind)?.listSubjects(JSON.parse(payload)) ?? []
      return subjects.some((one) => one.kind === subject.kind && one.id === subject.id)
    }
    const found = await listAbout(view, userId, names, subject)
    const others = (await listWithoutSubjects(view, userId, names)).filter(isAbout)
    return [...found, ...others].toSorted((a, b) => b.id - a.id)
  }

  return {
    /** Declares a kind of action, and returns how to find its actions. Features call this at startup. */
    define<S extends TSchema, P extends TSchema = TNever>(defined: ActionKind<S, P>) {
      const { kind, about, subjects, references = {}, undo } = defined
      if (kinds.has(kind)) throw new Error(`The action ${kind} is defined twice.`)
      const check = checkOf(defined.payload)
      const checkPart: Check<Static<P>> = (part): part is Static<P> =>
        defined.part !== undefined && checkOf(defined.part)(part)
      kinds.set(kind, {
        references,
        about,
        check,
        checkPart,
        listSubjects(payload) {
          if (!check(payload)) return []
          if (subjects) return subjects(payload)
          return about ? listItemIds(payload).map((id) => ({ kind: about, id })) : []
        },
        async undo(tx, payload, parts, userId) {
          if (!check(payload) || !parts.every(checkPart)) return false
          await undo(tx, payload, parts, userId)
          return true
        },
      })
      return {
        /** Lists actions of this kind about a subject, newest first. */
        async find(view: Db, userId: number, subject: Subject) {
          const rows = await findAbout(view, userId, [kind], subject)
          return rows.flatMap(({ id, undoneAt, payload: stored }) => {
            const payload: unknown = JSON.parse(stored)
            return check(payload) ? [{ id, isUndone: undoneAt !== null, payload }] : []
          })
        },
      }
    },

    /** Must run in the transaction of the change, so that both are stored or neither. */
    async record(
      tx: Db,
      action: { userId: number; kind: string; summary: string; payload: unknown },
    ): Promise<number> {
      const { userId, kind, summary } = action
      const known = kinds.get(kind)
      if (!known?.check(action.payload)) throw new Error(`The payload of ${kind} does not match its schema.`)
      const payload = JSON.stringify(action.payload)
      const at = clock.now().toISOString()
      const id = await insertAction(tx, {
        userId,
        kind,
        summary,
        payload,
        at,
        undoneAt: null,
        hasSubjects: 1,
      })
      await addSubjects(tx, userId, id, known.listSubjects(action.payload))
      return id
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
      await addSubjects(tx, userId, id, known.listSubjects(payload))
    },

    /**
     * After an undo, the item has its earlier content with a new version. Updates the version in older
     * actions, so that they can be undone next.
     */
    async restoreVersion(
      tx: Db,
      userId: number,
      about: ItemKind,
      item: Item,
      restoredVersion: number,
    ): Promise<void> {
      const sameSubjectKinds = [...kinds].filter(([, kind]) => kind.about === about).map(([kind]) => kind)
      const subject = { kind: about, id: item.id }
      for (const { id, payload, undoneAt } of await findAbout(tx, userId, sameSubjectKinds, subject)) {
        const restored = JSON.stringify(withVersion(JSON.parse(payload), item, restoredVersion))
        if (undoneAt === null && restored !== payload) await updatePayload(tx, userId, id, restored)
      }
    },

    async list(userId: number, request: PageRequest) {
      const actions = db.selectFrom('actions').selectAll().where('userId', '=', userId)
      const { page, nextCursor } = await readByNumber(actions, request, 'desc')
      return { actions: page.map(viewOf), nextCursor }
    },

    undo: (userId: number, id: number) =>
      inTransaction(db, async (tx) => {
        const action = await lockAction(tx, userId, id)
        if (!action) throw notFound('action')
        if (action.undoneAt !== null) throw conflict('This action has already been undone.')
        const kind = kinds.get(action.kind)
        if (!kind)
          throw conflict(
            `This version does not know how to undo actions of the kind “${action.kind}”. Undo it with the version that recorded it.`,
          )
        const payload: unknown = JSON.parse(action.payload)
        const parts: unknown[] = (await listParts(tx, id)).map((part) => JSON.parse(part))
        if (!(await kind.undo(tx, payload, parts, userId)))
          throw conflict('This action was recorded by an older version and can no longer be undone.')
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
