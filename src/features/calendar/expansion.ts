import type { Db } from '../../database/db.ts'
import { EVER, NEVER, spanClassOf } from '../../database/spans.ts'
import { inTransaction } from '../../database/transaction.ts'
import { occurrencesBetween } from '../../nlu/recurrence/series.ts'
import type { Clock } from '../../platform/clock.ts'
import { FULLY_EXPANDED, fieldsOf, NOT_EXPANDABLE } from './event.ts'
import {
  deleteOccurrences,
  insertOccurrences,
  lockAny,
  readChanged,
  updateEvent,
} from './event-repository.ts'
import { endOf, longestOf, seriesOf } from './series.ts'
import { isoOf } from './times.ts'

/** The range around now for which occurrences are stored. */
const BEHIND_MS = 400 * 86_400_000
const AHEAD_MS = 400 * 86_400_000

/** A series is expanded again when less than this is stored ahead of now. */
const LEAST_AHEAD_MS = 370 * 86_400_000

/** A series with more occurrences in that range is expanded with each query instead. */
const MOST = 1000

export type Expansion = ReturnType<typeof createExpansion>

/** Stores the occurrences of series in advance. Windows are correct without this, but slower. */
export const createExpansion = ({ db, clock }: { db: Db; clock: Clock }) => {
  const expand = (id: number): Promise<void> =>
    inTransaction(db, async (tx) => {
      const row = await lockAny(tx, id)
      if (!row || row.expandedFrom === null) return
      const fields = fieldsOf(row)
      const series = seriesOf(fields)
      const now = clock.now().getTime()
      const changed = await readChanged(tx, id)
      const rowsBetween = (from: number, until: number) =>
        occurrencesBetween(series, from, until)
          .filter((start) => !changed.has(start))
          .map((startMs) => {
            const [start, end] = [isoOf(startMs), isoOf(endOf(fields, startMs))]
            return { seriesId: id, start, end, spanClass: spanClassOf(start, end) }
          })
          .take(MOST + 1)
          .toArray()

      await deleteOccurrences(tx, id)
      const whole =
        row.lastEnd === NEVER
          ? undefined
          : rowsBetween(Math.min(series.start, ...series.added), Date.parse(NEVER))
      if (whole !== undefined && whole.length <= MOST) {
        await insertOccurrences(tx, whole)
        return updateEvent(tx, id, FULLY_EXPANDED)
      }
      const [from, until] = [now - BEHIND_MS, now + AHEAD_MS]
      const rows = rowsBetween(from - longestOf(fields), until)
      if (rows.length > MOST) return updateEvent(tx, id, NOT_EXPANDABLE)
      await insertOccurrences(
        tx,
        rows.filter(({ end }) => Date.parse(end) > from),
      )
      await updateEvent(tx, id, { expandedFrom: isoOf(from), expandedUntil: isoOf(until) })
    })

  return {
    /** Expands one series that needs it. Returns false if none does. */
    async expandNext(): Promise<boolean> {
      const due = await db
        .selectFrom('events')
        .select('id')
        .where('expandedUntil', '>', EVER)
        .where('expandedUntil', '<', isoOf(clock.now().getTime() + LEAST_AHEAD_MS))
        .orderBy('expandedUntil')
        .limit(1)
        .executeTakeFirst()
      if (due) await expand(due.id)
      return due !== undefined
    },
  }
}
