import Type, { type Static } from 'typebox'
import type { Db } from '../../../database/db.ts'
import { createBreather } from '../../../platform/breather.ts'
import { conflict } from '../../../platform/errors.ts'
import { digest } from '../../../platform/secrets/digest.ts'
import type { Actions } from '../../actions/actions.ts'
import { type EventFields, type EventRecord, fieldsOf } from '../event.ts'
import { deleteEvent, listByUid, listNamed, lockByUid } from '../event-store.ts'
import type { Told } from '../icalendar/entry.ts'
import { readExtra } from '../icalendar/extra.ts'
import type { Saving } from '../saving.ts'
import type { Verdict } from './scheduling.ts'

const KIND = 'calendar.imported'
const AT_ONCE = 200
const Text = Type.String()
const TextOrNull = Type.Union([Text, Type.Null()])
const IdOrNull = Type.Union([Type.Integer(), Type.Null()])
const Anything = Type.Array(Type.Unknown())

const Fields = Type.Object({
  ...{ uid: Text, title: Text, description: Text, location: Text, meetingUrl: TextOrNull, notes: Text },
  ...{ start: Text, end: Text, allDay: Type.Boolean(), timezone: Text, status: Text, source: Text },
  ...{ bookingId: TextOrNull, organizer: Type.Unknown(), attendees: Anything, reminders: Anything },
  ...{ tags: Type.Array(Text), recurrence: TextOrNull, exdates: Type.Array(Text), rdates: Type.Array(Text) },
  ...{ busy: Type.Boolean(), emailId: IdOrNull },
})
/** An event as it was before the file. */
const Before = Type.Object({
  ...{ id: Type.Integer(), seriesId: IdOrNull, recurrenceId: Text, sequence: Type.Integer() },
  ...{ extra: TextOrNull, revisedAt: TextOrNull, createdAt: Text, fields: Fields },
})
/** What the file changed: what it was, and how the file left it; null where there was or is nothing. */
export const Changed = Type.Object({
  uid: Text,
  recurrenceId: Text,
  before: Type.Union([Before, Type.Null()]),
  left: Type.Union([
    // An earlier version wrote no print.
    Type.Object({ id: Type.Integer(), version: Type.Integer(), print: Type.Optional(Text) }),
    Type.Null(),
  ]),
})
export type Changed = Static<typeof Changed>

const beforeOf = (row: EventRecord): Static<typeof Before> => {
  const { id, seriesId, recurrenceId, sequence, extra, revisedAt, createdAt } = row
  return { id, seriesId, recurrenceId, sequence, extra, revisedAt, createdAt, fields: fieldsOf(row) }
}

/** By which it is known that an event says what it said, whatever became of it in between. */
const printOf = (row: EventRecord): string => {
  const { id: _, seriesId: __, ...said } = beforeOf(row)
  return digest(JSON.stringify(said))
}

/** As it was left: by nobody touched, or brought back to that, as by taking back a later file. */
const isAsLeft = (left: Changed['left'], row: EventRecord | undefined): boolean => {
  if (!left || !row) return !left && !row
  return (row.id === left.id && row.version === left.version) || printOf(row) === left.print
}

const nameOf = ({ uid, recurrenceId }: { uid: string; recurrenceId: string }): string =>
  `${recurrenceId} ${uid}`

/** A series counts what was changed of its occurrences, and says the same as before. */
const isSame = (a: EventRecord | undefined, b: EventRecord | undefined): boolean =>
  a !== undefined &&
  b !== undefined &&
  a.id === b.id &&
  a.seriesId === b.seriesId &&
  (a.version === b.version || printOf(a) === printOf(b))

/** How far the journal of one import has come. */
export interface Noted {
  actionId: number | null
  parts: number
  created: number
  updated: number
}
export const NOTHING_NOTED: Noted = { actionId: null, parts: 0, created: 0, updated: 0 }

/** Is told what is about to be written. */
export type Witness = (tx: Db, written: readonly Told[]) => Promise<void>

/** All that these may change: with a series, or what is called off, whatever else goes by its uid. */
export const readConcerned = async (tx: Db, written: readonly Told[]): Promise<Map<string, EventRecord>> => {
  const whole = new Set(
    written.flatMap(({ method, entry }) =>
      entry.recurrenceId === null || method === 'CANCEL' ? [entry.uid] : [],
    ),
  )
  const rest = written.map(({ entry }) => entry).filter(({ uid }) => !whole.has(uid))
  const rows: EventRecord[] = []
  if (whole.size > 0) rows.push(...(await listByUid(tx, [...whole])))
  const continued = new Set(rows.flatMap(({ extra }) => readExtra(extra).continued ?? []))
  const others = [...continued.difference(whole)]
  if (others.length > 0) rows.push(...(await listByUid(tx, others)))
  if (rest.length > 0) {
    const [uids, recurrenceIds] = [rest.map(({ uid }) => uid), rest.map((one) => one.recurrenceId as string)]
    rows.push(...(await listNamed(tx, [...new Set(uids)], [...new Set(recurrenceIds)])))
  }
  return new Map(rows.map((row) => [nameOf(row), row]))
}

/** Events that a change touched: each as it was before and as it is after. */
export const changesBetween = (
  before: ReadonlyMap<string, EventRecord>,
  after: ReadonlyMap<string, EventRecord>,
): Changed[] =>
  [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const [was, is] = [before.get(name), after.get(name)]
    if (isSame(was, is)) return []
    const { uid, recurrenceId } = (was ?? is) as EventRecord
    return {
      uid,
      recurrenceId,
      before: was ? beforeOf(was) : null,
      left: is ? { id: is.id, version: is.version, print: printOf(is) } : null,
    }
  })

/** Pieces of one import may tell of the same: what it was before the first, and what the last left of it. */
const joined = (parts: readonly { events: Changed[] }[]): Map<string, Changed[]> => {
  const changed = new Map<string, Changed>()
  for (const one of parts.flatMap(({ events }) => events))
    changed.set(nameOf(one), { ...one, before: (changed.get(nameOf(one)) ?? one).before })
  return Map.groupBy(changed.values(), ({ uid }) => uid)
}

const seriesFirst = (a: Static<typeof Before>, b: Static<typeof Before>): number =>
  Number(a.seriesId !== null) - Number(b.seriesId !== null)

/** Which e-mail an event that is restored comes from. */
type EmailOf = (tx: Db, row: EventRecord | undefined, former: number | null) => Promise<number | null>

/** Brings events back to what they were, as long as nobody has changed them since. */
export const createRestoration = (saving: Saving) => {
  /** With a series go its changed occurrences, also those that were here before it. */
  const remove = async (tx: Db, row: EventRecord, here: Map<string, EventRecord>): Promise<void> => {
    await deleteEvent(tx, row.id)
    for (const [name, one] of here) if (one.id === row.id || one.seriesId === row.id) here.delete(name)
    await (row.seriesId === null ? saving.removed(tx, row) : saving.restored(tx, row))
  }

  /** What goes by one uid. */
  return async (
    tx: Db,
    changed: readonly Changed[],
    present: EventRecord[],
    emailOf?: EmailOf,
  ): Promise<void> => {
    const here = new Map(present.map((row) => [nameOf(row), row]))
    // What the person has removed meanwhile stays so.
    const standing = changed.filter((one) => one.left === null || here.has(nameOf(one)))
    for (const one of standing) {
      const row = here.get(nameOf(one))
      if (!isAsLeft(one.left, row)) throw conflict(`The event “${row?.title ?? ''}” has been changed since.`)
    }
    for (const one of standing) {
      const row = here.get(nameOf(one))
      if (row && one.before === null) await remove(tx, row, here)
    }
    const numbers = new Map<number, number>()
    const mails = present.map(({ emailId }) => emailId)
    const befores = standing.flatMap(({ before }) => before ?? []).sort(seriesFirst)
    for (const { id, seriesId, fields, ...kept } of befores) {
      const row = here.get(nameOf({ ...kept, uid: fields.uid }))
      // A series that was brought back meanwhile has another number.
      const series = here.get(nameOf({ uid: fields.uid, recurrenceId: '' }))?.id
      const as = { ...kept, seriesId: seriesId && (numbers.get(seriesId) ?? series ?? seriesId) }
      // No file changes it, but the e-mail may have been deleted since.
      const emailId = emailOf
        ? await emailOf(tx, row, fields.emailId)
        : row
          ? row.emailId
          : (mails.find((mail) => mail === fields.emailId) ?? null)
      const was = { ...(fields as EventFields), emailId }
      if (row) {
        await saving.update(tx, row, was, as)
        if (as.seriesId !== null) await saving.touch(tx, [as.seriesId])
      } else
        for (const made of await saving.insertAll(tx, [{ fields: was, kept: as }])) numbers.set(id, made.id)
    }
    const series = present.find(({ recurrenceId }) => recurrenceId === '')?.id ?? [...numbers.values()][0]
    if (series !== undefined) await saving.expandAnew(tx, series)
  }
}

export type ImportJournal = ReturnType<typeof createImportJournal>

/** What a calendar file brought in or changed is written down with it, and can be taken back while nobody has touched it. */
export const createImportJournal = ({ actions, saving }: { actions: Actions; saving: Saving }) => {
  const takeBack = createRestoration(saving)

  actions.define({
    kind: KIND,
    payload: Type.Object({ parts: Type.Integer() }),
    part: Type.Object({ events: Type.Array(Changed) }),
    async undo(tx, payload, parts) {
      if (payload.parts !== parts.length)
        throw conflict('What it takes to take it back is not here any more.')
      const breathe = createBreather()
      const families = [...joined(parts)]
      for (let at = 0; at < families.length; at += AT_ONCE) {
        const some = families.slice(at, at + AT_ONCE)
        const rows = await lockByUid(
          tx,
          some.map(([uid]) => uid),
        )
        const present = Map.groupBy(rows, ({ uid }) => uid)
        for (const [uid, changed] of some) {
          await takeBack(tx, changed, present.get(uid) ?? [])
          await breathe()
        }
      }
    },
  })

  return {
    /** Writes a piece of an import, and it into the journal. */
    async write(
      tx: Db,
      noted: Noted,
      work: (witness: Witness) => Promise<Verdict[]>,
    ): Promise<{ verdicts: Verdict[]; noted: Noted }> {
      let concerned: readonly Told[] = []
      let before = new Map<string, EventRecord>()
      const verdicts = await work(async (at, written) => {
        concerned = written
        before = await readConcerned(at, written)
      })
      const created = noted.created + verdicts.filter((verdict) => verdict === 'created').length
      const updated = noted.updated + verdicts.filter((verdict) => verdict === 'updated').length
      if (created + updated === noted.created + noted.updated) return { verdicts, noted }
      const events = changesBetween(before, await readConcerned(tx, concerned))
      const parts = noted.parts + 1
      const summary = `Imported a calendar file: ${created} new, ${updated} changed`
      const said = { kind: KIND, summary, payload: { parts } }
      const actionId = noted.actionId ?? (await actions.record(tx, said))
      await actions.extend(tx, actionId, { ...said, part: { events } })
      return { verdicts, noted: { actionId, parts, created, updated } }
    },
  }
}
