import { setImmediate } from 'node:timers/promises'
import type { Db } from '../../../database/db.ts'
import { createYielder } from '../../../platform/yield.ts'
import { occurrencesBetween } from '../../../recurrence/series.ts'
import type { EventSource } from '../../briefing/sources.ts'
import { type EventFields, fieldsOf, RESPONSE_COLUMNS, toEvents, type VersionedEvent } from '../event.ts'
import { listOverrides } from '../event-repository.ts'
import { endOf, isSeries, longestOf, seriesOf } from '../series.ts'
import { isoOf, NEVER } from '../times.ts'
import {
  byStart,
  listBusy,
  readWindow,
  type UnexpandedSeries,
  type Window,
  type WindowEventRow,
  type WindowRow,
} from './repository.ts'

/** A binary min-heap of numbers. */
export const createHeap = () => {
  const heap: number[] = []
  const at = (index: number): number => heap[index] ?? Number.POSITIVE_INFINITY
  const swap = (a: number, b: number): void => {
    ;[heap[a], heap[b]] = [at(b), at(a)]
  }
  return {
    size: () => heap.length,
    /** Infinity if the heap is empty. */
    least: () => at(0),
    add(value: number): void {
      heap.push(value)
      for (let child = heap.length - 1; child > 0; ) {
        const parent = (child - 1) >> 1
        if (at(parent) <= at(child)) return
        swap(parent, child)
        child = parent
      }
    },
    removeLeast(): void {
      const last = heap.pop()
      if (last === undefined || heap.length === 0) return
      heap[0] = last
      for (let parent = 0; ; ) {
        const left = 2 * parent + 1
        const child = at(left + 1) < at(left) ? left + 1 : left
        if (at(parent) <= at(child)) return
        swap(parent, child)
        parent = child
      }
    },
  }
}

const FULL = RESPONSE_COLUMNS.filter((name) => name !== 'start' && name !== 'end')

/** The columns to read, besides the times. */
const COLUMNS = {
  full: FULL,
  member: [...FULL, 'extra'],
  bare: ['allDay', 'status', 'source', 'busy', 'tags', 'bufferBefore', 'bufferAfter'],
  span: [],
}

type Bounded = Window & { from: string; until: string }

const matchesFilters = (
  row: UnexpandedSeries,
  { status, source, calendarId, among, originals }: Window,
): boolean =>
  (status === undefined || row.status === status) &&
  (source === undefined || row.source === source) &&
  (calendarId === undefined || row.calendarId === calendarId) &&
  (among === undefined || row.status !== 'cancelled') &&
  (among !== 'busy' || row.busy === 1) &&
  (!originals || row.mirrorOf === null)

/** Returns whether (startMs, id) comes after the end of the previous page. */
const isAfter = (after: [number, number] | undefined, startMs: number, id: number): boolean =>
  after === undefined || startMs > after[0] || (startMs === after[0] && id > after[1])

const changedIn = ({ changed }: UnexpandedSeries): ReadonlySet<number> =>
  new Set(changed === null ? [] : changed.split(',').map(Date.parse))

type Range = readonly [from: number, until: number]

/** Returns the range that is stored in `occurrences`, or undefined if nothing is stored. */
const toExpandedRange = ({ expandedFrom, expandedUntil }: UnexpandedSeries): Range | undefined => {
  const expanded = [Date.parse(expandedFrom as string), Date.parse(expandedUntil as string)] as const
  return expanded[0] < expanded[1] ? expanded : undefined
}

/** Returns the parts of [from, until) in which occurrences are not stored. */
const findGaps = (expanded: Range | undefined, from: number, until: number): Range[] =>
  expanded === undefined
    ? [[from, until]]
    : [
        [from, Math.min(expanded[0], until)],
        [Math.max(expanded[1], from), until],
      ]

interface Occurrence {
  row: UnexpandedSeries
  startMs: number
  endMs: number
}

function* occurrencesOf(row: UnexpandedSeries, window: Bounded): Generator<Occurrence> {
  const recurring = fieldsOf(row)
  const series = seriesOf(recurring)
  const changed = changedIn(row)
  const opening = Date.parse(window.from)
  const after = window.after && ([Date.parse(window.after[0]), window.after[1]] as [number, number])
  const earliest = Math.max(after?.[0] ?? Number.NEGATIVE_INFINITY, opening - longestOf(recurring))
  const expanded = toExpandedRange(row)
  for (const [from, until] of findGaps(expanded, earliest, Date.parse(window.until)))
    for (const startMs of occurrencesBetween(series, from, until)) {
      const endMs = endOf(recurring, startMs)
      if (endMs <= opening || changed.has(startMs) || !isAfter(after, startMs, row.id)) continue
      if (expanded && endMs > expanded[0] && startMs < expanded[1]) continue
      yield { row, startMs, endMs }
    }
}

/** Finds at least the first `limit` occurrences of all series, without expanding a series beyond the page. */
const findFirst = async (
  unexpanded: readonly UnexpandedSeries[],
  window: Bounded,
  horizon: number,
): Promise<Occurrence[]> => {
  const found: Occurrence[] = []
  const yieldIfNeeded = createYielder()
  // Values are negated, so that `least` is the latest of the first `limit` starts.
  const latest = createHeap()
  for (const row of unexpanded) {
    await yieldIfNeeded()
    for (const occurrence of occurrencesOf(row, window)) {
      const reach = latest.size() < window.limit ? horizon : Math.min(horizon, -latest.least())
      if (occurrence.startMs > reach) break
      found.push(occurrence)
      latest.add(-occurrence.startMs)
      if (latest.size() > window.limit) latest.removeLeast()
    }
  }
  const reach = latest.size() < window.limit ? horizon : -latest.least()
  return found.filter(({ startMs }) => startMs <= reach)
}

const rowOf = ({ row, startMs, endMs }: Occurrence): WindowEventRow => {
  const start = isoOf(startMs)
  return { ...row, seriesId: null, occurrenceStart: start, start, end: isoOf(endMs) }
}

/** Lists up to `limit` rows that overlap a window, ordered by (start, id). */
export const listWindow = async <W extends Window>(
  db: Db,
  userId: number,
  window: W,
): Promise<WindowRow<W>[]> => {
  const { rows, unexpanded } = await readWindow(db, userId, window, COLUMNS)
  const matching = unexpanded.filter((row) => matchesFilters(row, window))
  if (matching.length === 0) return rows
  const last = rows.length < window.limit ? undefined : rows.at(-1)
  const horizon = last === undefined ? Number.POSITIVE_INFINITY : Date.parse(last.start)
  const found = await findFirst(matching, window as W & Bounded, horizon)
  return [...rows, ...found.map(rowOf)].sort(byStart).slice(0, window.limit) as WindowRow<W>[]
}

/** Yields the starts of occurrences in a window that are not stored. Reads each series once. */
export async function* streamUnstoredStarts(
  db: Db,
  userId: number,
  window: Pick<Bounded, 'from' | 'until' | 'among' | 'originals'>,
): AsyncGenerator<string> {
  const bounded = { ...window, as: 'span', expanded: true, limit: 1 } as const
  const { unexpanded } = await readWindow(db, userId, bounded, COLUMNS)
  const yieldIfNeeded = createYielder()
  for (const row of unexpanded) {
    await yieldIfNeeded()
    if (matchesFilters(row, bounded))
      for (const { startMs } of occurrencesOf(row, bounded))
        if (startMs >= Date.parse(window.from)) yield isoOf(startMs)
  }
}

const PAGE = 1000

/** Yields all rows that overlap a window, read in pages, and gives way to other requests. */
export async function* streamWindow<
  W extends Pick<Bounded, 'from' | 'until' | 'among' | 'as' | 'calendarId' | 'originals'>,
>(db: Db, userId: number, window: W): AsyncGenerator<WindowRow<W>> {
  let after: Window['after']
  const yieldIfNeeded = createYielder()
  for (;;) {
    const rows = await listWindow(db, userId, { ...window, expanded: true, after, limit: PAGE })
    for (const row of rows) {
      await yieldIfNeeded()
      yield row
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return
    after = [last.start, last.id]
    await setImmediate()
  }
}

const MAX_BRIEFED = 100

/** Lists the events of a day for the briefing, without cancelled ones. */
export const createBriefedEvents =
  (db: Db): EventSource =>
  async (userId, { from, until }) => {
    const rows = await listWindow(db, userId, {
      expanded: true,
      from,
      until,
      among: 'active',
      originals: true,
      limit: MAX_BRIEFED,
    })
    return toEvents(rows)
  }

/**
 * Limits the occurrences checked per series and the conflicts returned. Conflicts are a hint, not a complete
 * report.
 */
const MAX_OCCURRENCES = 30
const MAX_CONFLICTS = 20

type BusySpan = readonly [from: string, until: string]

const bySpanStart = ([a]: BusySpan, [b]: BusySpan): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * Returns the times that the event is busy. For a series, moved occurrences count at their new time. Past
 * occurrences are ignored, unless all are in the past.
 */
const findBusySpans = async (
  db: Db,
  userId: number,
  id: number,
  fields: EventFields,
  now: Date,
): Promise<BusySpan[]> => {
  if (!isSeries(fields)) return [[fields.start, fields.end]]
  const overrides = await listOverrides(db, userId, id)
  const changed = new Set(overrides.map(({ recurrenceId }) => Date.parse(recurrenceId)))
  const own = overrides
    .filter(({ busy, status }) => busy === 1 && status !== 'cancelled')
    .map(({ start, end }): BusySpan => [start, end])
  const duration = Date.parse(fields.end) - Date.parse(fields.start)
  const spansAfter = (moment: number): BusySpan[] => {
    const others = occurrencesBetween(seriesOf(fields), moment - duration, Date.parse(NEVER))
      .filter((start) => !changed.has(start))
      .take(MAX_OCCURRENCES)
      .map((start): BusySpan => [isoOf(start), isoOf(endOf(fields, start))])
    const after = isoOf(moment)
    return [...own.filter(([, end]) => end > after), ...others].sort(bySpanStart).slice(0, MAX_OCCURRENCES)
  }
  const ahead = spansAfter(now.getTime())
  return ahead.length > 0 ? ahead : spansAfter(Date.parse(fields.start))
}

const listFromWindow = async (db: Db, userId: number, [from, until]: BusySpan): Promise<number[]> => {
  const rows = await listWindow(db, userId, {
    expanded: true,
    from,
    until,
    among: 'busy',
    originals: true,
    as: 'span',
    limit: MAX_CONFLICTS + 1,
  })
  return rows.map(({ id, seriesId }) => seriesId ?? id)
}

/** Finds the events that overlap the given one in time. */
export const findConflicts = async (
  db: Db,
  userId: number,
  id: number,
  fields: EventFields,
  now: Date,
  spans?: readonly BusySpan[],
): Promise<number[]> => {
  if (!fields.busy || fields.status === 'cancelled') return []
  const found = new Set<number>()
  for (const span of spans ?? (await findBusySpans(db, userId, id, fields, now))) {
    const ids =
      (await listBusy(db, userId, span, MAX_CONFLICTS + 1)) ?? (await listFromWindow(db, userId, span))
    for (const one of ids) found.add(one)
    if (found.size > MAX_CONFLICTS) break
  }
  found.delete(id)
  return [...found].slice(0, MAX_CONFLICTS).sort((a, b) => a - b)
}

export type SavedEvent = VersionedEvent & { conflicts: number[] }

/**
 * Adds conflicts to an event. For one occurrence, only the conflicts of that occurrence are added. `fields`
 * are those of the event or series.
 */
export const withConflicts = async (
  db: Db,
  userId: number,
  event: VersionedEvent,
  fields: EventFields,
  now: Date,
): Promise<SavedEvent> => {
  const { id, start, end, occurrenceStart, status, busy } = event
  const spans: BusySpan[] | undefined = occurrenceStart === null ? undefined : [[start, end]]
  return { ...event, conflicts: await findConflicts(db, userId, id, { ...fields, status, busy }, now, spans) }
}
