import SQLite from 'better-sqlite3'

const STATEMENTS_KEPT = 500
const BUSY_TIMEOUT_MS = 5_000
/** Size of the write-ahead log before a checkpoint: 16 MB, because most pages are rewritten before that. */
const PAGES_LOGGED = 4_000
const CACHE_KB = 16_000

export type Handle = SQLite.Database

const STATISTICS = ['sqlite_stat1', 'sqlite_stat4']

/**
 * Drops the statistics that ANALYZE or PRAGMA optimize created. The queries are written for the indexes that SQLite chooses
 * without statistics, and the tests read those plans. With statistics, a fifth of the plans changed, and a calendar window
 * took 70 times as long. Dropping a table makes other connections read the schema again.
 */
export const dropStatistics = (handle: Handle): void => {
  const names = STATISTICS.map((name) => `'${name}'`).join(', ')
  const found = handle.prepare(`select name from sqlite_master where name in (${names})`).pluck().all()
  for (const name of found) handle.exec(`drop table ${name}`)
}

export const openHandle = (file: string, readonly: boolean): Handle => {
  const handle = new SQLite(file, { readonly, timeout: BUSY_TIMEOUT_MS })
  if (!readonly) {
    handle.pragma('journal_mode = WAL')
    handle.pragma(`wal_autocheckpoint = ${PAGES_LOGGED}`)
    dropStatistics(handle)
    // Writers wait for other processes without blocking this one: see `Turns`.
    handle.pragma('busy_timeout = 0')
    // Overwrites deleted content, so that free pages and gaps within pages keep nothing of it.
    handle.pragma('secure_delete = ON')
  }
  handle.pragma('synchronous = FULL')
  handle.pragma('foreign_keys = ON')
  handle.pragma(`cache_size = -${CACHE_KB}`)
  return handle
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
