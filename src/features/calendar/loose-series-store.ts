import { type RawBuilder, sql } from 'kysely'
import type { EventRecord } from './event.ts'

/** A series of which not every occurrence in a window stands in `occurrences`. Mostly there are none. */
export interface LooseSeries
  extends Pick<
    EventRecord,
    | 'id'
    | 'start'
    | 'end'
    | 'allDay'
    | 'timezone'
    | 'recurrence'
    | 'exdates'
    | 'rdates'
    | 'status'
    | 'source'
    | 'busy'
    | 'shown'
    | 'expandedFrom'
    | 'expandedUntil'
  > {
  /** The occurrences that were changed, and so stand for themselves: their original starts. */
  changed: string | null
}

export const looseSeries = (parameter: (name: 'from' | 'until') => string): RawBuilder<LooseSeries> => {
  const [from, until] = [sql`${parameter('from')}`, sql`${parameter('until')}`]
  const series = sql`
    select id, start, "end", "allDay", timezone, recurrence, exdates, rdates, status, source, busy, shown,
      "expandedFrom", "expandedUntil",
      (select string_agg(one."recurrenceId", ',') from events as one where one."seriesId" = series.id) as changed
    from events as series
    where (start < ${until} or rdates <> '[]') and "lastEnd" > ${from}`
  return sql<LooseSeries>`${series} and "expandedFrom" > ${from}
    union all ${series} and "expandedUntil" < ${until} and "expandedFrom" <= ${from}`
}

export const changedIn = ({ changed }: LooseSeries): ReadonlySet<number> =>
  new Set(changed === null ? [] : changed.split(',').map(Date.parse))
