import type { Static, TSchema } from 'typebox'
import type { Db } from '../../../database/db.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { isVersioned } from '../../../platform/http/etag.ts'
import type { References } from '../../../platform/portable/references.ts'
import type { Actions, ItemKind } from '../../undo/journal.ts'
import type { Outcome } from './tool.ts'

/** Kinds of items in journal entries. Only tasks, events and emails can be changed by several actions in turn. */
type JournalItem = ItemKind | 'contact' | 'rule' | 'commitment'

/** The ids in the journal entries about each kind of item. */
const REFERENCES: Readonly<Record<JournalItem, References>> = {
  contact: { id: 'contacts' },
  rule: { id: 'mail_rules' },
  commitment: { id: 'commitments' },
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
    const about = item === 'contact' || item === 'rule' || item === 'commitment' ? undefined : item
    actions.define({
      kind,
      ...(about && { about }),
      payload,
      references: REFERENCES[item],
      undo: async (tx, given, _parts, userId) => {
        const thing = await undo(given, tx, userId)
        if (about && hasFoundVersion(given) && isVersioned(thing))
          await actions.restoreVersion(
            tx,
            userId,
            about,
            { id: given.id, version: given.found },
            thing.version,
          )
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
