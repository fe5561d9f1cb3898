import { type Kysely, sql } from 'kysely'
import type { Db } from '../../database/db.ts'

const PAGE_BYTES = 4 * 1024 * 1024
const MOST_ROWS = 1000
const FIRST_ROWS = 8

type Row = Record<string, unknown>

const writeRow = (table: string, row: Row): string => {
  for (const [column, value] of Object.entries(row))
    if (value !== null && typeof value !== 'string' && !(typeof value === 'number' && Number.isFinite(value)))
      throw new Error(`${table}.${column} holds what a backup cannot: rows are text, numbers and null.`)
  return `${JSON.stringify(row)}\n`
}

/** The rows of a table as lines, a page at a time; pages of large rows have fewer. */
export async function* tablePages(
  view: Db,
  table: string,
  key: readonly string[],
): AsyncGenerator<{ text: string; rows: number }> {
  const db = view as unknown as Kysely<Record<string, Row>>
  const columns = sql.join(key.map((column) => sql.ref(column)))
  let limit = FIRST_ROWS
  let last: Row | undefined
  for (;;) {
    const ordered = key.reduce((query, column) => query.orderBy(column), db.selectFrom(table).selectAll())
    const after = last && sql.join(key.map((column) => last?.[column]))
    const next = after ? ordered.where(sql<boolean>`(${columns}) > (${after})`) : ordered
    const rows = await next.limit(limit).execute()
    if (rows.length === 0) return
    const text = rows.map((row) => writeRow(table, row)).join('')
    yield { text, rows: rows.length }
    if (rows.length < limit) return
    limit = Math.max(1, Math.min(MOST_ROWS, Math.floor((PAGE_BYTES * rows.length) / text.length)))
    last = rows.at(-1)
  }
}
