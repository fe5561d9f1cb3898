import type { Db } from '../../database/db.ts'
import { type EventFields, type EventRecord, fieldsOf } from './event.ts'
import { attachOccurrences, deleteOccurrences, listByUid } from './event-store.ts'
import type { Entry, Found } from './icalendar/entry.ts'
import { changedFields, type Saving } from './saving.ts'
import { isSeries } from './series.ts'

/** What a calendar file says of an event. */
export type Told = Exclude<Found, { kind: 'skipped' }>
type Dated = Extract<Told, { kind: 'entry' }>

export type Verdict = 'created' | 'updated' | 'unchanged' | { reason: string }

const nameOf = ({ uid, recurrenceId }: { uid: string; recurrenceId: string | null }): string =>
  `${recurrenceId ?? ''} ${uid}`

/** What is ours and not the file's stays as it is. */
const fieldsFrom = (entry: Entry, before?: EventFields): EventFields => {
  const { recurrenceId: _, sequence: __, revisedAt: ___, extra: ____, ...told } = entry
  const { source, bookingId, notes, emailId } = before ?? {
    source: 'ics' as const,
    bookingId: null,
    notes: '',
    emailId: null,
  }
  return { ...told, source, bookingId, notes, emailId }
}

const keptFrom = ({ sequence, revisedAt, extra }: Entry) => ({ sequence, revisedAt, extra })

/** RFC 5546, 2.1.5: the higher SEQUENCE is the later one; between equals, the later revision. */
const isNews = ({ sequence, revisedAt }: Entry, row: EventRecord): boolean =>
  sequence > row.sequence ||
  (sequence === row.sequence && (revisedAt ?? '') > (row.revisedAt ?? row.updatedAt))

const cancels = ({ method }: Told): boolean => method === 'CANCEL'

/** Writes some of a file's events in the transaction it is given, and says of each what became of it. */
export const createBatchWriter = (saving: Saving) => {
  const cancel = async (tx: Db, row: EventRecord | undefined, told: Told): Promise<Verdict> => {
    if (!row) return { reason: 'It cancels an event that is not here.' }
    if (row.status === 'cancelled') return 'unchanged'
    const sequence = Math.max(told.entry.sequence, row.sequence)
    await saving.update(tx, row, { ...fieldsOf(row), status: 'cancelled' }, { sequence })
    return 'updated'
  }

  const renew = async (tx: Db, row: EventRecord, entry: Entry): Promise<Verdict> => {
    if (!isNews(entry, row)) return 'unchanged'
    const before = fieldsOf(row)
    const after = fieldsFrom(entry, before)
    if (changedFields(before, after).length === 0 && row.extra === entry.extra) return 'unchanged'
    await saving.update(tx, row, after, keptFrom(entry))
    if (row.recurrenceId === '' && isSeries(after)) await attachOccurrences(tx, row.uid, row.id)
    return 'updated'
  }

  const insert = async (tx: Db, many: readonly Dated[], series: ReadonlyMap<string, number>) => {
    if (many.length === 0) return []
    return saving.insertAll(
      tx,
      many.map(({ entry }) => ({
        fields: fieldsFrom(entry),
        kept: {
          ...keptFrom(entry),
          recurrenceId: entry.recurrenceId ?? '',
          seriesId: entry.recurrenceId === null ? null : (series.get(entry.uid) ?? null),
        },
      })),
    )
  }

  /** New ones, series first: changed occurrences belong to them, also those that came in an earlier file. */
  const insertAll = async (tx: Db, fresh: readonly Dated[], known: Iterable<EventRecord>): Promise<void> => {
    const series = new Map<string, number>()
    for (const row of known)
      if (row.recurrenceId === '' && isSeries(fieldsOf(row))) series.set(row.uid, row.id)
    const whole = fresh.filter(({ entry }) => entry.recurrenceId === null)
    const recurring = new Set(whole.filter(({ entry }) => isSeries(entry)).map(({ entry }) => entry.uid))
    for (const { id, uid } of await insert(tx, whole, series))
      if (recurring.has(uid)) {
        series.set(uid, id)
        await attachOccurrences(tx, uid, id)
      }
    const occurrences = fresh.filter(({ entry }) => entry.recurrenceId !== null)
    await insert(tx, occurrences, series)
    for (const { entry } of occurrences) {
      const id = series.get(entry.uid)
      if (id !== undefined) await deleteOccurrences(tx, id, entry.recurrenceId as string)
    }
  }

  return async (tx: Db, batch: readonly Told[]): Promise<Verdict[]> => {
    const rows = await listByUid(tx, [...new Set(batch.map(({ entry }) => entry.uid))])
    const known = new Map(rows.map((row) => [nameOf(row), row]))
    const fresh = new Map<string, Dated>()
    for (const told of batch) {
      const name = nameOf(told.entry)
      if (told.kind === 'entry' && !cancels(told) && !known.has(name) && !fresh.has(name))
        fresh.set(name, told)
    }
    await insertAll(tx, [...fresh.values()], rows)
    const verdicts: Verdict[] = []
    for (const told of batch) {
      const name = nameOf(told.entry)
      if (fresh.get(name) === told) {
        verdicts.push('created')
        continue
      }
      // Something may have been made of it, or been made from it, a moment ago.
      const row = (await listByUid(tx, [told.entry.uid])).find((one) => nameOf(one) === name)
      if (cancels(told)) verdicts.push(await cancel(tx, row, told))
      else if (told.kind === 'undated') verdicts.push({ reason: 'It does not say when it is.' })
      else verdicts.push(await renew(tx, row as EventRecord, told.entry))
    }
    return verdicts
  }
}
