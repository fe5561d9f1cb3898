import type { Db } from '../../../database/db.ts'
import { NEVER } from '../../../database/spans.ts'
import { occurrencesBetween } from '../../../engine/recurrence/series.ts'
import type { EventFields } from '../event.ts'
import { listOverrides } from '../event-store.ts'
import { endOf, isSeries, seriesOf } from '../series.ts'
import type { Shown } from '../shown-event.ts'
import { isoOf } from '../times.ts'
import { listOccupying } from './conflict-store.ts'
import { lookThrough } from './window.ts'

/** Of a series the next so many are looked at, and no more than so many are told: it is a hint, not a report. */
const OCCURRENCES = 30
const MOST = 20

type Occupied = readonly [from: string, until: string]

const byStart = ([a]: Occupied, [b]: Occupied): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * Where it takes up time: of a series also where occurrences were moved to, and not where they would have been. What has
 * passed of it is in nobody's way, unless all has.
 */
const spansOf = async (db: Db, id: number, fields: EventFields, now: Date): Promise<Occupied[]> => {
  if (!isSeries(fields)) return [[fields.start, fields.end]]
  const overrides = await listOverrides(db, id)
  const changed = new Set(overrides.map(({ recurrenceId }) => Date.parse(recurrenceId)))
  const own = overrides
    .filter(({ busy, status }) => busy === 1 && status !== 'cancelled')
    .map(({ start, end }): Occupied => [start, end])
  const lasts = Date.parse(fields.end) - Date.parse(fields.start)
  const spansAfter = (moment: number): Occupied[] => {
    const others = occurrencesBetween(seriesOf(fields), moment - lasts, Date.parse(NEVER))
      .filter((start) => !changed.has(start))
      .take(OCCURRENCES)
      .map((start): Occupied => [isoOf(start), isoOf(endOf(fields, start))])
    const after = isoOf(moment)
    return [...own.filter(([, end]) => end > after), ...others].sort(byStart).slice(0, OCCURRENCES)
  }
  const ahead = spansAfter(now.getTime())
  return ahead.length > 0 ? ahead : spansAfter(Date.parse(fields.start))
}

const listWorkedOut = async (db: Db, [from, until]: Occupied): Promise<number[]> => {
  const rows = await lookThrough(db, {
    expanded: true,
    from,
    until,
    among: 'occupying',
    as: 'span',
    limit: MOST + 1,
  })
  return rows.map(({ id, seriesId }) => seriesId ?? id)
}

/** The events that take up some of the same time. */
export const findConflicts = async (
  db: Db,
  id: number,
  fields: EventFields,
  now: Date,
  spans?: readonly Occupied[],
): Promise<number[]> => {
  if (!fields.busy || fields.status === 'cancelled') return []
  const found = new Set<number>()
  for (const span of spans ?? (await spansOf(db, id, fields, now))) {
    const ids = (await listOccupying(db, span, MOST + 1)) ?? (await listWorkedOut(db, span))
    for (const one of ids) found.add(one)
    if (found.size > MOST) break
  }
  found.delete(id)
  return [...found].slice(0, MOST).sort((a, b) => a - b)
}

/** An event's JSON, with what it collides with at the end of it. */
const toldOf = (event: Shown, conflicts: readonly number[]): Shown => ({
  ...event,
  text: `${event.text.slice(0, -1)},"conflicts":${JSON.stringify(conflicts)}}`,
})

/** A new event with what it collides with. */
export const newWithConflicts = async (
  db: Db,
  event: Shown,
  fields: EventFields,
  now: Date,
): Promise<Shown> => toldOf(event, await findConflicts(db, event.id, fields, now))

/** The event with what it collides with; of one occurrence, what that one collides with. */
export const withConflicts = async (db: Db, event: Shown, fields: EventFields, now: Date): Promise<Shown> => {
  const { start, end, occurrenceStart, status, busy } = JSON.parse(event.text) as Pick<
    EventFields,
    'start' | 'end' | 'status' | 'busy'
  > & { occurrenceStart: string | null }
  const spans: Occupied[] | undefined = occurrenceStart === null ? undefined : [[start, end]]
  return toldOf(event, await findConflicts(db, event.id, { ...fields, status, busy }, now, spans))
}
