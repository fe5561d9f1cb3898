import Type, { type Static, type TSchema } from 'typebox'
import type { Db } from '../../../database/db.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { AppError, conflict } from '../../../platform/errors.ts'
import { etagOf, isVersioned } from '../../../platform/http/etag.ts'
import type { Actions, Subject } from '../../actions/actions.ts'

/** A thing, in the version that the assistant left it in. */
export const Left = { id: Type.Integer(), version: Type.Integer() }
/** The same, and the version that it found it in. */
export const Changed = { ...Left, found: Type.Optional(Type.Integer()) }
export const Fields = Type.Record(Type.String(), Type.Unknown())

export const changedSince = (what: string): AppError =>
  conflict(`The ${what} has been changed or removed since.`)

/** Takes something back, unless it was changed since: that is the person's, and stays. */
export const unlessChanged = async <T>(
  what: string,
  left: { id: number; version: number },
  undo: (etag: string) => Promise<T>,
): Promise<T> => {
  try {
    return await undo(etagOf(left))
  } catch (error) {
    if (error instanceof AppError && (error.kind === 'precondition' || error.kind === 'not_found'))
      throw changedSince(what)
    throw error
  }
}

/** What a thing may have come from. */
const LINKS = ['emailId', 'eventId']

/** Makes again what was removed. What it came from may be gone by now: then it is made without the link. */
export const remake = async <T>(
  before: Record<string, unknown>,
  make: (before: Record<string, unknown>) => Promise<T>,
): Promise<T> => {
  try {
    return await make(before)
  } catch (error) {
    const wrong = error instanceof AppError && error.kind === 'invalid' ? (error.details.errors ?? []) : []
    const lost = wrong.map(({ path }) => path).filter((path) => LINKS.includes(path))
    if (lost.length === 0) throw error
    return remake({ ...before, ...Object.fromEntries(lost.map((path) => [path, null])) }, make)
  }
}

export type Journal = ReturnType<typeof createJournal>

/** What the assistant does is done and written down in one transaction, with how it is taken back. */
export const createJournal = ({ db, actions }: { db: Db; actions: Actions }) => ({
  define<S extends TSchema>(
    kind: string,
    payload: S,
    undo: (payload: Static<S>, tx: Db) => Promise<unknown>,
  ): (
    act: (tx: Db) => Promise<{ result: unknown; summary: string; payload: Static<S> }>,
  ) => Promise<{ result: unknown; undoId: number }> {
    const name = `assistant.${kind}`
    const about = kind.split('_', 1)[0] as Subject
    actions.define({
      kind: name,
      about,
      payload,
      undo: async (tx, given) => {
        const thing = await undo(given, tx)
        const { id, found } = given as { id: number; found?: number }
        if (found !== undefined && isVersioned(thing))
          await actions.giveBack(tx, about, { id, version: found }, thing.version)
      },
    })
    return (act) =>
      inTransaction(db, async (tx) => {
        const { result, summary, payload: kept } = await act(tx)
        return { result, undoId: await actions.record(tx, { kind: name, summary, payload: kept }) }
      })
  },
})

/** Of what there was, that which a change names. */
export const pick = (from: object, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, (from as Record<string, unknown>)[name] ?? null]))
