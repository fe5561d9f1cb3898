import type { Db } from '../../database/db.ts'
import { NEVER } from '../../database/spans.ts'
import { occurrencesBetween } from '../../engine/recurrence/series.ts'
import { listOccupying } from './conflict-store.ts'
import type { EventFields } from './event.ts'
import { endOf, isSeries, seriesOf } from './series.ts'
import type { Shown } from './shown-event.ts'
import { isoOf } from './times.ts'
import { lookThrough } from './window.ts'

/** Of a series the first so many are looked at, and no more than so many are told: it is a hint, not a report. */
const OCCURRENCES = 30
const MOST = 20

function* spansOf(fields: EventFields): Generator<[string, string]> {
  if (!isSeries(fields)) yield [fields.start, fields.end]
  else
    for (const start of occurrencesBetween(
      seriesOf(fields),
      Date.parse(fields.start),
      Date.parse(NEVER),
    ).take(OCCURRENCES))
      yield [isoOf(start), isoOf(endOf(fields, start))]
}

const listWorkedOut = async (db: Db, [from, until]: readonly [string, string]): Promise<number[]> => {
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
  spans: Iterable<[string, string]> = spansOf(fields),
): Promise<number[]> => {
  if (!fields.busy || fields.status === 'cancelled') return []
  const found = new Set<number>()
  for (const span of spans) {
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
export const newWithConflicts = async (db: Db, event: Shown, fields: EventFields): Promise<Shown> =>
  toldOf(event, await findConflicts(db, event.id, fields))

/** The event with what it collides with; of one occurrence, what that one collides with. */
export const withConflicts = async (db: Db, event: Shown, fields: EventFields): Promise<Shown> => {
  const { start, end, occurrenceStart, status } = JSON.parse(event.text) as Pick<
    EventFields,
    'start' | 'end' | 'status'
  > & { occurrenceStart: string | null }
  const spans: Iterable<[string, string]> = occurrenceStart === null ? spansOf(fields) : [[start, end]]
  return toldOf(event, await findConflicts(db, event.id, { ...fields, status }, spans))
}
