import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../database/db.ts'
import { engineOf, prepare } from '../../../database/prepared.ts'
import { inReach, reachClasses, reachOf, SERIES } from '../../../database/spans.ts'

interface Parameters extends Record<string, string | number> {
  from: string
  until: string
  limit: number
}

/** Stands for "not all occurrences are worked out here"; no event has it. */
const NOT_ALL = 0

/*
 * Every event that asks pays for this, so it is one statement that names what it finds, in no order. What had begun
 * before comes first.
 */
const selectOccupying = prepare<Parameters, { id: number }>((db, parameter) => {
  const [from, until] = [sql`${parameter('from')}`, sql`${parameter('until')}`]
  const reach = reachClasses((name) => parameter(name) as string, false)
  const occupies = sql`e.status <> 'cancelled' and e.busy = 1`
  const own = sql`select coalesce(e."seriesId", e.id) as id from`
  const single = sql`e."spanClass" < ${sql.lit(SERIES)} and ${occupies}`
  const occurrence = sql`select o."seriesId" as id from`
  // In this order: the other way round every series there is would be looked at.
  const ofSeries = sql`cross join events as e where e.id = o."seriesId" and ${occupies}`
  const reached = (table: 'events' | 'occurrences', alias: string) =>
    inReach(engineOf(db), reach, { table, alias, moment: from })
  const [events, occurrences] = [reached('events', 'e'), reached('occurrences', 'o')]
  const all = (...conditions: RawBuilder<unknown>[]) => sql.join(conditions, sql` and `)
  const within = (table: 'e' | 'o') => {
    const start = sql.ref(`${table}.start`)
    return sql`${start} >= ${from} and ${start} < ${until}`
  }
  const arms: RawBuilder<unknown>[] = [
    sql`select ${sql.lit(NOT_ALL)} as id where exists (
      select 1 from events as series where series."expandedFrom" > ${from}
        and (series.start < ${until} or series.rdates <> '[]') and series."lastEnd" > ${from})`,
    sql`select ${sql.lit(NOT_ALL)} as id where exists (
      select 1 from events as series where series."expandedUntil" < ${until}
        and (series.start < ${until} or series.rdates <> '[]') and series."lastEnd" > ${from})`,
    sql`${own} ${events.from} where ${all(...events.where, sql`e."lastEnd" > ${from}`, single)}`,
    sql`${occurrence} ${occurrences.from} ${ofSeries} and ${all(...occurrences.where, sql`o."end" > ${from}`)}`,
    sql`${own} events as e where ${within('e')} and ${single}`,
    sql`${occurrence} occurrences as o ${ofSeries} and ${within('o')}`,
  ]
  return sql<{ id: number }>`${sql.join(arms, sql` union all `)} limit cast(${parameter('limit')} as integer)`
})

/** Who takes up some of this time: events and series. Undefined where that has to be worked out first. */
export const listOccupying = async (
  db: Db,
  [from, until]: readonly [string, string],
  limit: number,
): Promise<number[] | undefined> => {
  const rows = await selectOccupying(db, { from, until, limit, ...reachOf(from) })
  return rows[0]?.id === NOT_ALL ? undefined : rows.map(({ id }) => id)
}
