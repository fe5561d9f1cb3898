import Type, { type Static, type TSchema } from 'typebox'
import type { Db } from '../../../database/db.ts'
import type { ChangeData } from '../../../platform/changes.ts'
import { conflict } from '../../../platform/errors.ts'
import { fingerprint, hasFingerprint, isSameJson } from '../../../platform/fingerprint.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { References } from '../../../platform/portable/references.ts'
import { createYielder } from '../../../platform/yield.ts'
import type { Actions } from '../../undo/journal.ts'
import { holdCalendar } from '../calendars/repository.ts'
import { EventFields, type EventRecord, fieldsOf, type SharedField, toDetailField } from '../event.ts'
import { listByUid, listNamed, lockByUid } from '../event-repository.ts'
import type { Saving } from '../event-writer.ts'
import { type Entry, type FoundEvent, keyByName, nameOf, readExtra } from '../ical/entry.ts'
import { nameIn, type Targets } from '../invitations/update-decision.ts'
import type { Verdict } from './batch.ts'

const IMPORT_KIND = 'calendar.imported'
const BATCH_SIZE = 200
const Text = Type.String()
const TextOrNull = Type.Union([Text, Type.Null()])
const IdOrNull = Type.Union([Type.Integer(), Type.Null()])

/** A schema without limits: imported events may exceed those of the API. */
const loosen = (schema: TSchema): TSchema => {
  const { type, anyOf } = schema as { type?: string; anyOf?: TSchema[] }
  if (anyOf) return Type.Union(anyOf.map(loosen))
  if (type === 'array') return Type.Array(Type.Unknown())
  return type === undefined || type === 'object' ? Type.Unknown() : Type.Unsafe({ type })
}
const Fields = Type.Unsafe<EventFields>(
  Type.Object(
    Object.fromEntries(
      Object.entries(EventFields.properties).map(([name, schema]) => [
        name,
        // Missing in records of an earlier version.
        name === 'bufferBefore' || name === 'bufferAfter' ? Type.Optional(loosen(schema)) : loosen(schema),
      ]),
    ),
  ),
)
/** The state of an event before the import. */
const Before = Type.Object({
  id: Type.Integer(),
  seriesId: IdOrNull,
  recurrenceId: Text,
  sequence: Type.Integer(),
  extra: TextOrNull,
  revisedAt: TextOrNull,
  createdAt: Text,
  fields: Fields,
  // Missing in records of an earlier version.
  calendarId: Type.Optional(Type.Integer()),
})
/** A changed event: its state before and after the import. Null if it did not exist. */
export const Changed = Type.Object({
  uid: Text,
  recurrenceId: Text,
  before: Type.Union([Before, Type.Null()]),
  left: Type.Union([
    // Missing in records of an earlier version.
    Type.Object({ id: Type.Integer(), version: Type.Integer(), print: Type.Optional(Text) }),
    Type.Null(),
  ]),
})
export type Changed = Static<typeof Changed>

/** Events that were written: a verdict for each, and what has changed. */
export interface WrittenEvents {
  verdicts: Verdict[]
  changed: Changed[]
}

/** The ids in a list of changed events. */
export const changedReferences = (path: string): References => ({
  [`${path}.*.before.id`]: 'events',
  [`${path}.*.before.seriesId`]: 'events',
  [`${path}.*.before.calendarId`]: 'calendars',
  [`${path}.*.before.fields.emailId`]: 'emails',
  [`${path}.*.left.id`]: 'events',
})

const beforeOf = (row: EventRecord): Static<typeof Before> => {
  const { id, seriesId, recurrenceId, sequence, extra, revisedAt, createdAt, calendarId } = row
  const kept = { id, seriesId, recurrenceId, sequence, extra, revisedAt, createdAt }
  return { ...kept, fields: fieldsOf(row), calendarId }
}

/** Fingerprints of an earlier version lack the buffers. */
const contentOf = (row: EventRecord) => {
  const { id: _, seriesId: __, fields, ...content } = beforeOf(row)
  const { bufferBefore, bufferAfter, ...others } = fields
  return {
    ...content,
    fields: {
      ...others,
      ...(bufferBefore !== null && { bufferBefore }),
      ...(bufferAfter !== null && { bufferAfter }),
    },
  }
}

/** Whether the event is in the state after the import: untouched, or restored to it by a later undo. */
const isUnchangedSince = (left: Changed['left'], row: EventRecord | undefined): boolean => {
  if (!left || !row) return !left && !row
  return (
    (row.id === left.id && row.version === left.version) ||
    (left.print !== undefined && hasFingerprint(contentOf(row), left.print))
  )
}

/**
 * A change of an occurrence increases the version of its series, although the series has the same content.
 */
const isSameEvent = (a: EventRecord | undefined, b: EventRecord | undefined): boolean =>
  a !== undefined &&
  b !== undefined &&
  a.id === b.id &&
  a.seriesId === b.seriesId &&
  (a.version === b.version || isSameJson(contentOf(a), contentOf(b)))

/** The progress of the journal of one import. */
export interface JournalProgress {
  actionId: number | null
  parts: number
  created: number
  updated: number
}
export const NO_PROGRESS: JournalProgress = { actionId: null, parts: 0, created: 0, updated: 0 }

/** Lists all events of these UIDs, and the series that continue them. */
const listFamilies = async (tx: Db, userId: number, uids: readonly string[]): Promise<EventRecord[]> => {
  if (uids.length === 0) return []
  const rows = await listByUid(tx, userId, uids)
  const continued = new Set(rows.flatMap(({ extra }) => readExtra(extra).continued ?? []))
  const others = [...continued.difference(new Set(uids))]
  return others.length === 0 ? rows : [...rows, ...(await listByUid(tx, userId, others))]
}

export const readFamilies = async (
  tx: Db,
  userId: number,
  uids: readonly string[],
): Promise<Map<string, EventRecord>> => keyByName(await listFamilies(tx, userId, uids))

/**
 * Reads all events that these components may change. A series or cancellation may affect all events with its
 * UID.
 */
export const readConcerned = async (
  tx: Db,
  userId: number,
  written: readonly FoundEvent[],
): Promise<Map<string, EventRecord>> => {
  const whole = new Set(
    written.flatMap(({ method, entry }) =>
      entry.recurrenceId === null || method === 'CANCEL' ? [entry.uid] : [],
    ),
  )
  const rest = written.map(({ entry }) => entry).filter(({ uid }) => !whole.has(uid))
  const rows = await listFamilies(tx, userId, [...whole])
  if (rest.length > 0) {
    const [uids, recurrenceIds] = [rest.map(({ uid }) => uid), rest.map((one) => one.recurrenceId as string)]
    rows.push(...(await listNamed(tx, userId, [...new Set(uids)], [...new Set(recurrenceIds)])))
  }
  return keyByName(rows)
}

/** Lists the events that differ, with the state before and after. */
export const changesBetween = (
  before: ReadonlyMap<string, EventRecord>,
  after: ReadonlyMap<string, EventRecord>,
): Changed[] =>
  [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const [was, is] = [before.get(name), after.get(name)]
    if (isSameEvent(was, is)) return []
    const { uid, recurrenceId } = (was ?? is) as EventRecord
    return {
      uid,
      recurrenceId,
      before: was ? beforeOf(was) : null,
      left: is ? { id: is.id, version: is.version, print: fingerprint(contentOf(is)) } : null,
    }
  })

/**
 * Batches of one import may change the same event. Keeps the state before the first and after the last
 * change.
 */
export const mergeChanges = (given: readonly Changed[]): Changed[] => {
  const changed = new Map<string, Changed>()
  for (const one of given)
    changed.set(nameOf(one), { ...one, before: (changed.get(nameOf(one)) ?? one).before })
  return [...changed.values()]
}

const seriesFirst = (a: Static<typeof Before>, b: Static<typeof Before>): number =>
  Number(a.seriesId !== null) - Number(b.seriesId !== null)

/** Restores events to their previous state, if nobody has changed them since. */
export const createRestoration = (saving: Saving) => {
  /** Deleting a series also deletes its changed occurrences, including those that existed before it. */
  const remove = async (tx: Db, row: EventRecord, here: Map<string, EventRecord>): Promise<void> => {
    await saving.remove(tx, row)
    for (const [name, one] of here) if (one.id === row.id || one.seriesId === row.id) here.delete(name)
  }

  /** Restores the events of one UID. */
  const restoreFamily = async (
    tx: Db,
    userId: number,
    changed: readonly Changed[],
    present: EventRecord[],
  ): Promise<void> => {
    const here = keyByName(present)
    // Events that the user deleted meanwhile stay deleted.
    const remaining = changed.filter((one) => one.left === null || here.has(nameOf(one)))
    for (const one of remaining) {
      const row = here.get(nameOf(one))
      if (!isUnchangedSince(one.left, row))
        throw conflict(`The event “${row?.title ?? ''}” has been changed since.`)
    }
    for (const one of remaining) {
      const row = here.get(nameOf(one))
      if (row && one.before === null) await remove(tx, row, here)
    }
    const numbers = new Map<number, number>()
    const befores = remaining.flatMap(({ before }) => before ?? []).sort(seriesFirst)
    for (const { id, seriesId, fields, calendarId, ...kept } of befores) {
      const row = here.get(nameOf({ ...kept, uid: fields.uid }))
      // A series that was restored meanwhile has another id.
      const series = here.get(nameOf({ uid: fields.uid, recurrenceId: '' }))?.id
      const as = {
        ...kept,
        seriesId: seriesId && (numbers.get(seriesId) ?? series ?? seriesId),
        // The calendar may have been deleted since. A restored event is then in the default calendar.
        ...(calendarId !== undefined && (await holdCalendar(tx, userId, calendarId)) && { calendarId }),
      }
      const { emailId } = fields
      const hasEmail = emailId !== null && (await saving.hasEmail(tx, userId, emailId))
      const was = hasEmail ? fields : { ...fields, emailId: null }
      if (row) {
        await saving.update(tx, row, was, as)
        if (as.seriesId !== null) await saving.touch(tx, userId, [as.seriesId])
      } else
        for (const made of await saving.insertAll(tx, userId, [{ fields: was, kept: as }]))
          numbers.set(id, made.id)
    }
    const series = present.find(({ recurrenceId }) => recurrenceId === '')?.id ?? [...numbers.values()][0]
    if (series !== undefined) await saving.expandAnew(tx, userId, series)
  }

  return async (tx: Db, userId: number, changed: readonly Changed[]): Promise<void> => {
    const yieldIfNeeded = createYielder()
    const families = [...Map.groupBy(changed, ({ uid }) => uid)]
    for (let at = 0; at < families.length; at += BATCH_SIZE) {
      const some = families.slice(at, at + BATCH_SIZE)
      const uids = some.map(([uid]) => uid)
      const present = Map.groupBy(await lockByUid(tx, userId, uids), ({ uid }) => uid)
      for (const [uid, ofFamily] of some) {
        await restoreFamily(tx, userId, ofFamily, present.get(uid) ?? [])
        await yieldIfNeeded()
      }
    }
  }
}

export type ImportJournal = ReturnType<typeof createImportJournal>

/** Records the changes of a calendar import. They can be undone while the events are unchanged. */
export const createImportJournal = ({ actions, saving }: { actions: Actions; saving: Saving }) => {
  const restore = createRestoration(saving)

  actions.define({
    kind: IMPORT_KIND,
    payload: Type.Object({ parts: Type.Integer() }),
    part: Type.Object({ events: Type.Array(Changed) }),
    async undo(tx, payload, parts, userId) {
      if (payload.parts !== parts.length)
        throw conflict('The data to undo this import is no longer available.')
      await restore(tx, userId, mergeChanges(parts.flatMap(({ events }) => events)))
    },
  })

  return {
    /** Records a batch that an import has written. Returns the progress of the journal. */
    async record(
      tx: Db,
      userId: number,
      progress: JournalProgress,
      { verdicts, changed }: WrittenEvents,
    ): Promise<JournalProgress> {
      const created = progress.created + verdicts.filter((verdict) => verdict === 'created').length
      const updated = progress.updated + verdicts.filter((verdict) => verdict === 'updated').length
      if (created + updated === progress.created + progress.updated) return progress
      const parts = progress.parts + 1
      const summary = `Imported a calendar file: ${created} new, ${updated} changed`
      const action = { userId, kind: IMPORT_KIND, summary, payload: { parts } }
      const actionId = progress.actionId ?? (await actions.record(tx, action))
      await actions.extend(tx, actionId, { ...action, part: { events: changed } })
      return { actionId, parts, created, updated }
    },
  }
}

const CONFLICT_KIND = 'calendar.conflict'

const Values = Type.Record(Type.String(), Type.Unknown())
const Payload = Type.Object({
  uid: Type.String(),
  /** Fields that were changed on both sides: the local values, and the server values that replaced them. */
  lost: Type.Array(
    Type.Object({
      recurrenceId: Type.Union([Type.String(), Type.Null()]),
      values: Values,
      replaced: Values,
    }),
  ),
  /** Events that were deleted locally and restored, because the server had changed them. */
  restored: Type.Array(Changed),
})
type Payload = Static<typeof Payload>

/** A local change that the server's version replaced. */
export interface LostChange {
  recurrenceId: string | null
  fields: readonly SharedField[]
  mine: Pick<Entry, SharedField>
}

export interface ConflictAccount {
  userId: number
  name: string
}

const MAX_VALUE_LENGTH = 60

/** A field of an event whose local value was lost. Lists have no values. */
type LostDetail = ChangeData<'calendar_account.conflict'>['details'][number]

const toDetailValue = (value: unknown): LostDetail['before'] => {
  if (typeof value === 'string') return value.slice(0, MAX_VALUE_LENGTH)
  return typeof value === 'boolean' || value === null ? value : undefined
}

const toLostDetail = (field: SharedField, mine: unknown, theirs: unknown): LostDetail => {
  const [before, after] = [toDetailValue(mine), toDetailValue(theirs)]
  return {
    field: toDetailField(field),
    ...(before !== undefined && after !== undefined && { before, after }),
  }
}

export type ConflictJournal = ReturnType<typeof createConflictJournal>

/** Records local changes that the server's version replaced. Undo applies the lost values again. */
export const createConflictJournal = (
  deps: Pick<Platform, 'changes'> & {
    actions: Actions
    saving: Saving
    targets: Targets
  },
) => {
  const { actions, changes, targets } = deps
  const restore = createRestoration(deps.saving)

  actions.define({
    kind: CONFLICT_KIND,
    payload: Payload,
    references: changedReferences('restored'),
    async undo(tx, { uid, lost, restored }, _parts, userId) {
      const rows = await lockByUid(tx, userId, [uid])
      for (const { recurrenceId, values, replaced } of lost) {
        const target = await targets.find(tx, rows, recurrenceId)
        if (!target) throw conflict('The event has been deleted since.')
        for (const [field, value] of Object.entries(replaced))
          if (!isSameJson(target.fields[field as SharedField], value))
            throw conflict(`${nameIn(target.fields)} has been changed since.`)
        await targets.change(tx, target, values as Partial<EventFields>, target.record.extra, null)
      }
      await restore(tx, userId, restored)
    },
  })

  return {
    /** Runs in the transaction that stores the server's version. */
    async record(
      tx: Db,
      account: ConflictAccount,
      uid: string,
      { lost, isDeletion }: { lost: readonly LostChange[]; isDeletion: boolean },
    ): Promise<void> {
      const rows = await listByUid(tx, account.userId, [uid])
      const payload: Payload = {
        uid,
        lost: [],
        restored: isDeletion
          ? changesBetween(new Map(), new Map(rows.map((row) => [String(row.id), row])))
          : [],
      }
      const details: LostDetail[] = isDeletion ? [{ field: 'deleted' }] : []
      for (const { recurrenceId, fields, mine } of lost) {
        const target = await targets.find(tx, rows, recurrenceId)
        const changed = target ? fields.filter((field) => !isSameJson(mine[field], target.fields[field])) : []
        if (!target || changed.length === 0) continue
        const pick = (from: Pick<Entry, SharedField>) =>
          Object.fromEntries(changed.map((field) => [field, from[field]]))
        // Times are restored together: the end of one version may be before the start of the other.
        payload.lost.push({ recurrenceId, values: pick(mine), replaced: pick(target.fields) })
        const described = changed.map((field) => toLostDetail(field, mine[field], target.fields[field]))
        details.push(...new Map(described.map((detail) => [detail.field, detail])).values())
      }
      const [first] = rows
      if (!first || details.length === 0) return
      const summary = `${account.name} replaced your changes to ${nameIn(first)}`.slice(0, 400)
      const actionId = await actions.record(tx, {
        userId: account.userId,
        kind: CONFLICT_KIND,
        summary,
        payload,
      })
      await changes.record(tx, {
        userId: account.userId,
        type: 'calendar_account.conflict',
        subject: String(account.userId),
        data: { account: account.name, title: first.title, start: first.start, details, actionId },
      })
    },
  }
}
