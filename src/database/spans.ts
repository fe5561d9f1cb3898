import { type RawBuilder, sql } from 'kysely'
import type { Engine } from './database.ts'

/*
 * An index over start times cannot find everything that overlaps a moment, because a long event may have
 * started long ago. So each span also has a class by its duration. A query looks back in each class only as
 * far as its longest duration. Each class is four times as long as the previous one.
 */

const HOUR_MS = 3_600_000
const CLASSES = 10
/** Longer than the longest class, or without end. */
const LONGEST = CLASSES

/** Series have separate classes, because a window is filled from their occurrences. */
export const SERIES = 16

/** Later and earlier than all stored values. */
export const NEVER = '9999-12-31T23:59:59.999Z'
export const EVER = '0000-01-01T00:00:00.000Z'

export const spanClassOf = (start: string, end: string): number => {
  if (end === NEVER) return LONGEST
  const hours = (Date.parse(end) - Date.parse(start)) / HOUR_MS
  for (let spanClass = 0; spanClass < CLASSES; spanClass++) if (hours <= 4 ** spanClass) return spanClass
  return LONGEST
}

const EVER_MS = Date.parse(EVER)

const classes = Array.from({ length: CLASSES }, (_, spanClass) => ({
  name: `since${spanClass}`,
  lengthMs: 4 ** spanClass * HOUR_MS,
}))
const sinceEver = `since${LONGEST}`

/**
 * Returns the earliest start per class that can still overlap a moment, as named parameters for
 * `reachClasses`.
 */
export const reachOf = (moment: string): Record<string, string> => {
  const reach: Record<string, string> = { [sinceEver]: EVER }
  const momentMs = Date.parse(moment)
  for (const { name, lengthMs } of classes) {
    const since = momentMs - lengthMs
    reach[name] = since < EVER_MS ? EVER : new Date(since).toISOString()
  }
  return reach
}

const classNumbers = Array.from({ length: LONGEST + 1 }, (_, spanClass) => spanClass)

/**
 * Returns the classes with their earliest start, as rows `(spanClass, since)`; with or without those of
 * series.
 */
export const reachClasses = (parameter: (name: string) => string, withSeries: boolean) => {
  const rows = [0, ...(withSeries ? [SERIES] : [])].flatMap((offset) =>
    classNumbers.map(
      (spanClass) =>
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
export const inReach = (
  engine: Engine,
  reach: RawBuilder<unknown>,
  { table, alias, moment }: { table: 'events' | 'occurrences'; alias: string; moment: RawBuilder<unknown> },
): { from: RawBuilder<unknown>; where: RawBuilder<unknown>[] } => {
  const rows = sql`${sql.table(table)} as ${sql.ref(alias)}`
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  const bounds = [
    sql`${column('spanClass')} = reach."spanClass" and ${column('start')} > reach.since`,
    sql`${column('start')} < ${moment}`,
  ]
  if (engine === 'sqlite') return { from: sql`${reach} as reach cross join ${rows}`, where: bounds }
  const each = sql`select * from ${rows} where ${sql.join(bounds, sql` and `)} offset 0`
  return { from: sql`${reach} as reach cross join lateral (${each}) as ${sql.ref(alias)}`, where: [] }
}
