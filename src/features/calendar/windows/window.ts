import type { Db } from '../../../database/db.ts'
import { occurrencesBetween } from '../../../engine/recurrence/series.ts'
import { createBreather } from '../../../platform/breather.ts'
import { endOf, longestOf, type Recurring, seriesOf } from '../series.ts'
import { isoOf } from '../times.ts'
import { createHeap } from './heap.ts'
import {
  type BareRow,
  type LooseSeries,
  readWindow,
  type ShownRow,
  type Span,
  type Window,
  type WindowRow,
} from './window-store.ts'

type Bounded = Window & { from: string; until: string }

const recurringOf = (row: LooseSeries): Recurring => ({
  start: row.start,
  end: row.end,
  allDay: row.allDay === 1,
  timezone: row.timezone,
  recurrence: row.recurrence,
  exdates: JSON.parse(row.exdates) as string[],
  rdates: JSON.parse(row.rdates) as string[],
})

const isAsked = (row: LooseSeries, { status, source, among }: Window): boolean =>
  (status === undefined || row.status === status) &&
  (source === undefined || row.source === source) &&
  (among === undefined || row.status !== 'cancelled') &&
  (among !== 'occupying' || row.busy === 1)

/** In the order of (start, id), what comes after the end of the page before. */
const isAfter = (after: [number, number] | undefined, startMs: number, id: number): boolean =>
  after === undefined || startMs > after[0] || (startMs === after[0] && id > after[1])

const changedIn = ({ changed }: LooseSeries): ReadonlySet<number> =>
  new Set(changed === null ? [] : changed.split(',').map(Date.parse))

type Stretch = readonly [from: number, until: number]

/** What was worked out ahead: whatever ends after the one and starts before the other. Undefined for nothing. */
const expandedOf = ({ expandedFrom, expandedUntil }: LooseSeries): Stretch | undefined => {
  const expanded = [Date.parse(expandedFrom as string), Date.parse(expandedUntil as string)] as const
  return expanded[0] < expanded[1] ? expanded : undefined
}

/** Where in [from, until) something may start that was not worked out ahead. */
const gapsOf = (expanded: Stretch | undefined, from: number, until: number): Stretch[] =>
  expanded === undefined
    ? [[from, until]]
    : [
        [from, Math.min(expanded[0], until)],
        [Math.max(expanded[1], from), until],
      ]

interface Occurrence {
  row: LooseSeries
  startMs: number
  endMs: number
}

function* occurrencesOf(row: LooseSeries, window: Bounded): Generator<Occurrence> {
  const recurring = recurringOf(row)
  const series = seriesOf(recurring)
  const changed = changedIn(row)
  const opening = Date.parse(window.from)
  const after = window.after && ([Date.parse(window.after[0]), window.after[1]] as [number, number])
  const earliest = Math.max(after?.[0] ?? Number.NEGATIVE_INFINITY, opening - longestOf(recurring))
  const expanded = expandedOf(row)
  for (const [from, until] of gapsOf(expanded, earliest, Date.parse(window.until)))
    for (const startMs of occurrencesBetween(series, from, until)) {
      const endMs = endOf(recurring, startMs)
      if (endMs <= opening || changed.has(startMs) || !isAfter(after, startMs, row.id)) continue
      if (expanded && endMs > expanded[0] && startMs < expanded[1]) continue
      yield { row, startMs, endMs }
    }
}

/** The first so many of all these series together, give or take: none is followed beyond what the page can show. */
const firstOf = async (
  loose: readonly LooseSeries[],
  window: Bounded,
  horizon: number,
): Promise<Occurrence[]> => {
  const found: Occurrence[] = []
  const breathe = createBreather()
  // Turned round: the least is the latest of the first so many.
  const latest = createHeap()
  for (const row of loose) {
    await breathe()
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

const rowOf = ({ row, startMs, endMs }: Occurrence, as: Window['as']): ShownRow | BareRow | Span => {
  const { id, shown, allDay, status, source, busy } = row
  const start = isoOf(startMs)
  const span = { id, seriesId: null, occurrenceStart: start, start, end: isoOf(endMs) }
  if (as === 'span') return span
  return as === 'bare' ? { ...span, allDay, status, source, busy } : { ...span, shown }
}

const byStart = (a: Span, b: Span): number => (a.start < b.start ? -1 : a.start > b.start ? 1 : a.id - b.id)

/** Up to `limit` of what overlaps a window, in the order of (start, id). */
export const lookThrough = async <W extends Window>(db: Db, window: W): Promise<WindowRow<W>[]> => {
  const { rows, loose } = await readWindow(db, window)
  const asked = loose.filter((row) => isAsked(row, window))
  if (asked.length === 0) return rows
  const last = rows.length < window.limit ? undefined : rows.at(-1)
  const horizon = last === undefined ? Number.POSITIVE_INFINITY : Date.parse(last.start)
  const found = await firstOf(asked, window as W & Bounded, horizon)
  return [...rows, ...found.map((one) => rowOf(one, window.as))]
    .sort(byStart)
    .slice(0, window.limit) as WindowRow<W>[]
}

/** The starts of occurrences in a window that are not stored, series by series. Reads each series once. */
export async function* looseStartsIn(
  db: Db,
  window: Pick<Bounded, 'from' | 'until' | 'among'>,
): AsyncGenerator<string> {
  const bounded = { ...window, as: 'span', expanded: true, limit: 1 } as const
  const { loose } = await readWindow(db, bounded)
  for (const row of loose)
    if (isAsked(row, bounded))
      for (const { startMs } of occurrencesOf(row, bounded))
        if (startMs >= Date.parse(window.from)) yield isoOf(startMs)
}

const PAGE = 1000

/** Everything that overlaps a window, page by page, so that others get their turn in between. */
export async function* everythingIn(
  db: Db,
  window: Pick<Bounded, 'from' | 'until' | 'among'>,
): AsyncGenerator<BareRow> {
  let after: Window['after']
  for (;;) {
    const rows = await lookThrough(db, { ...window, as: 'bare', expanded: true, after, limit: PAGE })
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return
    after = [last.start, last.id]
    await new Promise((resolve) => setImmediate(resolve))
  }
}
