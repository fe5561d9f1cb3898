import type { Db } from '../../../database/db.ts'
import { privateTagsOf } from '../../../engine/mail/private-tag.ts'
import { occursAt } from '../../../engine/recurrence/series.ts'
import { createBreather } from '../../../platform/breather.ts'
import { type EventFields, type EventRecord, type EventSource, fieldsOf } from '../event.ts'
import {
  attachOccurrences,
  deleteEvent,
  deleteOccurrences,
  findNamed,
  listNamed,
  listOverrides,
  listUnattached,
  lockByUid,
  lockEvents,
} from '../event-store.ts'
import type { Entry, Told } from '../icalendar/entry.ts'
import { readExtra } from '../icalendar/extra.ts'
import type { Occurrences } from '../occurrences.ts'
import { changedFields, type Saving } from '../saving.ts'
import { isSeries, seriesOf } from '../series.ts'
import { isWholeDayOccurrence, onDaysOf } from './days.ts'
import { createSchedulingWriter, type Verdict } from './scheduling.ts'

type Dated = Extract<Told, { kind: 'entry' }>
type Known = ReadonlyMap<string, EventRecord>

/** Where events come from. */
export interface Origin {
  source: EventSource
  emailId: number | null
  /** That they have besides what the file says. */
  tags?: readonly string[]
  /** Whether what was called off before it was ever here is of interest. */
  takesCancelled?: boolean
  /** Whether it counts whatever was known before: it is the word of where the event lies. */
  isAuthority?: boolean
  /** Is told what is about to be written, when nobody else can change it any more. */
  witness?: (tx: Db, written: readonly Told[]) => Promise<void>
  /** What the person made of an event stays as it is when a later revision comes. */
  keep?: (before: EventFields, after: EventFields) => EventFields
}

/** The same for an event wherever it is told of. */
export const nameOf = ({ uid, recurrenceId }: { uid: string; recurrenceId: string | null }): string =>
  `${recurrenceId ?? ''} ${uid}`

const seriesNameOf = ({ uid }: { uid: string }): string => nameOf({ uid, recurrenceId: null })

/** What is ours and not the file's stays as it is. */
const fieldsFrom = (
  entry: Entry,
  { source, emailId, keep, tags = [] }: Origin,
  before?: EventFields,
): EventFields => {
  const { recurrenceId: _, sequence: __, revisedAt: ___, extra: ____, ...said } = entry
  // What was made of something private stays private, whatever a later revision says.
  const own = [...tags, ...privateTagsOf(before?.tags ?? [])]
  const told = own.length === 0 ? said : { ...said, tags: [...new Set([...said.tags, ...own])] }
  if (!before) return { ...told, source, bookingId: null, notes: '', emailId }
  const { bookingId, notes } = before
  const after = { ...told, source: before.source, bookingId, notes, emailId: before.emailId }
  return keep ? keep(before, after) : after
}

const keptFrom = ({ sequence, revisedAt, extra }: Entry) => ({ sequence, revisedAt, extra })

/** RFC 5546, 2.1.5: the higher SEQUENCE is the later one; between equals, the later revision. */
export const isNews = ({ sequence, revisedAt }: Told['entry'], row: EventRecord): boolean =>
  sequence > row.sequence ||
  (sequence === row.sequence && (revisedAt ?? '') > (row.revisedAt ?? row.updatedAt))

const isTaken = (entry: Told['entry'], row: EventRecord, { isAuthority = false }: Origin): boolean =>
  isAuthority || isNews(entry, row)

export const cancels = ({ method }: Told): boolean => method === 'CANCEL'

export type BatchWriter = ReturnType<typeof createBatchWriter>

/** Writes some of a file's events in the transaction it is given, and says of each what became of it. */
export const createBatchWriter = (deps: { saving: Saving; occurrences: Occurrences }) => {
  const { saving } = deps
  const scheduling = createSchedulingWriter(deps)

  const readKnown = async (tx: Db, batch: readonly Told[]): Promise<Known> => {
    const uids = new Set(batch.map(({ entry }) => entry.uid))
    const recurrenceIds = new Set(batch.flatMap(({ entry }) => entry.recurrenceId ?? []))
    const rows = await listNamed(tx, [...uids], [...recurrenceIds])
    return new Map(rows.map((row) => [nameOf(row), row]))
  }

  /** What is here already, and nobody else's to change any more where the batch may change it. */
  const lockKnown = async (tx: Db, batch: readonly Told[], origin: Origin): Promise<Known> => {
    const known = await readKnown(tx, batch)
    const touched = new Map<number, EventRecord>()
    for (const told of batch) {
      const row = known.get(nameOf(told.entry))
      if (row && !scheduling.concerns(told) && !isTaken(told.entry, row, origin)) continue
      for (const one of [row, known.get(seriesNameOf(told.entry))]) if (one) touched.set(one.id, one)
    }
    if (touched.size === 0) return known
    const idsOf = (isOccurrence: boolean): number[] =>
      [...touched.values()].filter((row) => (row.recurrenceId !== '') === isOccurrence).map(({ id }) => id)
    await lockEvents(tx, idsOf(false))
    await lockEvents(tx, idsOf(true))
    return readKnown(tx, batch)
  }

  /** Changed occurrences that a later revision of their series has no place for. */
  const dropStale = async (
    tx: Db,
    row: EventRecord,
    after: EventFields,
    named: ReadonlySet<string>,
  ): Promise<void> => {
    const series = isSeries(after) ? seriesOf(after) : undefined
    const breathe = createBreather()
    for (const one of await listOverrides(tx, row.id)) {
      await breathe()
      if (!named.has(nameOf(one)) && !(series && occursAt(series, Date.parse(one.recurrenceId))))
        await deleteEvent(tx, one.id)
    }
  }

  /** Series in which this one went on, and that a later revision of it does not know any more. */
  const dropContinued = async (tx: Db, row: EventRecord, entry: Entry): Promise<void> => {
    const still = new Set(readExtra(entry.extra).continued)
    const gone = (readExtra(row.extra).continued ?? []).filter((uid) => !still.has(uid))
    if (gone.length === 0) return
    for (const one of (await lockByUid(tx, gone)).filter(({ seriesId }) => seriesId === null)) {
      await deleteEvent(tx, one.id)
      await saving.removed(tx, one)
    }
  }

  const renew = async (
    tx: Db,
    row: EventRecord,
    entry: Entry,
    origin: Origin,
    named: ReadonlySet<string>,
  ): Promise<Verdict> => {
    if (!isTaken(entry, row, origin)) return 'unchanged'
    const before = fieldsOf(row)
    const after = fieldsFrom(entry, origin, before)
    if (changedFields(before, after).length === 0 && row.extra === entry.extra) return 'unchanged'
    const emailId = origin.emailId ?? before.emailId
    await saving.update(tx, row, { ...after, emailId }, keptFrom(entry))
    if (row.recurrenceId !== '') return 'updated'
    if (!origin.isAuthority) await dropContinued(tx, row, entry)
    if (isSeries(before)) await dropStale(tx, row, after, named)
    if (isSeries(after)) await attachOccurrences(tx, row.uid, row.id)
    return 'updated'
  }

  const insert = async (
    tx: Db,
    many: readonly Dated[],
    series: ReadonlyMap<string, number>,
    origin: Origin,
  ) => {
    if (many.length === 0) return []
    return saving.insertAll(
      tx,
      many.map(({ entry, method }) => ({
        fields: {
          ...fieldsFrom(entry, origin),
          ...(method === 'CANCEL' && { status: 'cancelled' as const }),
        },
        kept: {
          ...keptFrom(entry),
          recurrenceId: entry.recurrenceId ?? '',
          seriesId: entry.recurrenceId === null ? null : (series.get(entry.uid) ?? null),
        },
      })),
    )
  }

  /** New ones, series first: changed occurrences belong to them, also those that came in an earlier file. */
  const insertAll = async (tx: Db, fresh: readonly Dated[], known: Known, origin: Origin): Promise<void> => {
    const series = new Map<string, number>()
    for (const row of known.values())
      if (row.recurrenceId === '' && row.expandedFrom !== null) series.set(row.uid, row.id)
    const whole = fresh.filter(({ entry }) => entry.recurrenceId === null)
    const recurring = new Set(whole.filter(({ entry }) => isSeries(entry)).map(({ entry }) => entry.uid))
    for (const { id, uid } of await insert(tx, whole, series, origin))
      if (recurring.has(uid)) series.set(uid, id)
    if (recurring.size > 0)
      for (const uid of await listUnattached(tx, [...recurring]))
        await attachOccurrences(tx, uid, series.get(uid) as number)
    const occurrences = fresh.filter(({ entry }) => entry.recurrenceId !== null)
    await insert(tx, occurrences, series, origin)
    for (const [uid, many] of Map.groupBy(occurrences, ({ entry }) => entry.uid)) {
      const id = series.get(uid)
      const starts = many.map(({ entry }) => entry.recurrenceId as string)
      if (id !== undefined) await deleteOccurrences(tx, id, starts)
    }
  }

  /** A series that the batch renews comes to be in the zone of the batch, and all that belongs to it with it. */
  const withDays = async (tx: Db, given: readonly Told[], origin: Origin): Promise<readonly Told[]> => {
    if (!given.some(isWholeDayOccurrence)) return given
    const known = await readKnown(tx, given)
    const renewed = new Set(
      given.flatMap(({ entry }) => {
        const row = entry.recurrenceId === null ? known.get(nameOf(entry)) : undefined
        return row && isTaken(entry, row, origin) ? [entry.uid] : []
      }),
    )
    return given.map((told) =>
      renewed.has(told.entry.uid) ? told : onDaysOf(told, known.get(seriesNameOf(told.entry))),
    )
  }

  return async (tx: Db, given: readonly Told[], origin: Origin): Promise<Verdict[]> => {
    const batch = await withDays(tx, given, origin)
    const known = await lockKnown(tx, batch, origin)
    const named = new Set(batch.map(({ entry }) => nameOf(entry)))
    const fresh = new Map<string, Dated>()
    for (const told of batch) {
      const name = nameOf(told.entry)
      const isNew = !known.has(name) && !fresh.has(name)
      const isWanted = !cancels(told) || origin.takesCancelled
      if (
        told.kind === 'entry' &&
        isNew &&
        isWanted &&
        !scheduling.isAboutKnown(told, known.get(seriesNameOf(told.entry)))
      )
        fresh.set(name, told)
    }
    const isAsItWas = (told: Told): boolean => {
      const row = known.get(nameOf(told.entry))
      return row !== undefined && !scheduling.concerns(told) && !isTaken(told.entry, row, origin)
    }
    await origin.witness?.(
      tx,
      batch.filter((told) => !isAsItWas(told)),
    )
    await insertAll(tx, [...fresh.values()], known, origin)
    const verdicts: Verdict[] = []
    const counting = new Set<number>()
    for (const told of batch) {
      const { uid, recurrenceId } = told.entry
      if (fresh.get(nameOf(told.entry)) === told) verdicts.push('created')
      else if (isAsItWas(told)) verdicts.push('unchanged')
      else {
        // As it is by now: something may have been made of it, or been made from it, a moment ago.
        const present = await findNamed(tx, uid, recurrenceId ?? '')
        if (scheduling.concerns(told)) verdicts.push(await scheduling.write(tx, present, told))
        else if (told.kind === 'undated') verdicts.push({ reason: 'It does not say when it is.' })
        else verdicts.push(await renew(tx, present as EventRecord, told.entry, origin, named))
        if (present?.seriesId && verdicts.at(-1) === 'updated') counting.add(present.seriesId)
      }
    }
    // Once: a row that is written thousands of times in one transaction becomes slow to find.
    await saving.touch(tx, [...counting])
    return verdicts
  }
}
