import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Db } from './db.ts'

const PAGE_BYTES = 4 * 1024 * 1024
const MOST_ROWS = 1000
const FIRST_ROWS = 8

/** A row of any table, as it is copied from one place to another: text, numbers and null. */
export type PlainRow = Record<string, string | number | null>

export const sizeOf = (row: PlainRow): number =>
  Object.values(row).reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 8), 0)

/** The rows of a table in the order of its key, a page at a time; pages of large rows have fewer. */
export async function* tablePages(
  view: Db,
  table: string,
  key: readonly string[],
  where?: RawBuilder<boolean>,
): AsyncGenerator<PlainRow[]> {
  const db = view as unknown as Kysely<Record<string, PlainRow>>
  const columns = sql.join(key.map((column) => sql.ref(column)))
  let limit = FIRST_ROWS
  let last: PlainRow | undefined
  for (;;) {
    let query = key.reduce((ordered, column) => ordered.orderBy(column), db.selectFrom(table).selectAll())
    if (where) query = query.where(where)
    const after = last && sql.join(key.map((column) => last?.[column]))
    if (after) query = query.where(sql<boolean>`(${columns}) > (${after})`)
    const rows = await query.limit(limit).execute()
    if (rows.length === 0) return
    yield rows
    if (rows.length < limit) return
    const size = rows.reduce((sum, row) => sum + sizeOf(row), 1)
    limit = Math.max(1, Math.min(MOST_ROWS, Math.floor((PAGE_BYTES * rows.length) / size)))
    last = rows.at(-1)
  }
}
