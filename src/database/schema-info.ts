import { setImmediate } from 'node:timers/promises'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { ALL_ACCOUNTS } from './all-accounts.ts'
import type { Db } from './db.ts'
import { isSqlite } from './engine-access.ts'

export interface TableShape {
  readonly columns: readonly string[]
  /** The auto-increment column. */
  readonly identity: string | null
}

/** Reads the tables of the database, by name. */
export const readCatalogue = async (db: Db): Promise<ReadonlyMap<string, TableShape>> => {
  const tables = await db.introspection.getTables()
  const derived = isSqlite(db) ? await namesOfDerived(db) : new Set<string>()
  // PostgreSQL lists all schemas; only the current one is ours.
  const schema = isSqlite(db) ? undefined : await currentSchema(db)
  return new Map(
    tables
      .filter((table) => !table.isView && table.schema === schema && !derived.has(table.name))
      .map(({ name, columns }) => [
        name,
        {
          columns: columns.map((column) => column.name),
          identity: columns.find((column) => column.isAutoIncrementing)?.name ?? null,
        },
      ]),
  )
}

/** Whether a table exists. Faster than the whole catalogue: every start reads it. */
export const hasTable = async (db: Db, name: string): Promise<boolean> => {
  // A query of the builder reads beside writers; raw SQL would wait for another process that migrates.
  const tables = isSqlite(db)
    ? sql<{ name: string }>`sqlite_master`.as('tables')
    : sql<{
        name: string
      }>`(select tablename as name from pg_tables where schemaname = current_schema())`.as('tables')
  const found = await db
    .selectFrom(tables)
    .select('tables.name')
    .where('tables.name', '=', name)
    .executeTakeFirst()
  return found !== undefined
}

/** SQLite lists the tables of word indexes. They contain only derived data. */
const namesOfDerived = async (db: Db): Promise<ReadonlySet<string>> => {
  // A query of the builder reads beside writers; raw SQL would wait for another process that migrates.
  const lists = sql<{ name: string; type: string }>`pragma_table_list`.as('lists')
  const rows = await db
    .selectFrom(lists)
    .select('lists.name')
    .where('lists.type', 'in', ['virtual', 'shadow'])
    .execute()
  return new Set(rows.map(({ name }) => name))
}

const currentSchema = async (db: Db): Promise<string | undefined> => {
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(db)
  return rows[0]?.schema
}

interface ForeignKey {
  table: string
  name: string
}

/**
 * Runs `work` with foreign keys unchecked until its end, so that rows can be written in any order. Part of
 * the transaction.
 */
export const withReferencesCheckedLast = async <T>(tx: Db, work: () => Promise<T>): Promise<T> => {
  if (isSqlite(tx)) {
    // Ends with the transaction. The commit would check too, but its error could not be told from others.
    await sql`pragma defer_foreign_keys = on`.execute(tx)
    const result = await work()
    const { rows } = await sql<{ table: string; parent: string }>`pragma foreign_key_check`.execute(tx)
    if (rows[0]) throw new Error(`a row of ${rows[0].table} refers to a missing row of ${rows[0].parent}`)
    return result
  }
  const { rows: keys } = await sql<ForeignKey>`
    select relation.relname as "table", conname as name
    from pg_constraint join pg_class relation on relation.oid = conrelid
    where contype = 'f' and not condeferrable and connamespace = current_schema()::regnamespace`.execute(tx)
  for (const key of keys) await alter(tx, key, 'deferrable initially deferred')
  const result = await work()
  await sql`set constraints all immediate`.execute(tx)
  for (const key of keys) await alter(tx, key, 'not deferrable')
  return result
}

const alter = async (tx: Db, { table, name }: ForeignKey, how: string): Promise<void> => {
  await sql`alter table ${sql.table(table)} alter constraint ${sql.ref(name)} ${sql.raw(how)}`.execute(tx)
}

/** Prevents inserts into the tables until the commit. SQLite has no other writer while a transaction is open. */
export const lockTables = async (tx: Db, tables: readonly string[]): Promise<void> => {
  if (isSqlite(tx)) return
  const names = sql.join(tables.map((name) => sql.table(name)))
  await sql`lock table ${names} in share row exclusive mode`.execute(tx)
}

/**
 * Returns the highest id that each table ever assigned, also of deleted rows, because ids are never reused.
 */
export const readSequences = async (db: Db): Promise<Record<string, number>> => {
  const last: Record<string, number> = {}
  for (const [table, shape] of await readCatalogue(db))
    if (shape.identity !== null) last[table] = await readSequence(db, table, shape)
  return last
}

/**
 * Reserves ids that the table will assign to nobody else, in ascending order. Part of the transaction on SQLite, where
 * writers wait for each other. On PostgreSQL the ids stay reserved if the transaction fails.
 */
export const reserveIds = async (
  tx: Db,
  table: string,
  { identity }: TableShape,
  count: number,
): Promise<Float64Array> => {
  if (identity === null) throw new Error(`The table ${table} does not assign ids.`)
  const reserved = new Float64Array(count)
  if (isSqlite(tx)) {
    const last = await readSequence(tx, table, { columns: [], identity })
    for (let index = 0; index < count; index++) reserved[index] = last + 1 + index
    await writeSequence(tx, table, last + count)
    return reserved
  }
  for (let start = 0; start < count; start += RESERVED_AT_ONCE) {
    const some = Math.min(RESERVED_AT_ONCE, count - start)
    const { rows } = await sql<{ id: number }>`
      select nextval(${sequenceOf(table, identity)}) as id from generate_series(1, ${some}::int)`.execute(tx)
    for (const [index, row] of rows.entries()) reserved[start + index] = Number(row.id)
  }
  return reserved
}

const RESERVED_AT_ONCE = 10_000

/** Makes the table assign ids above `last` and above those that it holds. */
export const raiseSequence = async (
  tx: Db,
  table: string,
  { identity }: TableShape,
  last: number,
): Promise<void> => {
  if (identity === null) return
  const { rows } = await sql<{ highest: number | null }>`
    select max(${sql.ref(identity)}) as highest from ${sql.table(table)} ${ALL_ACCOUNTS}`.execute(tx)
  const least = Math.max(last, rows[0]?.highest ?? 0)
  if (least === 0) return
  if (isSqlite(tx)) await writeSequence(tx, table, least)
  else await sql`select setval(${sequenceOf(table, identity)}, ${least}::bigint)`.execute(tx)
}

const writeSequence = async (tx: Db, table: string, last: number): Promise<void> => {
  await sql`delete from sqlite_sequence where name = ${table}`.execute(tx)
  await sql`insert into sqlite_sequence (name, seq) values (${table}, ${last})`.execute(tx)
}

const sequenceOf = (table: string, identity: string) =>
  sql`pg_get_serial_sequence(quote_ident(${table}), ${identity})`

const readSequence = async (db: Db, table: string, { identity }: TableShape): Promise<number> => {
  if (isSqlite(db)) {
    const { rows } = await sql<{
      seq: number
    }>`select seq from sqlite_sequence where name = ${table}`.execute(db)
    return rows[0]?.seq ?? 0
  }
  const { rows } = await sql<{ last: number | null }>`
    select pg_sequence_last_value(${sequenceOf(table, identity as string)}::regclass) as last`.execute(db)
  return rows[0]?.last ?? 0
}

/** Removes references to missing rows from imported rows of an account. Triggers handle later deletions. */
export const cutLooseLinks = async (
  tx: Db,
  userId: number,
  {
    from,
    column,
    to,
  }: { from: 'tasks' | 'events' | 'commitments'; column: string; to: 'emails' | 'events' | 'tasks' },
): Promise<void> => {
  const link = sql.ref(`${from}.${column}`)
  await sql`
    update ${sql.table(from)}
    set ${sql.ref(column)} = null
    where "userId" = ${userId} and ${link} is not null
      and not exists (
        select 1 from ${sql.table(to)} as named where named.id = ${link} and named."userId" = ${userId}
      )`.execute(tx)
}

const PAGE_BYTES = 4 * 1024 * 1024
const MAX_ROWS = 1000
const FIRST_ROWS = 8

/** A row of any table in a copy: text, numbers and null. */
export type PlainRow = Record<string, string | number | null>

export const sizeOf = (row: PlainRow): number =>
  Object.values(row).reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 8), 0)

/** Yields the rows of a table by key, one page at a time. Pages of large rows have fewer rows. */
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
    // Without a condition this is a copy of the whole database, for example a backup.
    query = where ? query.where(where) : query.modifyEnd(ALL_ACCOUNTS)
    const after = last && sql.join(key.map((column) => last?.[column]))
    if (after) query = query.where(sql<boolean>`(${columns}) > (${after})`)
    const rows = await query.limit(limit).execute()
    if (rows.length === 0) return
    yield rows
    if (rows.length < limit) return
    const size = rows.reduce((sum, row) => sum + sizeOf(row), 1)
    limit = Math.max(1, Math.min(MAX_ROWS, Math.floor((PAGE_BYTES * rows.length) / size)))
    last = rows.at(-1)
  }
}

const PAGE = 500

/** Reads a table page by page, so that memory is limited and other work runs in between. */
export async function* everyRow<R>(
  read: (after: R | undefined, limit: number) => Promise<R[]>,
  pageSize = PAGE,
): AsyncGenerator<R> {
  let after: R | undefined
  for (;;) {
    const rows = await read(after, pageSize)
    yield* rows
    after = rows.at(-1)
    if (rows.length < pageSize) return
    await setImmediate()
  }
}
