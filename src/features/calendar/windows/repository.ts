import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../database/db.ts'
import { readSnapshot } from '../../../database/engine-access.ts'
import { findStartedBefore, isSingle, reachOf } from '../../../database/overlaps.ts'
import { filterOnly, filterOnlyText, limitTo } from '../../../database/planner.ts'
import { prepare } from '../../../database/prepared.ts'
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
export type StatisticsRow = Span &
  Pick<EventRecord, 'allDay' | 'status' | 'source' | 'busy' | 'tags' | 'bufferBefore' | 'bufferAfter'>

/** A row with the columns that decide what a member may see. */
type MemberRow = WindowEventRow & Pick<EventRecord, 'extra'>

export type WindowRow<W> = W extends { as: 'bare' }
  ? StatisticsRow
  : W extends { as: 'span' }
    ? Span
    : W extends { as: 'member' }
      ? MemberRow
      : WindowEventRow

export type Place = readonly [start: string, id: number]

export interface Window {
  /** Whether to return occurrences instead of series. */
  expanded: boolean
  from?: string | undefined
  until?: string | undefined
  status?: string | undefined
  source?: string | undefined
  calendarId?: number | undefined
  /** `active` excludes cancelled events; `busy` also excludes events that are not busy. */
  among?: 'active' | 'busy' | undefined
  /** Leaves out events that are shown from another calendar. */
  originals?: boolean | undefined
  /** The columns to read: all of a response, those for members, those for statistics, or only the times. */
  as?: 'full' | 'member' | 'bare' | 'span'
  after?: Place | undefined
  limit: number
}

/** Selects the variant of a page, besides the given filters. */
interface Shape {
  expanded: boolean
  among: 'all' | 'active' | 'busy'
  originals: boolean
  columns: readonly string[]
  /** The position of the cursor: none, before the start of the window, or inside the window. */
  place: 'none' | 'before' | 'inside'
}

type WindowValues = Readonly<Record<string, string | number | undefined>>

/** The columns to read for each value of `as`, besides the times. */
type Columns = Readonly<Record<NonNullable<Window['as']>, readonly string[]>>

const shapeOf = (
  { expanded, from, after, among, originals = false, as = 'full' }: Window,
  columns: Columns,
): Shape => ({
  expanded,
  among: among ?? 'all',
  originals,
  columns: columns[as],
  place: after === undefined ? 'none' : from !== undefined && after[0] < from ? 'before' : 'inside',
})

type PageKind = 'events' | 'startedEvents' | 'occurrences' | 'startedOccurrences'

/** One ordered page per table and condition, so that none reads more rows than the result needs. */
const listPages = ({ expanded, place }: Shape, { from }: WindowValues): PageKind[] => {
  const started = from !== undefined && place !== 'inside'
  return [
    'events',
    ...(started ? (['startedEvents'] as const) : []),
    ...(expanded ? (['occurrences'] as const) : []),
    ...(expanded && started ? (['startedOccurrences'] as const) : []),
  ]
}

const buildPage = (db: Db, values: WindowValues, shape: Shape & { page: PageKind }): RawBuilder<Span> => {
  const columns = sql.join(
    shape.columns.map((name) => sql`, ${sql.ref(`e.${name}`)} as ${sql.ref(name)}`),
    sql``,
  )
  const event = sql`e.id, e."seriesId" as "seriesId",
    case when e."seriesId" is null then null else e."recurrenceId" end as "occurrenceStart",
    e.start, e."end"${columns}`
  const occurrence = sql`o."seriesId" as id, cast(null as bigint) as "seriesId", o.start as "occurrenceStart",
    o.start, o."end"${columns}`

  const until = (table: string) =>
    values.until === undefined ? [] : [sql`${sql.ref(`${table}.start`)} < ${values.until}`]
  const after = (table: string, id: string) =>
    sql`(${sql.ref(`${table}.start`)}, ${sql.ref(`${table}.${id}`)}) > (${values.afterStart}, ${values.afterId})`
  const equals = (column: RawBuilder<unknown>, name: 'status' | 'source' | 'calendarId') =>
    values[name] === undefined ? [] : [sql`${column} = ${values[name]}`]
  const amongst = [
    ...(shape.among === 'all' ? [] : [sql`e.status <> 'cancelled'`]),
    ...(shape.among === 'busy' ? [sql`e.busy = 1`] : []),
    ...(shape.originals ? [sql`e."mirrorOf" is null`] : []),
  ]
  const filters = [
    ...equals(sql`e.status`, 'status'),
    ...equals(sql`e.source`, 'source'),
    ...equals(sql`e."calendarId"`, 'calendarId'),
    ...amongst,
  ]
  // The indexes of these columns would scan all past events once per span class.
  const unindexedFilters = [
    ...equals(filterOnlyText('e.status'), 'status'),
    ...equals(filterOnlyText('e.source'), 'source'),
    ...equals(filterOnly('e.calendarId'), 'calendarId'),
    ...amongst,
  ]
  const kept = shape.expanded ? isSingle('e') : sql`e."seriesId" is null`
  const page = (table: 'e' | 'o', rest: RawBuilder<unknown>, conditions: RawBuilder<unknown>[]) => {
    const id = table === 'e' ? 'id' : 'seriesId'
    return sql<Span>`select ${table === 'e' ? event : occurrence} from ${rest}
      where ${sql.join(conditions, sql` and `)}
      order by ${sql.ref(`${table}.start`)}, ${sql.ref(`${table}.${id}`)} ${limitTo(values.limit)}`
  }
  /** Conditions for events that start in the window. */
  const within = (table: 'e' | 'o', id: string) => [
    sql`${sql.ref(`${table}.userId`)} = ${values.userId}`,
    ...until(table),
    ...(shape.place === 'inside'
      ? [after(table, id)]
      : values.from === undefined
        ? []
        : [sql`${sql.ref(`${table}.start`)} >= ${values.from}`]),
  ]
  /** Events that started before the window and end after its start. */
  const started = (table: 'events' | 'occurrences', alias: 'e' | 'o', [id, end]: [string, string]) => {
    const { from, where } = findStartedBefore(db, values, { table, alias, withSeries: !shape.expanded })
    const conditions = [
      ...where,
      sql`${sql.ref(`${alias}.${end}`)} > ${values.from}`,
      ...until(alias),
      ...(shape.place === 'before' ? [after(alias, id)] : []),
    ]
    return { from, conditions }
  }
  // The cross join fixes the join order. The other order would scan every series.
  const series = sql`cross join events as e`
  const ofSeries = sql`e.id = o."seriesId"`
  switch (shape.page) {
    case 'events':
      return page('e', sql`events as e`, [...within('e', 'id'), kept, ...filters])
    case 'startedEvents': {
      const { from, conditions } = started('events', 'e', ['id', 'lastEnd'])
      return page('e', from, [...conditions, kept, ...unindexedFilters])
    }
    case 'occurrences':
      return page('o', sql`occurrences as o ${series}`, [...within('o', 'seriesId'), ofSeries, ...filters])
    case 'startedOccurrences': {
      const { from, conditions } = started('occurrences', 'o', ['seriesId', 'end'])
      return page('o', sql`${from} ${series}`, [...conditions, ofSeries, ...filters])
    }
  }
}

/**
 * Counts events, changed occurrences and stored occurrences that start in each range. Cancelled ones and those that are
 * shown from another calendar do not count.
 */
export const countStarts = async (
  db: Db,
  userId: number,
  ranges: readonly { start: string; end: string }[],
): Promise<number[]> => {
  const counted = sql`e.status <> 'cancelled' and e."mirrorOf" is null`
  const counts = ranges.map(({ start, end }, index) => {
    const within = (table: string) =>
      sql`${sql.ref(`${table}.userId`)} = ${userId}
        and ${sql.ref(`${table}.start`)} >= ${start} and ${sql.ref(`${table}.start`)} < ${end}`
    return sql`(select count(*) from events as e
        where ${within('e')} and ${isSingle('e')} and ${counted})
      + (select count(*) from occurrences as o cross join events as e
        where ${within('o')} and e.id = o."seriesId" and ${counted})
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

const selectUnexpandedSeries = prepare<
  { userId: number; from: unknown; until: unknown },
  UnexpandedSeries,
  readonly string[]
>((_db, { userId, from, until }, columns) => {
  const series = sql`
    select id, start, "end", "expandedFrom", "expandedUntil", ${sql.join(columns.map((name) => sql.ref(name)))},
      (select string_agg(one."recurrenceId", ',') from events as one where one."seriesId" = series.id
        and one."userId" = series."userId") as changed
    from events as series
    where "userId" = ${userId} and (start < ${until} or rdates <> '[]') and "lastEnd" > ${from}`
  return sql<UnexpandedSeries>`${series} and "expandedFrom" > ${from}
    union all ${series} and "expandedUntil" < ${until} and "expandedFrom" <= ${from}`
})

const selectPage = prepare(buildPage)

export const byStart = (a: Span, b: Span): number =>
  a.start < b.start ? -1 : a.start > b.start ? 1 : a.id - b.id

/** Merges the pages. A statement that sorts whole rows would take SQLite twice the time. */
const readPages = async (db: Db, shape: Shape, values: WindowValues & { limit: number }): Promise<Span[]> => {
  const pages = await Promise.all(
    listPages(shape, values).map((page) => selectPage(db, values, { ...shape, page })),
  )
  const filled = pages.filter((page) => page.length > 0)
  return filled.length < 2 ? filled.flat() : filled.flat().sort(byStart).slice(0, values.limit)
}

export interface WindowResult<W> {
  rows: WindowRow<W>[]
  /** With `expanded`: the series whose occurrences are not all among the rows. */
  unexpanded: UnexpandedSeries[]
}

/**
 * Reads the rows that overlap the window, ordered by (start, id), after the cursor `after`. The number of
 * rows read does not depend on events outside the window.
 */
export const readWindow = async <W extends Window>(
  db: Db,
  userId: number,
  window: W,
  columns: Columns,
): Promise<WindowResult<W>> => {
  const { expanded, from, until, status, source, calendarId, after, limit } = window
  const shape = shapeOf(window, columns)
  const values = {
    userId,
    limit,
    from,
    ...(from !== undefined && reachOf(from)),
    until,
    status,
    source,
    calendarId,
    afterStart: after?.[0],
    afterId: after?.[1],
  }
  // All must see the same state: a series that is expanded in between would be missing or appear twice.
  const [rows, unexpanded] = await readSnapshot(db, (view) =>
    Promise.all([
      readPages(view, shape, values),
      expanded
        ? selectUnexpandedSeries(
            view,
            { userId, from, until },
            columns[window.as === 'member' ? 'member' : 'full'],
          )
        : [],
    ]),
  )
  return { rows: rows as WindowRow<W>[], unexpanded }
}

interface ConflictValues extends Record<string, string | number> {
  userId: number
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
const selectBusy = prepare<ConflictValues, { id: number }>((db, values) => {
  const { userId, from, until } = values
  const isBusy = sql`e.status <> 'cancelled' and e.busy = 1 and e."mirrorOf" is null`
  const own = sql`select coalesce(e."seriesId", e.id) as id from`
  const single = sql`${isSingle('e')} and ${isBusy}`
  const occurrence = sql`select o."seriesId" as id from`
  // The cross join fixes the join order. The other order would scan every series.
  const ofSeries = sql`cross join events as e where e.id = o."seriesId" and ${isBusy}`
  const started = (table: 'events' | 'occurrences', alias: string) =>
    findStartedBefore(db, values, { table, alias, withSeries: false })
  const [events, occurrences] = [started('events', 'e'), started('occurrences', 'o')]
  const all = (...conditions: RawBuilder<unknown>[]) => sql.join(conditions, sql` and `)
  const within = (table: 'e' | 'o') => {
    const start = sql.ref(`${table}.start`)
    return sql`${sql.ref(`${table}.userId`)} = ${userId} and ${start} >= ${from} and ${start} < ${until}`
  }
  const arms: RawBuilder<unknown>[] = [
    sql`select ${sql.lit(NOT_EXPANDED)} as id where exists (
      select 1 from events as series where series."userId" = ${userId} and series."expandedFrom" > ${from}
        and (series.start < ${until} or series.rdates <> '[]') and series."lastEnd" > ${from})`,
    sql`select ${sql.lit(NOT_EXPANDED)} as id where exists (
      select 1 from events as series where series."userId" = ${userId} and series."expandedUntil" < ${until}
        and (series.start < ${until} or series.rdates <> '[]') and series."lastEnd" > ${from})`,
    sql`${own} ${events.from} where ${all(...events.where, sql`e."lastEnd" > ${from}`, single)}`,
    sql`${occurrence} ${occurrences.from} ${ofSeries} and ${all(...occurrences.where, sql`o."end" > ${from}`)}`,
    sql`${own} events as e where ${within('e')} and ${single}`,
    sql`${occurrence} occurrences as o ${ofSeries} and ${within('o')}`,
  ]
  return sql<{ id: number }>`${sql.join(arms, sql` union all `)} ${limitTo(values.limit)}`
})

/**
 * Lists events and series that are busy in this range. Returns undefined if a series must be expanded first.
 */
export const listBusy = async (
  db: Db,
  userId: number,
  [from, until]: readonly [string, string],
  limit: number,
): Promise<number[] | undefined> => {
  const rows = await selectBusy(db, { userId, from, until, limit, ...reachOf(from) })
  return rows[0]?.id === NOT_EXPANDED ? undefined : rows.map(({ id }) => id)
}
