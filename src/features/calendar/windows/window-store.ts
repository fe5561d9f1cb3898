import { type RawBuilder, sql } from 'kysely'
import type { Engine } from '../../../database/database.ts'
import type { Db } from '../../../database/db.ts'
import { prepareMerged } from '../../../database/merged-pages.ts'
import { inReach, reachClasses, reachOf, SERIES } from '../../../database/spans.ts'
import type { EventRecord } from '../event.ts'

/** What a window shows: an event, a changed occurrence (`seriesId`), or an occurrence as its series has it. */
export interface Span {
  /** Orders what starts at the same moment; of an occurrence, its series' id. */
  id: number
  seriesId: number | null
  occurrenceStart: string | null
  start: string
  end: string
}

export interface ShownRow extends Span {
  shown: string
}

/** What it counts as, instead of what would be shown. */
export interface BareRow extends Span {
  allDay: number
  status: string
  source: string
  busy: number
}

export type WindowRow<W> = W extends { as: 'bare' } ? BareRow : W extends { as: 'span' } ? Span : ShownRow

export type Place = readonly [start: string, id: number]

export interface Window {
  /** Occurrences instead of series. */
  expanded: boolean
  from?: string | undefined
  until?: string | undefined
  status?: string | undefined
  source?: string | undefined
  /** Only what takes place, or only what takes up time. */
  among?: 'standing' | 'occupying' | undefined
  /** What is read of each: all that is shown, what it counts as, or when it is and no more. */
  as?: 'shown' | 'bare' | 'span'
  after?: Place | undefined
  limit: number
}

interface Shape {
  expanded: boolean
  from: boolean
  until: boolean
  status: boolean
  source: boolean
  among: 'all' | 'standing' | 'occupying'
  as: 'shown' | 'bare' | 'span'
  /** Where the page before ended: nowhere, among what had begun before the window, or inside it. */
  place: 'none' | 'before' | 'inside'
}

type Parameters = Record<string, string | number> & { limit: number }
type Parameter = (name: string) => string | number

const shapeOf = ({ from, until, after, ...window }: Window): Shape => ({
  expanded: window.expanded,
  from: from !== undefined,
  until: until !== undefined,
  status: window.status !== undefined,
  source: window.source !== undefined,
  among: window.among ?? 'all',
  as: window.as ?? 'shown',
  place: after === undefined ? 'none' : from !== undefined && after[0] < from ? 'before' : 'inside',
})

/** Each arm is a page of its own, in order, so that none is read further than the answer can need. */
const armsOf = (shape: Shape, parameter: Parameter, engine: Engine): RawBuilder<Span>[] => {
  const value = (name: string) => sql`${parameter(name)}`
  const told = {
    shown: sql`, e.shown`,
    bare: sql`, e."allDay" as "allDay", e.status, e.source, e.busy`,
    span: sql``,
  }[shape.as]
  const event = sql`e.id, e."seriesId" as "seriesId",
    case when e."seriesId" is null then null else e."recurrenceId" end as "occurrenceStart",
    e.start, e."end"${told}`
  const occurrence = sql`o."seriesId" as id, cast(null as bigint) as "seriesId", o.start as "occurrenceStart",
    o.start, o."end"${told}`

  const until = (table: string) => [
    ...(shape.until ? [sql`${sql.ref(`${table}.start`)} < ${value('until')}`] : []),
  ]
  const after = (table: string, id: string) =>
    sql`(${sql.ref(`${table}.start`)}, ${sql.ref(`${table}.${id}`)}) > (${value('afterStart')}, ${value('afterId')})`
  const filtersOn = (status: RawBuilder<unknown>, source: RawBuilder<unknown>) => [
    ...(shape.status ? [sql`${status} = ${value('status')}`] : []),
    ...(shape.source ? [sql`${source} = ${value('source')}`] : []),
    ...(shape.among === 'all' ? [] : [sql`e.status <> 'cancelled'`]),
    ...(shape.among === 'occupying' ? [sql`e.busy = 1`] : []),
  ]
  const filters = filtersOn(sql`e.status`, sql`e.source`)
  // Not by the indexes of these: SQLite would go through all that ever was, once for each length there is.
  const besides = filtersOn(sql`cast(e.status as text)`, sql`cast(e.source as text)`)
  const kept = shape.expanded ? sql`e."spanClass" < ${sql.lit(SERIES)}` : sql`e."seriesId" is null`
  const reach = reachClasses((name) => parameter(name) as string, !shape.expanded)

  const page = (table: 'e' | 'o', rest: RawBuilder<unknown>, conditions: RawBuilder<unknown>[]) => {
    const id = table === 'e' ? 'id' : 'seriesId'
    return sql<Span>`select ${table === 'e' ? event : occurrence} from ${rest}
      where ${sql.join(conditions, sql` and `)}
      order by ${sql.ref(`${table}.start`)}, ${sql.ref(`${table}.${id}`)} limit cast(${value('limit')} as integer)`
  }
  /** What begins in the window. */
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
  /** What had begun before the window and goes on in it. */
  const goingOn = (table: 'e' | 'o', id: string, end: string) => [
    ...(table === 'e' ? events : occurrences).where,
    sql`${sql.ref(`${table}.${end}`)} > ${value('from')}`,
    ...until(table),
    ...(shape.place === 'before' ? [after(table, id)] : []),
  ]
  const carries = shape.from && shape.place !== 'inside'
  // In this order: the other way round every series there is would be looked at.
  const series = sql`cross join events as e`
  const ofSeries = sql`e.id = o."seriesId"`
  return [
    page('e', sql`events as e`, [...within('e', 'id'), kept, ...filters]),
    ...(carries ? [page('e', events.from, [...goingOn('e', 'id', 'lastEnd'), kept, ...besides])] : []),
    ...(shape.expanded
      ? [page('o', sql`occurrences as o ${series}`, [...within('o', 'seriesId'), ofSeries, ...filters])]
      : []),
    ...(shape.expanded && carries
      ? [
          page('o', sql`${occurrences.from} ${series}`, [
            ...goingOn('o', 'seriesId', 'end'),
            ofSeries,
            ...filters,
          ]),
        ]
      : []),
  ]
}

/** How many events, changed occurrences and stored occurrences that are not cancelled start in each of some stretches. */
export const countStarts = async (
  db: Db,
  stretches: readonly { start: string; end: string }[],
): Promise<number[]> => {
  const counts = stretches.map(({ start, end }, index) => {
    const within = (table: string) =>
      sql`${sql.ref(`${table}.start`)} >= ${start} and ${sql.ref(`${table}.start`)} < ${end}`
    return sql`(select count(*) from events as e
        where ${within('e')} and e."spanClass" < ${sql.lit(SERIES)} and e.status <> 'cancelled')
      + (select count(*) from occurrences as o cross join events as e
        where ${within('o')} and e.id = o."seriesId" and e.status <> 'cancelled')
      as ${sql.ref(`stretch${index}`)}`
  })
  const { rows } = await sql<Record<string, number>>`select ${sql.join(counts)}`.execute(db)
  return stretches.map((_, index) => Number(rows[0]?.[`stretch${index}`] ?? 0))
}

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

const looseSeries = (parameter: (name: 'from' | 'until') => string): RawBuilder<LooseSeries> => {
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

type Statement = (db: Db, parameters: Parameters) => Promise<{ page: Span[]; beside: LooseSeries[] }>

const statements = new Map<string, Statement>()

export interface Seen<W> {
  rows: WindowRow<W>[]
  /** Where occurrences are asked for: the series of which not all of them are among the rows. */
  loose: LooseSeries[]
}

/**
 * What overlaps the window, in the order of (start, id), from after `after` on. Reads only what it returns, or nearly
 * so, whatever lies outside. Each shape of question is made into SQL once.
 */
export const readWindow = async <W extends Window>(db: Db, window: W): Promise<Seen<W>> => {
  const shape = shapeOf(window)
  const name = Object.values(shape).join()
  let statement = statements.get(name)
  if (!statement) {
    statement = prepareMerged<Parameters, Span, LooseSeries>(
      (parameter, engine) => ({
        pages: armsOf(shape, parameter, engine),
        beside: shape.expanded ? looseSeries(parameter as (name: 'from' | 'until') => string) : undefined,
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
  return { rows: page as WindowRow<W>[], loose: beside }
}
