import type { Db } from '../../database/db.ts'
import { EVER, NEVER, spanClassOf } from '../../database/spans.ts'
import { inTransaction } from '../../database/transaction.ts'
import { occurrencesBetween } from '../../engine/recurrence/series.ts'
import type { Clock } from '../../platform/clock.ts'
import { fieldsOf } from './event.ts'
import { NOT_AT_ALL, WHOLLY } from './event-row.ts'
import { deleteOccurrences, insertOccurrences, lockAny, readChanged, updateEvent } from './event-store.ts'
import { endOf, longestOf, seriesOf } from './series.ts'
import { isoOf } from './times.ts'

const DAY_MS = 86_400_000
/** How far around now occurrences are worked out ahead, and how little of it may be left before there are more. */
const BEHIND_MS = 400 * DAY_MS
const AHEAD_MS = 400 * DAY_MS
const LEFT_MS = 370 * DAY_MS
/** A series with more than this in that stretch is worked out when it is asked for. */
const MOST = 1000

export type Expansion = ReturnType<typeof createExpansion>

/** Works the occurrences of series out ahead of being asked for. Windows are right without it, and quick with it. */
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
        return updateEvent(tx, id, WHOLLY)
      }
      const [from, until] = [now - BEHIND_MS, now + AHEAD_MS]
      const rows = rowsBetween(from - longestOf(fields), until)
      if (rows.length > MOST) return updateEvent(tx, id, NOT_AT_ALL)
      await insertOccurrences(
        tx,
        rows.filter(({ end }) => Date.parse(end) > from),
      )
      await updateEvent(tx, id, { expandedFrom: isoOf(from), expandedUntil: isoOf(until) })
    })

  return {
    /** One series that needs it; false when none does. */
    async expandNext(): Promise<boolean> {
      const due = await db
        .selectFrom('events')
        .select('id')
        .where('expandedUntil', '>', EVER)
        .where('expandedUntil', '<', isoOf(clock.now().getTime() + LEFT_MS))
        .orderBy('expandedUntil')
        .limit(1)
        .executeTakeFirst()
      if (due) await expand(due.id)
      return due !== undefined
    },
  }
}
