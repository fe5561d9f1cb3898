import { type RawBuilder, sql } from 'kysely'
import type { Engine } from '../../../database/database.ts'
import type { Db } from '../../../database/db.ts'
import { prepareMerged } from '../../../database/merged-pages.ts'
import { engineOf, prepare } from '../../../database/prepared.ts'
import { inReach, reachClasses, reachOf, SERIES } from '../../../database/spans.ts'
import type { EventRecord, ResponseRow } from '../event.ts'

/** A row of a window: an event, a changed occurrence (`seriesId` is set), or an unchanged occurrence. */
export interface Span {
  /** Breaks ties between equal starts. An unchanged occurrence has the id of its series. */
  id: number
  seriesId: number | null
  occurrenceStart: string | null
  start: string
  end: string
}

export type WindowEventRow = Span & ResponseRow

/** A row with only the columns for statistics. */
export interface StatisticsRow extends Span {
  allDay: number
  status: string
  source: string
  busy: number
}

export type WindowRow<W> = W extends { as: 'bare' }
  ? StatisticsRow
  : W extends { as: 'span' }
    ? Span
    : WindowEventRow

export type Place = readonly [start: string, id: number]

export interface Window {
  /** Whether to return occurrences instead of series. */
  expanded: boolean
  from?: string | undefined
  until?: string | undefined
  status?: string | undefined
  source?: string | undefined
  /** `active` excludes cancelled events; `busy` also excludes events that are not busy. */
  among?: 'active' | 'busy' | undefined
  /** The columns to read: all of a response, those for statistics, or only the times. */
  as?: 'full' | 'bare' | 'span'
  after?: Place | undefined
  limit: number
}

interface Shape {
  expanded: boolean
  from: boolean
  until: boolean
  status: boolean
  source: boolean
  among: 'all' | 'active' | 'busy'
  as: 'full' | 'bare' | 'span'
  /** The position of the cursor: none, before the start of the window, or inside the window. */
  place: 'none' | 'before' | 'inside'
}

type WindowParameters = Record<string, string | number> & { limit: number }
type Parameter = (name: string) => string | number

const shapeOf = ({ from, until, after, ...window }: Window): Shape => ({
  expanded: window.expanded,
  from: from !== undefined,
  until: until !== undefined,
  status: window.status !== undefined,
  source: window.source !== undefined,
  among: window.among ?? 'all',
  as: window.as ?? 'full',
  place: after === undefined ? 'none' : from !== undefined && after[0] < from ? 'before' : 'inside',
})

/** Builds one ordered page per table and condition, so that none reads more rows than the result needs. */
const buildPages = (
  shape: Shape,
  parameter: Parameter,
  engine: Engine,
  names: readonly string[],
): RawBuilder<Span>[] => {
  const value = (name: string) => sql`${parameter(name)}`
  const columns = sql.join(
    names.map((name) => sql`, ${sql.ref(`e.${name}`)} as ${sql.ref(name)}`),
    sql``,
  )
  const event = sql`e.id, e."seriesId" as "seriesId",
    case when e."seriesId" is null then null else e."recurrenceId" end as "occurrenceStart",
    e.start, e."end"${columns}`
  const occurrence = sql`o."seriesId" as id, cast(null as bigint) as "seriesId", o.start as "occurrenceStart",
    o.start, o."end"${columns}`

  const until = (table: string) => [
    ...(shape.until ? [sql`${sql.ref(`${table}.start`)} < ${value('until')}`] : []),
  ]
  const after = (table: string, id: string) =>
    sql`(${sql.ref(`${table}.start`)}, ${sql.ref(`${table}.${id}`)}) > (${value('afterStart')}, ${value('afterId')})`
  const filtersOn = (status: RawBuilder<unknown>, source: RawBuilder<unknown>) => [
    ...(shape.status ? [sql`${status} = ${value('status')}`] : []),
    ...(shape.source ? [sql`${source} = ${value('source')}`] : []),
    ...(shape.among === 'all' ? [] : [sql`e.status <> 'cancelled'`]),
    ...(shape.among === 'busy' ? [sql`e.busy = 1`] : []),
  ]
  const filters = filtersOn(sql`e.status`, sql`e.source`)
  // The casts keep SQLite from using these indexes, which would scan all past events once per span class.
  const unindexedFilters = filtersOn(sql`cast(e.status as text)`, sql`cast(e.source as text)`)
  const kept = shape.expanded ? sql`e."spanClass" < ${sql.lit(SERIES)}` : sql`e."seriesId" is null`
  const reach = reachClasses((name) => parameter(name) as string, !shape.expanded)

  const page = (table: 'e' | 'o', rest: RawBuilder<unknown>, conditions: RawBuilder<unknown>[]) => {
    const id = table === 'e' ? 'id' : 'seriesId'
    return sql<Span>`select ${table === 'e' ? event : occurrence} from ${rest}
      where ${sql.join(conditions, sql` and `)}
      order by ${sql.ref(`${table}.start`)}, ${sql.ref(`${table}.${id}`)} limit cast(${value('limit')} as integer)`
  }
  /** Conditions for events that start in the window. */
  const within = (table: 'e' | 'o', id: string) => [
    ...until(table),
    ...(shape.place === 'inside'
      ? [after(table, id)]
      : shape.from
        ? [sql`${sql.ref(`${table}.start`)} >= ${value('from')}`]
        : []),
  ]
  const reached = (table: 'events' | 'occurrences', alias: string) =>
    inReach(engine, reach, { table, alias, moment: value('from') })
  const [events, occurrences] = [reached('events', 'e'), reached('occurrences', 'o')]
  /** Conditions for events that started before the window and end after its start. */
  const startedBefore = (table: 'e' | 'o', id: string, end: string) => [
    ...(table === 'e' ? events : occurrences).where,
    sql`${sql.ref(`${table}.${end}`)} > ${value('from')}`,
    ...until(table),
    ...(shape.place === 'before' ? [after(table, id)] : []),
  ]
  const includesStartedBefore = shape.from && shape.place !== 'inside'
  // The cross join fixes the join order. The other order would scan every series.
  const series = sql`cross join events as e`
  const ofSeries = sql`e.id = o."seriesId"`
  return [
    page('e', sql`events as e`, [...within('e', 'id'), kept, ...filters]),
    ...(includesStartedBefore
      ? [page('e', events.from, [...startedBefore('e', 'id', 'lastEnd'), kept, ...unindexedFilters])]
      : []),
    ...(shape.expanded
      ? [page('o', sql`occurrences as o ${series}`, [...within('o', 'seriesId'), ofSeries, ...filters])]
      : []),
    ...(shape.expanded && includesStartedBefore
      ? [
          page('o', sql`${occurrences.from} ${series}`, [
            ...startedBefore('o', 'seriesId', 'end'),
            ofSeries,
            ...filters,
          ]),
        ]
      : []),
  ]
}

/**
 * Counts events, changed occurrences and stored occurrences that start in each range. Cancelled ones do not
 * count.
 */
export const countStarts = async (
  db: Db,
  ranges: readonly { start: string; end: string }[],
): Promise<number[]> => {
  const counts = ranges.map(({ start, end }, index) => {
    const within = (table: string) =>
      sql`${sql.ref(`${table}.start`)} >= ${start} and ${sql.ref(`${table}.start`)} < ${end}`
    return sql`(select count(*) from events as e
        where ${within('e')} and e."spanClass" < ${sql.lit(SERIES)} and e.status <> 'cancelled')
      + (select count(*) from occurrences as o cross join events as e
        where ${within('o')} and e.id = o."seriesId" and e.status <> 'cancelled')
      as ${sql.ref(`range${index}`)}`
  })
  const { rows } = await sql<Record<string, number>>`select ${sql.join(counts)}`.execute(db)
  return ranges.map((_, index) => Number(rows[0]?.[`range${index}`] ?? 0))
}

/** A series whose occurrences in a window are not all stored in `occurrences`. This is rare. */
export interface UnexpandedSeries
  extends Omit<ResponseRow, 'seriesId'>,
    Pick<EventRecord, 'expandedFrom' | 'expandedUntil'> {
  /** The original starts of changed occurrences, which have rows of their own. */
  changed: string | null
}

const selectUnexpandedSeries = (
  parameter: (name: 'from' | 'until') => string,
  names: readonly string[],
): RawBuilder<UnexpandedSeries> => {
  const [from, until] = [sql`${parameter('from')}`, sql`${parameter('until')}`]
  const series = sql`
    select id, start, "end", "expandedFrom", "expandedUntil", ${sql.join(names.map((name) => sql.ref(name)))},
      (select string_agg(one."recurrenceId", ',') from events as one where one."seriesId" = series.id) as changed
    from events as series
    where (start < ${until} or rdates <> '[]') and "lastEnd" > ${from}`
  return sql<UnexpandedSeries>`${series} and "expandedFrom" > ${from}
    union all ${series} and "expandedUntil" < ${until} and "expandedFrom" <= ${from}`
}

type Statement = (
  db: Db,
  parameters: WindowParameters,
) => Promise<{ page: Span[]; beside: UnexpandedSeries[] }>

const statements = new Map<string, Statement>()

export interface WindowResult<W> {
  rows: WindowRow<W>[]
  /** With `expanded`: the series whose occurrences are not all among the rows. */
  unexpanded: UnexpandedSeries[]
}

/**
 * Reads the rows that overlap the window, ordered by (start, id), after the cursor `after`. The number of
 * rows read does not depend on events outside the window. Each combination of filters is prepared once.
 */
export const readWindow = async <W extends Window>(
  db: Db,
  window: W,
  columns: Readonly<Record<Shape['as'], readonly string[]>>,
): Promise<WindowResult<W>> => {
  const shape = shapeOf(window)
  const name = Object.values(shape).join()
  let statement = statements.get(name)
  if (!statement) {
    statement = prepareMerged<WindowParameters, Span, UnexpandedSeries>(
      (parameter, engine) => ({
        pages: buildPages(shape, parameter, engine, columns[shape.as]),
        beside: shape.expanded
          ? selectUnexpandedSeries(parameter as (name: 'from' | 'until') => string, columns.full)
          : undefined,
      }),
      ['start', 'id'],
    )
    statements.set(name, statement)
  }
  const { from, until, status, source, after, limit } = window
  const { page, beside } = await statement(db, {
    limit,
    ...(from !== undefined && { from, ...reachOf(from) }),
    ...(until !== undefined && { until }),
    ...(status !== undefined && { status }),
    ...(source !== undefined && { source }),
    ...(after !== undefined && { afterStart: after[0], afterId: after[1] }),
  })
  return { rows: page as WindowRow<W>[], unexpanded: beside }
}

interface ConflictParameters extends Record<string, string | number> {
  from: string
  until: string
  limit: number
}

/** Returned instead of an event id if some series are not expanded in this range. No event has this id. */
const NOT_EXPANDED = 0

/*
 * Runs with every change of an event, so it is one unordered statement that returns only ids. Events that
 * began before the range come first.
 */
const selectBusy = prepare<ConflictParameters, { id: number }>((db, parameter) => {
  const [from, until] = [sql`${parameter('from')}`, sql`${parameter('until')}`]
  const reach = reachClasses((name) => parameter(name) as string, false)
  const isBusy = sql`e.status <> 'cancelled' and e.busy = 1`
  const own = sql`select coalesce(e."seriesId", e.id) as id from`
  const single = sql`e."spanClass" < ${sql.lit(SERIES)} and ${isBusy}`
  const occurrence = sql`select o."seriesId" as id from`
  // The cross join fixes the join order. The other order would scan every series.
  const ofSeries = sql`cross join events as e where e.id = o."seriesId" and ${isBusy}`
  const reached = (table: 'events' | 'occurrences', alias: string) =>
    inReach(engineOf(db), reach, { table, alias, moment: from })
  const [events, occurrences] = [reached('events', 'e'), reached('occurrences', 'o')]
  const all = (...conditions: RawBuilder<unknown>[]) => sql.join(conditions, sql` and `)
  const within = (table: 'e' | 'o') => {
    const start = sql.ref(`${table}.start`)
    return sql`${start} >= ${from} and ${start} < ${until}`
  }
  const arms: RawBuilder<unknown>[] = [
    sql`select ${sql.lit(NOT_EXPANDED)} as id where exists (
      select 1 from events as series where series."expandedFrom" > ${from}
        and (series.start < ${until} or series.rdates <> '[]') and series."lastEnd" > ${from})`,
    sql`select ${sql.lit(NOT_EXPANDED)} as id where exists (
      select 1 from events as series where series."expandedUntil" < ${until}
        and (series.start < ${until} or series.rdates <> '[]') and series."lastEnd" > ${from})`,
    sql`${own} ${events.from} where ${all(...events.where, sql`e."lastEnd" > ${from}`, single)}`,
    sql`${occurrence} ${occurrences.from} ${ofSeries} and ${all(...occurrences.where, sql`o."end" > ${from}`)}`,
    sql`${own} events as e where ${within('e')} and ${single}`,
    sql`${occurrence} occurrences as o ${ofSeries} and ${within('o')}`,
  ]
  return sql<{ id: number }>`${sql.join(arms, sql` union all `)} limit cast(${parameter('limit')} as integer)`
})

/**
 * Lists events and series that are busy in this range. Returns undefined if a series must be expanded first.
 */
export const listBusy = async (
  db: Db,
  [from, until]: readonly [string, string],
  limit: number,
): Promise<number[] | undefined> => {
  const rows = await selectBusy(db, { from, until, limit, ...reachOf(from) })
  return rows[0]?.id === NOT_EXPANDED ? undefined : rows.map(({ id }) => id)
}
