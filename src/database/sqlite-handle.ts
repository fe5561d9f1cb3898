import SQLite from 'better-sqlite3'

const STATEMENTS_KEPT = 500
const BUSY_TIMEOUT_MS = 5_000
/** Size of the write-ahead log before a checkpoint: 16 MB, because most pages are rewritten before that. */
const PAGES_LOGGED = 4_000
const CACHE_KB = 16_000

export type Handle = SQLite.Database

/** The tables of ANALYZE and PRAGMA optimize. */
const STATISTICS = ['sqlite_stat1', 'sqlite_stat4']

const listStatisticsTables = (handle: Handle): string[] =>
  handle
    .prepare(
      `select name from sqlite_master where name in (${STATISTICS.map((name) => `'${name}'`).join(', ')})`,
    )
    .pluck()
    .all() as string[]

const hasStatistics = (handle: Handle): boolean =>
  listStatisticsTables(handle).some(
    (table) => handle.prepare(`select 1 from ${table} limit 1`).get() !== undefined,
  )

/**
 * Empties the statistics, so that the planner always uses its defaults. The queries are written for the indexes that it
 * then chooses. Real statistics change many plans, and they change with the data: a calendar window took 70 times as
 * long. The empty tables stay: a connection loads statistics with the schema, and ANALYZE changes the schema only if it
 * creates a table. So nobody's ANALYZE changes the plans of open connections. Returns whether there were statistics;
 * this connection keeps the numbers that it loaded.
 */
export const emptyStatistics = (handle: Handle): boolean => {
  const hadStatistics = hasStatistics(handle)
  // Creates missing tables, and reads no data.
  if (listStatisticsTables(handle).length < STATISTICS.length) handle.exec('analyze sqlite_schema')
  if (hadStatistics) for (const table of STATISTICS) handle.exec(`delete from ${table}`)
  return hadStatistics
}

const open = (file: string, readonly: boolean): Handle => {
  const handle = new SQLite(file, { readonly, timeout: BUSY_TIMEOUT_MS })
  if (!readonly) {
    handle.pragma('journal_mode = WAL')
    handle.pragma(`wal_autocheckpoint = ${PAGES_LOGGED}`)
    // Overwrites deleted content, so that free pages and gaps within pages keep nothing of it.
    handle.pragma('secure_delete = ON')
  }
  handle.pragma('synchronous = FULL')
  handle.pragma('foreign_keys = ON')
  handle.pragma(`cache_size = -${CACHE_KB}`)
  return handle
}

export const openHandle = (file: string, readonly: boolean): Handle => {
  let handle = open(file, readonly)
  if (readonly) return handle
  if (emptyStatistics(handle)) {
    handle.close()
    handle = open(file, readonly)
  }
  // Writers wait for other processes without blocking this one: see `Turns`.
  handle.pragma('busy_timeout = 0')
  return handle
}

/** Opens a connection for queries. It is read-only, so another one empties the statistics that it would use. */
export const openReader = (file: string): Handle => {
  const handle = openHandle(file, true)
  if (!hasStatistics(handle)) return handle
  handle.close()
  openHandle(file, false).close()
  return openHandle(file, true)
}

/** Returns a function that prepares each statement once. */
export const createStatementCache = (handle: Handle): ((sql: string) => SQLite.Statement) => {
  const statements = new Map<string, SQLite.Statement>()
  return (sql) => {
    const kept = statements.get(sql)
    if (kept) return kept
    const fresh = handle.prepare(sql)
    if (statements.size >= STATEMENTS_KEPT) {
      const oldest = statements.keys().next().value
      if (oldest !== undefined) statements.delete(oldest)
    }
    statements.set(sql, fresh)
    return fresh
  }
}
