import type { Db } from '../../../database/db.ts'
import { NEVER } from '../../../database/spans.ts'
import { occurrencesBetween } from '../../../nlu/recurrence/series.ts'
import type { EventFields, VersionedEvent } from '../event.ts'
import { listOverrides } from '../event-repository.ts'
import { endOf, isSeries, seriesOf } from '../series.ts'
import { isoOf } from '../times.ts'
import { listBusy } from './repository.ts'
import { listWindow } from './window.ts'

/**
 * Limits the occurrences checked per series and the conflicts returned. Conflicts are a hint, not a complete
 * report.
 */
const OCCURRENCES = 30
const MOST = 20

type BusySpan = readonly [from: string, until: string]

const byStart = ([a]: BusySpan, [b]: BusySpan): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * Returns the times that the event is busy. For a series, moved occurrences count at their new time. Past
 * occurrences are ignored, unless all are in the past.
 */
const findBusySpans = async (db: Db, id: number, fields: EventFields, now: Date): Promise<BusySpan[]> => {
  if (!isSeries(fields)) return [[fields.start, fields.end]]
  const overrides = await listOverrides(db, id)
  const changed = new Set(overrides.map(({ recurrenceId }) => Date.parse(recurrenceId)))
  const own = overrides
    .filter(({ busy, status }) => busy === 1 && status !== 'cancelled')
    .map(({ start, end }): BusySpan => [start, end])
  const duration = Date.parse(fields.end) - Date.parse(fields.start)
  const spansAfter = (moment: number): BusySpan[] => {
    const others = occurrencesBetween(seriesOf(fields), moment - duration, Date.parse(NEVER))
      .filter((start) => !changed.has(start))
      .take(OCCURRENCES)
      .map((start): BusySpan => [isoOf(start), isoOf(endOf(fields, start))])
    const after = isoOf(moment)
    return [...own.filter(([, end]) => end > after), ...others].sort(byStart).slice(0, OCCURRENCES)
  }
  const ahead = spansAfter(now.getTime())
  return ahead.length > 0 ? ahead : spansAfter(Date.parse(fields.start))
}

const listFromWindow = async (db: Db, [from, until]: BusySpan): Promise<number[]> => {
  const rows = await listWindow(db, {
    expanded: true,
    from,
    until,
    among: 'busy',
    as: 'span',
    limit: MOST + 1,
  })
  return rows.map(({ id, seriesId }) => seriesId ?? id)
}

/** Finds the events that overlap the given one in time. */
export const findConflicts = async (
  db: Db,
  id: number,
  fields: EventFields,
  now: Date,
  spans?: readonly BusySpan[],
): Promise<number[]> => {
  if (!fields.busy || fields.status === 'cancelled') return []
  const found = new Set<number>()
  for (const span of spans ?? (await findBusySpans(db, id, fields, now))) {
    const ids = (await listBusy(db, span, MOST + 1)) ?? (await listFromWindow(db, span))
    for (const one of ids) found.add(one)
    if (found.size > MOST) break
  }
  found.delete(id)
  return [...found].slice(0, MOST).sort((a, b) => a - b)
}

export type SavedEvent = VersionedEvent & { conflicts: number[] }

/**
 * Adds conflicts to an event. For one occurrence, only the conflicts of that occurrence are added. `fields`
 * are those of the event or series.
 */
export const withConflicts = async (
  db: Db,
  event: VersionedEvent,
  fields: EventFields,
  now: Date,
): Promise<SavedEvent> => {
  const { id, start, end, occurrenceStart, status, busy } = event
  const spans: BusySpan[] | undefined = occurrenceStart === null ? undefined : [[start, end]]
  return { ...event, conflicts: await findConflicts(db, id, { ...fields, status, busy }, now, spans) }
}
