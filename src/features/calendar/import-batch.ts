import type { Db } from '../../database/db.ts'
import { occursAt } from '../../engine/recurrence/series.ts'
import { type EventFields, type EventRecord, type EventSource, fieldsOf } from './event.ts'
import { attachOccurrences, deleteEvent, deleteOccurrences, listByUid, listOverrides } from './event-store.ts'
import type { Entry, Found } from './icalendar/entry.ts'
import type { Occurrences } from './occurrences.ts'
import { changedFields, type Saving } from './saving.ts'
import { isSeries, seriesOf } from './series.ts'

/** What a calendar file says of an event. */
export type Told = Exclude<Found, { kind: 'skipped' }>
type Dated = Extract<Told, { kind: 'entry' }>

export type Verdict = 'created' | 'updated' | 'unchanged' | { reason: string }

/** Where events come from. */
export interface Origin {
  source: EventSource
  emailId: number | null
  /** What the person made of an event stays as it is when a later revision comes. */
  keep?: (before: EventFields, after: EventFields) => EventFields
}

/** The same for an event wherever it is told of. */
export const nameOf = ({ uid, recurrenceId }: { uid: string; recurrenceId: string | null }): string =>
  `${recurrenceId ?? ''} ${uid}`

/** What is ours and not the file's stays as it is. */
const fieldsFrom = (entry: Entry, { source, emailId, keep }: Origin, before?: EventFields): EventFields => {
  const { recurrenceId: _, sequence: __, revisedAt: ___, extra: ____, ...told } = entry
  if (!before) return { ...told, source, bookingId: null, notes: '', emailId }
  const { bookingId, notes } = before
  const after = { ...told, source: before.source, bookingId, notes, emailId: before.emailId }
  return keep ? keep(before, after) : after
}

const keptFrom = ({ sequence, revisedAt, extra }: Entry) => ({ sequence, revisedAt, extra })

/** RFC 5546, 2.1.5: the higher SEQUENCE is the later one; between equals, the later revision. */
export const isNews = ({ sequence, revisedAt }: Entry, row: EventRecord): boolean =>
  sequence > row.sequence ||
  (sequence === row.sequence && (revisedAt ?? '') > (row.revisedAt ?? row.updatedAt))

/** Taken back before it was last revised by the same author. What was changed here tells nothing of that. */
const isOutdated = ({ sequence, revisedAt }: Told['entry'], row: EventRecord): boolean =>
  sequence < row.sequence && row.revisedAt !== null && (revisedAt ?? '') < row.revisedAt

export const cancels = ({ method }: Told): boolean => method === 'CANCEL'

export type BatchWriter = ReturnType<typeof createBatchWriter>

/** Writes some of a file's events in the transaction it is given, and says of each what became of it. */
export const createBatchWriter = ({ saving, occurrences }: { saving: Saving; occurrences: Occurrences }) => {
  const cancelRow = async (tx: Db, row: EventRecord, told: Told): Promise<Verdict> => {
    if (row.status === 'cancelled' || isOutdated(told.entry, row)) return 'unchanged'
    const kept = { sequence: Math.max(told.entry.sequence, row.sequence), revisedAt: told.entry.revisedAt }
    await saving.update(tx, row, { ...fieldsOf(row), status: 'cancelled' }, kept)
    for (const override of await listOverrides(tx, row.id)) await cancelRow(tx, override, told)
    return 'updated'
  }

  /** An occurrence that nobody has changed yet is cancelled by itself, and its series goes on. */
  const cancel = async (tx: Db, rows: readonly EventRecord[], told: Told): Promise<Verdict> => {
    const row = rows.find((one) => nameOf(one) === nameOf(told.entry))
    if (row) return cancelRow(tx, row, told)
    const series = rows.find(({ recurrenceId }) => recurrenceId === '')
    const { recurrenceId } = told.entry
    const one = series && recurrenceId !== null && (await occurrences.locate(tx, series, recurrenceId))
    if (!series || !one) return { reason: 'It cancels an event that is not here.' }
    if (series.status === 'cancelled' || isOutdated(told.entry, series)) return 'unchanged'
    await occurrences.changeOne(tx, series, one, { ...one.fields, status: 'cancelled' })
    return 'updated'
  }

  /** What was changed by itself is over when the series no longer comes to it, unless it is told of once more. */
  const dropStrays = async (tx: Db, row: EventRecord, after: EventFields, told: ReadonlySet<string>) => {
    const rule = seriesOf(after)
    for (const one of await listOverrides(tx, row.id))
      if (!told.has(nameOf(one)) && !occursAt(rule, Date.parse(one.recurrenceId)))
        await deleteEvent(tx, one.id)
  }

  const renew = async (
    tx: Db,
    row: EventRecord,
    entry: Entry,
    origin: Origin,
    told: ReadonlySet<string>,
  ): Promise<Verdict> => {
    if (!isNews(entry, row)) return 'unchanged'
    const before = fieldsOf(row)
    const after = fieldsFrom(entry, origin, before)
    if (changedFields(before, after).length === 0 && row.extra === entry.extra) return 'unchanged'
    const emailId = origin.emailId ?? before.emailId
    await saving.update(tx, row, { ...after, emailId }, keptFrom(entry))
    if (row.recurrenceId === '' && isSeries(after)) await attachOccurrences(tx, row.uid, row.id)
    if (row.recurrenceId === '') await dropStrays(tx, row, after, told)
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
      many.map(({ entry }) => ({
        fields: fieldsFrom(entry, origin),
        kept: {
          ...keptFrom(entry),
          recurrenceId: entry.recurrenceId ?? '',
          seriesId: entry.recurrenceId === null ? null : (series.get(entry.uid) ?? null),
        },
      })),
    )
  }

  /** New ones, series first: changed occurrences belong to them, also those that came in an earlier file. */
  const insertAll = async (
    tx: Db,
    fresh: readonly Dated[],
    known: Iterable<EventRecord>,
    origin: Origin,
  ): Promise<void> => {
    const series = new Map<string, number>()
    for (const row of known)
      if (row.recurrenceId === '' && isSeries(fieldsOf(row))) series.set(row.uid, row.id)
    const whole = fresh.filter(({ entry }) => entry.recurrenceId === null)
    const recurring = new Set(whole.filter(({ entry }) => isSeries(entry)).map(({ entry }) => entry.uid))
    for (const { id, uid } of await insert(tx, whole, series, origin))
      if (recurring.has(uid)) {
        series.set(uid, id)
        await attachOccurrences(tx, uid, id)
      }
    const changed = fresh.filter(({ entry }) => entry.recurrenceId !== null)
    await insert(tx, changed, series, origin)
    for (const { entry } of changed) {
      const id = series.get(entry.uid)
      if (id !== undefined) await deleteOccurrences(tx, id, entry.recurrenceId as string)
    }
  }

  return async (tx: Db, batch: readonly Told[], origin: Origin): Promise<Verdict[]> => {
    const rows = await listByUid(tx, [...new Set(batch.map(({ entry }) => entry.uid))])
    const known = new Map(rows.map((row) => [nameOf(row), row]))
    const names = new Set(batch.map(({ entry }) => nameOf(entry)))
    const fresh = new Map<string, Dated>()
    for (const told of batch) {
      const name = nameOf(told.entry)
      if (told.kind === 'entry' && !cancels(told) && !known.has(name) && !fresh.has(name))
        fresh.set(name, told)
    }
    await insertAll(tx, [...fresh.values()], rows, origin)
    const verdicts: Verdict[] = []
    for (const told of batch) {
      const name = nameOf(told.entry)
      if (fresh.get(name) === told) {
        verdicts.push('created')
        continue
      }
      // Something may have been made of it, or been made from it, a moment ago.
      const now = await listByUid(tx, [told.entry.uid])
      if (cancels(told)) verdicts.push(await cancel(tx, now, told))
      else if (told.kind === 'undated') verdicts.push({ reason: 'It does not say when it is.' })
      else {
        const row = now.find((one) => nameOf(one) === name) as EventRecord
        verdicts.push(await renew(tx, row, told.entry, origin, names))
      }
    }
    return verdicts
  }
}
