import type { Db } from '../../../database/db.ts'
import { type EventFields, type EventRecord, fieldsOf } from '../event.ts'
import type { Bookkeeping } from '../event-row.ts'
import { lockEvent } from '../event-store.ts'
import type { Occurrences, OneOccurrence } from '../occurrences.ts'
import type { Saving } from '../saving.ts'
import { isSeries } from '../series.ts'
import type { Shown } from '../shown-event.ts'

/** What a mail is about: an event, a whole series, or one occurrence of it. */
export interface Target {
  /** The event or series. */
  row: EventRecord
  one: OneOccurrence | undefined
  /** What it says now. */
  fields: EventFields
  /** The row that says so. */
  record: EventRecord
}

export type Targets = ReturnType<typeof createTargets>

export const createTargets = ({ saving, occurrences }: { saving: Saving; occurrences: Occurrences }) => {
  const whole = (row: EventRecord): Target => ({ row, one: undefined, fields: fieldsOf(row), record: row })
  const part = (row: EventRecord, one: OneOccurrence): Target => ({
    row,
    one,
    fields: one.fields,
    record: one.override ?? row,
  })

  return {
    /** Among the rows of its UID; undefined when it is not here. */
    async find(
      tx: Db,
      rows: readonly EventRecord[],
      recurrenceId: string | null,
    ): Promise<Target | undefined> {
      const series = rows.find((row) => row.recurrenceId === '')
      const one = series && recurrenceId !== null && (await occurrences.locate(tx, series, recurrenceId))
      if (series && one) return part(series, one)
      const row = rows.find((each) => each.recurrenceId === (recurrenceId ?? ''))
      return row && whole(row)
    },

    /** By its id, for a change that depends on what is there. */
    async lock(tx: Db, id: number, occurrence: string | undefined): Promise<Target> {
      const row = await lockEvent(tx, id)
      return occurrence === undefined ? whole(row) : part(row, await occurrences.findOne(tx, row, occurrence))
    },

    /** Writes what is different. It stays the revision of its author that it was. */
    async change(
      tx: Db,
      { row, one, fields, record }: Target,
      change: Partial<EventFields>,
      extra: string | null = record.extra,
      revisedAt: string | null = record.revisedAt,
    ): Promise<void> {
      const after = { ...fields, ...change }
      const kept: Partial<Bookkeeping> = { revisedAt, extra }
      if (one) await occurrences.changeOne(tx, row, one, after, kept)
      else if (isSeries(fields)) await occurrences.changeSeries(tx, row, after, {}, kept)
      else await saving.update(tx, row, after, kept)
    },

    show: (tx: Db, { row, one }: Target): Promise<Shown> =>
      one ? occurrences.show(tx, row.id, one.start) : occurrences.showWhole(tx, row.id),
  }
}
