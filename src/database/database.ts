import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Kysely, sql } from 'kysely'
import type { Db } from './db.ts'
import { makeDirectory } from './directory.ts'
import { type ExclusiveLock, tryFileLock } from './exclusive-lock.ts'
import type { PoolFigures } from './postgres.ts'
import { createLocalProcessLock, type ProcessLock } from './process-lock.ts'
import { createLocalSignals, type Signals } from './signals.ts'
import { createSqliteDialect, emptyLog } from './sqlite.ts'

export type Engine = 'sqlite' | 'postgres'

export interface Database {
  readonly engine: Engine
  readonly db: Db
  /** Whether other processes may use the database at the same time. */
  readonly isShared: boolean
  /** Readable location, never with a password. */
  readonly location: string
  /** Runs `read` on a consistent snapshot, concurrently with writers. */
  snapshot<T>(read: (db: Db) => Promise<T>): Promise<T>
  /** Removes content of deleted rows from the write-ahead log. Best called while the database is idle. */
  tidy(): Promise<void>
  /** Signals between all processes on this database. */
  readonly signals: Signals
  readonly processLock: ProcessLock
  /** Returns null if this or another process holds the lock of this name. */
  tryLock(name: string): Promise<ExclusiveLock | null>
  /** Null for SQLite, which has no connections to share. */
  readonly readPool: (() => PoolFigures) | null
  ping(): Promise<void>
  /** Commits a write that changes nothing. Rejects if the database is read-only. */
  probeWrite(): Promise<void>
  close(): Promise<void>
}

export const DEFAULT_POOL_SIZE = 10

interface DatabaseOptions {
  dataDir: string
  databaseUrl: string | null
  /** The address without the pooler, if `databaseUrl` names a pooler in transaction mode. */
  databaseDirectUrl?: string | null
  databasePoolSize?: number
  onIdleError: (error: Error) => void
}

const TIDY_TRIES = 20
const TIDY_WAIT_MS = 50

export const sqliteFile = (dataDir: string): string => join(dataDir, 'factotum.db')

/**
 * Makes the file accessible to its owner only, also in an open directory. SQLite copies the mode to its log
 * files.
 */
const makePrivate = (file: string): void => {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

const openSqlite = (dataDir: string): Database => {
  makeDirectory(dataDir)
  const file = sqliteFile(dataDir)
  makePrivate(file)
  const dialect = createSqliteDialect(file)
  const db: Db = new Kysely({ dialect })
  return {
    engine: 'sqlite',
    db,
    isShared: false,
    location: file,
    async snapshot(read) {
      const view: Db = new Kysely({ dialect: createSqliteDialect(file, { readonly: true }) })
      try {
        return await view.transaction().execute(read)
      } finally {
        await view.destroy()
      }
    },
    async tidy() {
      for (let tries = 0; tries < TIDY_TRIES && !emptyLog(file); tries++) await setTimeout(TIDY_WAIT_MS)
    },
    signals: createLocalSignals(),
    processLock: createLocalProcessLock(),
    async tryLock(name) {
      const lockFile = join(dataDir, `${name}.lock`)
      makePrivate(lockFile)
      return tryFileLock(lockFile)
    },
    readPool: null,
    ping: async () => void dialect.read('select 1', []),
    // Nothing uses this number, and setting it writes a page.
    probeWrite: async () => void (await sql`pragma user_version = 0`.execute(db)),
    close: () => db.destroy(),
  }
}

const describeUrl = (text: string): string => {
  const url = new URL(text)
  return `${url.protocol}//${url.host}${url.pathname}`
}

const openPostgres = async (url: string, options: DatabaseOptions): Promise<Database> => {
  const { databaseDirectUrl = null, databasePoolSize = DEFAULT_POOL_SIZE, onIdleError } = options
  // Loaded only when used: an instance with SQLite must not pay for it at startup.
  const { createPostgresDialect } = await import('./postgres.ts')
  const { createPostgresProcessLock, trySessionLock } = await import('./postgres-locks.ts')
  const { createPostgresSignals } = await import('./postgres-signals.ts')
  const { dialect, readPool } = createPostgresDialect({
    url,
    poolSize: databasePoolSize,
    isTransactionPooled: databaseDirectUrl !== null,
    onIdleError,
  })
  const db: Db = new Kysely({ dialect })
  // Both need a session of their own, which a pooler in transaction mode does not give.
  const signals = createPostgresSignals(databaseDirectUrl ?? url, db, onIdleError)
  const processLock = createPostgresProcessLock(databaseDirectUrl ?? url, onIdleError)
  return {
    engine: 'postgres',
    db,
    isShared: true,
    location: describeUrl(url),
    snapshot: (read) =>
      db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read),
    // Vacuum does that.
    tidy: async () => {},
    signals,
    processLock,
    tryLock: (name) => trySessionLock(databaseDirectUrl ?? url, name),
    readPool,
    ping: async () => void (await sql`select 1`.execute(db)),
    // A read-only server rejects it. A full disk is detected by the requests that fail.
    probeWrite: async () => void (await sql`update restores set epoch = epoch`.execute(db)),
    async close() {
      await signals.close()
      await processLock.close()
      await db.destroy()
    },
  }
}

export const openDatabase = async (options: DatabaseOptions): Promise<Database> =>
  options.databaseUrl === null ? openSqlite(options.dataDir) : openPostgres(options.databaseUrl, options)
