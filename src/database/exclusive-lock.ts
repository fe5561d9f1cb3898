import SQLite from 'better-sqlite3'
import pg from 'pg'
import { SERVER_KEEPALIVE } from './process-lock.ts'

/** A lock that one process on a database holds at a time. It ends with the process, also after a crash. */
export interface ExclusiveLock {
  /** Aborts if the lock is lost, because its connection broke. */
  readonly signal: AbortSignal
  /** Fails if the lock is lost. */
  check(): Promise<void>
  release(): Promise<void>
}

/** SQLite locks the empty file, because Node cannot. The system releases the lock of a process that ends. */
export const tryFileLock = (file: string): ExclusiveLock | null => {
  const handle = new SQLite(file, { timeout: 0 })
  try {
    handle.exec('begin exclusive')
  } catch (error) {
    handle.close()
    if (error instanceof SQLite.SqliteError && error.code === 'SQLITE_BUSY') return null
    throw error
  }
  return {
    signal: new AbortController().signal,
    check: async () => {},
    release: async () => void handle.close(),
  }
}

const ANSWER_WITHIN_MS = 10_000

/** Holds an advisory lock on a connection of its own. PostgreSQL releases the lock with the connection. */
export const trySessionLock = async (url: string, name: string): Promise<ExclusiveLock | null> => {
  const client = new pg.Client({
    connectionString: url,
    keepAlive: true,
    connectionTimeoutMillis: ANSWER_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
  })
  const lost = new AbortController()
  client.on('error', () => {})
  client.on('end', () => lost.abort())
  const release = (): Promise<void> => client.end().catch(() => {})
  try {
    await client.connect()
    await client.query(SERVER_KEEPALIVE)
    const { rows } = await client.query<{ isHeld: boolean }>(
      'select pg_try_advisory_lock(hashtext($1)) as "isHeld"',
      [`factotum.${name}`],
    )
    if (rows[0]?.isHeld)
      return { signal: lost.signal, check: async () => void (await client.query('select 1')), release }
  } catch (error) {
    await release()
    throw error
  }
  await release()
  return null
}
