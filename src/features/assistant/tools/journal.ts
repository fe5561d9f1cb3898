import Type, { type Static, type TSchema } from 'typebox'
import type { Db } from '../../../database/db.ts'
import type { Folder } from '../../../database/tables/mail.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { AppError, conflict } from '../../../platform/errors.ts'
import { etagOf, isVersioned } from '../../../platform/http/etag.ts'
import type { References } from '../../../platform/portable/references.ts'
import type { Actions, ItemKind } from '../../undo/journal.ts'
import type { Outcome } from './tool.ts'

/** Item and version after the change of the assistant. */
export const ChangedItem = { id: Type.Integer(), version: Type.Integer() }
/** `found` is the version before the change. */
export const Changed = { ...ChangedItem, found: Type.Optional(Type.Integer()) }
/** The folder that an email was moved to, if it is in several. Entries of older versions have none. */
export const MovedTo = Type.Optional(Type.Unsafe<Folder>(Type.String()))
const Fields = Type.Record(Type.String(), Type.Unknown())
/** The values of fields before a change. Entries of earlier versions can have other fields, so they are not checked. */
export const fieldsOf = <C>() => Type.Unsafe<C>(Fields)

export const changedError = (what: string): AppError =>
  conflict(`The ${what} has been changed or deleted since.`)

/** Undoes a change, unless the item was changed since: later changes of the person are kept. */
export const unlessChanged = async <T>(
  what: string,
  left: { id: number; version: number },
  undo: (etag: string) => Promise<T>,
): Promise<T> => {
  try {
    return await undo(etagOf(left))
  } catch (error) {
    if (error instanceof AppError && (error.kind === 'precondition' || error.kind === 'not_found'))
      throw changedError(what)
    throw error
  }
}

/** Fields that link an item to its source, its place or its person. */
const LINKS = ['emailId', 'eventId', 'listId', 'sectionId', 'parentId', 'assigneeId']

/** Recreates a deleted item. Drops links to items that no longer exist, so that they get their default. */
export const recreate = async <C extends object, T>(
  before: C,
  make: (before: C) => Promise<T>,
): Promise<T> => {
  try {
    return await make(before)
  } catch (error) {
    const wrong = error instanceof AppError && error.kind === 'invalid' ? (error.details.errors ?? []) : []
    const lost = wrong.map(({ path }) => path).filter((path) => LINKS.includes(path))
    if (lost.length === 0) throw error
    const kept = Object.entries(before).filter(([name]) => !lost.includes(name))
    return recreate(Object.fromEntries(kept) as C, make)
  }
}

/** Picks the old values of the changed fields. */
export const pickValues = <E extends object>(from: E, names: readonly string[]): Partial<E> => {
  const values = new Map<string, unknown>(Object.entries(from))
  return Object.fromEntries(names.map((name) => [name, values.get(name) ?? null])) as Partial<E>
}

/** Kinds of items in journal entries. Only tasks, events and emails can be changed by several actions in turn. */
type JournalItem = ItemKind | 'contact' | 'rule' | 'commitment' | 'comment' | 'timeEntry'

const isChangedInTurn = (item: JournalItem): item is ItemKind =>
  item === 'task' || item === 'event' || item === 'email'

/** The ids in the journal entries about each kind of item. */
const REFERENCES: Readonly<Record<JournalItem, References>> = {
  contact: { id: 'contacts' },
  rule: { id: 'mail_rules' },
  commitment: { id: 'commitments' },
  comment: { id: 'task_comments', taskId: 'tasks' },
  timeEntry: {
    id: 'time_entries',
    taskId: 'tasks',
    'stopped.id': 'time_entries',
    'stopped.taskId': 'tasks',
  },
  task: {
    id: 'tasks',
    'tasks.*.id': 'tasks',
    'deleted.*.before.emailId': 'emails',
    'deleted.*.before.eventId': 'events',
    'deleted.*.before.listId': 'task_lists',
    'before.emailId': 'emails',
    'before.eventId': 'events',
    'before.listId': 'task_lists',
  },
  event: {
    id: 'events',
    'before.emailId': 'emails',
    'before.calendarId': 'calendars',
    'after.emailId': 'emails',
    'after.calendarId': 'calendars',
  },
  email: { id: 'emails', 'emails.*.id': 'emails' },
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Payloads of a changed item contain the version before the change. */
const hasFoundVersion = (payload: unknown): payload is { id: number; found: number } =>
  isObject(payload) && 'id' in payload && 'found' in payload && payload.found !== undefined

const hasBefore = (payload: unknown): payload is { before: Record<string, unknown> } =>
  isObject(payload) && 'before' in payload && isObject(payload.before)

export type Journal = ReturnType<typeof createJournal>

/** Runs a change of the assistant and records how to undo it, in one transaction. */
export const createJournal = ({ db, actions }: { db: Db; actions: Actions }) => ({
  define<S extends TSchema>(
    item: JournalItem,
    kind: `assistant.${string}`,
    payload: S,
    undo: (payload: Static<S>, tx: Db, userId: number) => Promise<unknown>,
  ): <R>(
    userId: number,
    act: (tx: Db) => Promise<{ result: R; summary: string; payload: Static<S> }>,
  ) => Promise<Outcome<R> & { undoId: number }> {
    const about = isChangedInTurn(item) ? item : undefined
    actions.define({
      kind,
      ...(about && { about }),
      payload,
      references: REFERENCES[item],
      undo: async (tx, given, _parts, userId) => {
        const restored = await undo(given, tx, userId)
        if (!about || !hasFoundVersion(given) || !isVersioned(restored)) return
        const found = { id: given.id, version: given.found }
        await actions.restoreVersion(tx, userId, about, found, restored.version)
      },
    })
    return (userId, act) =>
      inTransaction(db, async (tx) => {
        const { result, summary, payload: kept } = await act(tx)
        const undoId = await actions.record(tx, { userId, kind, summary, payload: kept })
        return { result, undoId, ...(hasBefore(kept) && { before: kept.before }) }
      })
  },
})
