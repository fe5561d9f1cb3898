import { type RawBuilder, sql } from 'kysely'
import type { Engine } from '../../../database/database.ts'
import type { Db } from '../../../database/db.ts'
import { engineOf, prepare, prepareVariants, readSnapshot } from '../../../database/prepared.ts'
import type { EventRecord, ResponseRow } from '../event.ts'

/*
 * An index over start times cannot find everything that overlaps a moment, because a long event may have
 * started long ago. So each row also has a class by its duration. A query looks back in each class only as
 * far as its longest duration. Each class is four times as long as the previous one. Among 100,000 events,
 * those that overlap a moment are found in 15 µs; a scan of all earlier events takes 35 ms.
 */
const HOUR_MS = 3_600_000
const CLASS_MS = Array.from({ length: 10 }, (_, spanClass) => 4 ** spanClass * HOUR_MS)
/** The class of all longer durations. */
const LONGEST = CLASS_MS.length

/** Added to the class of a series, because an expanded window shows its occurrences instead. */
export const SERIES = 16

/** Returns the class of an event, an occurrence, or a series from its first start to its last end. */
export const spanClassOf = (start: string, end: string): number => {
  const durationMs = Date.parse(end) - Date.parse(start)
  const spanClass = CLASS_MS.findIndex((longestMs) => durationMs <= longestMs)
  return spanClass < 0 ? LONGEST : spanClass
}

/** Earlier than all stored starts. */
const EVER = '0000-01-01T00:00:00.000Z'
const EVER_MS = Date.parse(EVER)

/**
 * Returns the earliest start per class that can still overlap a moment, as named parameters for
 * `reachClasses`.
 */
const reachOf = (moment: string): Record<string, string> => {
  const reach: Record<string, string> = { [`since${LONGEST}`]: EVER }
  for (const [spanClass, longestMs] of CLASS_MS.entries())
    reach[`since${spanClass}`] = new Date(Math.max(Date.parse(moment) - longestMs, EVER_MS)).toISOString()
  return reach
}

/**
 * Returns the classes with their earliest start, as rows `(spanClass, since)`; with or without those of
 * series.
 */
const reachClasses = (parameter: (name: string) => string, withSeries: boolean) => {
  const rows = [0, ...(withSeries ? [SERIES] : [])].flatMap((offset) =>
    Array.from(
      { length: LONGEST + 1 },
      (_, spanClass) =>
        sql`select ${sql.lit(spanClass + offset)} as "spanClass", ${parameter(`since${spanClass}`)} as since`,
    ),
  )
  return sql`(${sql.join(rows, sql` union all `)})`
}

/**
 * Selects the rows of `table`, as `alias`, that started within the reach of their class and before `moment`.
 * The caller checks their end. The query forces PostgreSQL to scan class by class: otherwise it would scan
 * everything that ever started earlier.
 */
const inReach = (
  engine: Engine,
  reach: RawBuilder<unknown>,
  source: {
    table: 'events' | 'occurrences'
    alias: string
    userId: RawBuilder<unknown>
    moment: RawBuilder<unknown>
  },
): { from: RawBuilder<unknown>; where: RawBuilder<unknown>[] } => {
  const { table, alias, userId, moment } = source
  const rows = sql`${sql.table(table)} as ${sql.ref(alias)}`
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  // On PostgreSQL, only the index by class has this collation. The index by start would read all classes.
  const start = engine === 'sqlite' ? column('start') : sql`${column('start')} collate "C"`
  const bounds = [
    sql`${column('userId')} = ${userId} and ${column('spanClass')} = reach."spanClass"`,
    sql`${start} > reach.since and ${start} < ${moment}`,
  ]
  if (engine === 'sqlite') return { from: sql`${reach} as reach cross join ${rows}`, where: bounds }
  const each = sql`select * from ${rows} where ${sql.join(bounds, sql` and `)} offset 0`
  return { from: sql`${reach} as reach cross join lateral (${each}) as ${sql.ref(alias)}`, where: [] }
}

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
  /** JSON. */
  tags: string
}

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
  /** The columns to read: all of a response, those for members, those for statistics, or only the times. */
  as?: 'full' | 'member' | 'bare' | 'span'
  after?: Place | undefined
  limit: number
}

interface Shape {
  expanded: boolean
  from: boolean
  until: boolean
  status: boolean
  source: boolean
  calendar: boolean
  among: 'all' | 'active' | 'busy'
  columns: readonly string[]
  /** The position of the cursor: none, before the start of the window, or inside the window. */
  place: 'none' | 'before' | 'inside'
}

type WindowParameters = Record<string, string | number>
type Parameter = (name: string) => string | number

/** The columns to read for each value of `as`, besides the times. */
type Columns = Readonly<Record<NonNullable<Window['as']>, readonly string[]>>

const shapeOf = ({ from, until, after, ...window }: Window, columns: Columns): Shape => ({
  expanded: window.expanded,
  from: from !== undefined,
  until: until !== undefined,
  status: window.status !== undefined,
  source: window.source !== undefined,
  calendar: window.calendarId !== undefined,
  among: window.among ?? 'all',
  columns: columns[window.as ?? 'full'],
  place: after === undefined ? 'none' : from !== undefined && after[0] < from ? 'before' : 'inside',
})

const includesStartedBefore = ({ from, place }: Shape): boolean => from && place !== 'inside'

/** Returns the number of pages that `buildPages` builds. */
const countPages = (shape: Shape): number => (shape.expanded ? 2 : 1) * (includesStartedBefore(shape) ? 2 : 1)

/** Builds one ordered page per table and condition, so that none reads more rows than the result needs. */
const buildPages = (shape: Shape, parameter: Parameter, engine: Engine): RawBuilder<Span>[] => {
  const value = (name: string) => sql`${parameter(name)}`
  const columns = sql.join(
    shape.columns.map((name) => sql`, ${sql.ref(`e.${name}`)} as ${sql.ref(name)}`),
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
  const filtersOn = (
    status: RawBuilder<unknown>,
    source: RawBuilder<unknown>,
    calendar: RawBuilder<unknown>,
  ) => [
    ...(shape.status ? [sql`${status} = ${value('status')}`] : []),
    ...(shape.source ? [sql`${source} = ${value('source')}`] : []),
    ...(shape.calendar ? [sql`${calendar} = ${value('calendarId')}`] : []),
    ...(shape.among === 'all' ? [] : [sql`e.status <> 'cancelled'`]),
    ...(shape.among === 'busy' ? [sql`e.busy = 1`] : []),
  ]
  const filters = filtersOn(sql`e.status`, sql`e.source`, sql`e."calendarId"`)
  // The casts keep SQLite from using these indexes, which would scan all past events once per span class.
  const unindexedFilters = filtersOn(
    sql`cast(e.status as text)`,
    sql`cast(e.source as text)`,
    sql`cast(e."calendarId" as bigint)`,
  )
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
    sql`${sql.ref(`${table}.userId`)} = ${value('userId')}`,
    ...until(table),
    ...(shape.place === 'inside'
      ? [after(table, id)]
      : shape.from
        ? [sql`${sql.ref(`${table}.start`)} >= ${value('from')}`]
        : []),
  ]
  const reached = (table: 'events' | 'occurrences', alias: string) =>
    inReach(engine, reach, { table, alias, userId: value('userId'), moment: value('from') })
  const [events, occurrences] = [reached('events', 'e'), reached('occurrences', 'o')]
  /** Conditions for events that started before the window and end after its start. */
  const startedBefore = (table: 'e' | 'o', id: string, end: string) => [
    ...(table === 'e' ? events : occurrences).where,
    sql`${sql.ref(`${table}.${end}`)} > ${value('from')}`,
    ...until(table),
    ...(shape.place === 'before' ? [after(table, id)] : []),
  ]
  // The cross join fixes the join order. The other order would scan every series.
  const series = sql`cross join events as e`
  const ofSeries = sql`e.id = o."seriesId"`
  return [
    page('e', sql`events as e`, [...within('e', 'id'), kept, ...filters]),
    ...(includesStartedBefore(shape)
      ? [page('e', events.from, [...startedBefore('e', 'id', 'lastEnd'), kept, ...unindexedFilters])]
      : []),
    ...(shape.expanded
      ? [page('o', sql`occurrences as o ${series}`, [...within('o', 'seriesId'), ofSeries, ...filters])]
      : []),
    ...(shape.expanded && includesStartedBefore(shape)
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
  userId: number,
  ranges: readonly { start: string; end: string }[],
): Promise<number[]> => {
  const counts = ranges.map(({ start, end }, index) => {
    const within = (table: string) =>
      sql`${sql.ref(`${table}.userId`)} = ${userId}
        and ${sql.ref(`${table}.start`)} >= ${start} and ${sql.ref(`${table}.start`)} < ${end}`
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

const selectUnexpandedSeries = prepareVariants<
  { columns: readonly string[] },
  WindowParameters,
  UnexpandedSeries
>(({ columns }, _db, parameter) => {
  const [from, until] = [sql`${parameter('from')}`, sql`${parameter('until')}`]
  const series = sql`
    select id, start, "end", "expandedFrom", "expandedUntil", ${sql.join(columns.map((name) => sql.ref(name)))},
      (select string_agg(one."recurrenceId", ',') from events as one where one."seriesId" = series.id
        and one."userId" = series."userId") as changed
    from events as series
    where "userId" = ${parameter('userId')} and (start < ${until} or rdates <> '[]') and "lastEnd" > ${from}`
  return sql<UnexpandedSeries>`${series} and "expandedFrom" > ${from}
    union all ${series} and "expandedUntil" < ${until} and "expandedFrom" <= ${from}`
})

const selectPage = prepareVariants<Shape & { page: number }, WindowParameters, Span>(
  (shape, db, parameter) => buildPages(shape, parameter, engineOf(db))[shape.page] as RawBuilder<Span>,
)

const selectAllPages = prepareVariants<Shape, WindowParameters, Span>((shape, db, parameter) => {
  const pages = buildPages(shape, parameter, engineOf(db)).map(
    (page, index) => sql`select * from (${page}) as ${sql.id(`page${index}`)}`,
  )
  return sql<Span>`${sql.join(pages, sql` union all `)}
    order by start, id limit cast(${parameter('limit')} as integer)`
})

export const byStart = (a: Span, b: Span): number =>
  a.start < b.start ? -1 : a.start > b.start ? 1 : a.id - b.id

/**
 * Merges the pages. One statement saves PostgreSQL round trips. SQLite would need twice the time to sort whole
 * rows in a statement.
 */
const readPages = async (
  db: Db,
  shape: Shape,
  parameters: WindowParameters & { limit: number },
): Promise<Span[]> => {
  if (engineOf(db) === 'postgres') return selectAllPages(db, shape, parameters)
  const pages = await Promise.all(
    Array.from({ length: countPages(shape) }, (_, page) => selectPage(db, { ...shape, page }, parameters)),
  )
  const filled = pages.filter((page) => page.length > 0)
  return filled.length < 2 ? filled.flat() : filled.flat().sort(byStart).slice(0, parameters.limit)
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
  const parameters = {
    userId,
    limit,
    ...(from !== undefined && { from, ...reachOf(from) }),
    ...(until !== undefined && { until }),
    ...(status !== undefined && { status }),
    ...(source !== undefined && { source }),
    ...(calendarId !== undefined && { calendarId }),
    ...(after !== undefined && { afterStart: after[0], afterId: after[1] }),
  }
  // Both must see the same state: a series that is expanded in between would be missing or appear twice.
  const read = (view: Db) =>
    Promise.all([
      readPages(view, shape, parameters),
      expanded
        ? selectUnexpandedSeries(
            view,
            { columns: columns[window.as === 'member' ? 'member' : 'full'] },
            parameters,
          )
        : [],
    ])
  const [rows, unexpanded] = expanded ? await readSnapshot(db, read) : await read(db)
  return { rows: rows as WindowRow<W>[], unexpanded }
}

interface ConflictParameters extends Record<string, string | number> {
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
const selectBusy = prepare<ConflictParameters, { id: number }>((db, parameter) => {
  const userId = sql`${parameter('userId')}`
  const [from, until] = [sql`${parameter('from')}`, sql`${parameter('until')}`]
  const reach = reachClasses((name) => parameter(name) as string, false)
  const isBusy = sql`e.status <> 'cancelled' and e.busy = 1`
  const own = sql`select coalesce(e."seriesId", e.id) as id from`
  const single = sql`e."spanClass" < ${sql.lit(SERIES)} and ${isBusy}`
  const occurrence = sql`select o."seriesId" as id from`
  // The cross join fixes the join order. The other order would scan every series.
  const ofSeries = sql`cross join events as e where e.id = o."seriesId" and ${isBusy}`
  const reached = (table: 'events' | 'occurrences', alias: string) =>
    inReach(engineOf(db), reach, { table, alias, userId, moment: from })
  const [events, occurrences] = [reached('events', 'e'), reached('occurrences', 'o')]
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
  return sql<{ id: number }>`${sql.join(arms, sql` union all `)} limit cast(${parameter('limit')} as integer)`
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
