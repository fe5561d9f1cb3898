import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Kysely, sql } from 'kysely'
import type { Db } from './db.ts'
import { makeDirectory } from './directory.ts'
import { createLocalProcessLock, type ProcessLock } from './process-lock.ts'
import { createLocalSignals, type Signals } from './signals.ts'
import { createSqliteDialect, emptyLog } from './sqlite.ts'

export type Engine = 'sqlite' | 'postgres'

export interface Database {
  readonly engine: Engine
  readonly db: Db
  /** Where it is, in words for a person; never with a password. */
  readonly location: string
  /** Runs `read` on one unchanging view of everything, beside whatever is being written. */
  snapshot<T>(read: (db: Db) => Promise<T>): Promise<T>
  /** Removes what deleted rows have left where the engine writes ahead; best called when little is going on. */
  tidy(): Promise<void>
  /** Word among all processes on it. */
  readonly signals: Signals
  readonly processLock: ProcessLock
  ping(): Promise<void>
  /** Commits a write that changes nothing; rejects when the database does not take writes. */
  probeWrite(): Promise<void>
  close(): Promise<void>
}

const TIDY_TRIES = 20
const TIDY_WAIT_MS = 50

export const sqliteFile = (dataDir: string): string => join(dataDir, 'factotum.db')

/** For its owner alone, also in a directory that is open to others; SQLite gives its log the same rights. */
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
    ping: async () => void dialect.read('select 1', []),
    // Nobody uses the number, and setting it writes a page.
    probeWrite: async () => void (await sql`pragma user_version = 0`.execute(db)),
    close: () => db.destroy(),
  }
}

const describeUrl = (text: string): string => {
  const url = new URL(text)
  return `${url.protocol}//${url.host}${url.pathname}`
}

const openPostgres = async (url: string, onIdleError: (error: Error) => void): Promise<Database> => {
  // Loaded only when used: the embedded database should not pay for it at start.
  const { createPostgresDialect } = await import('./postgres.ts')
  const { createPostgresProcessLock } = await import('./postgres-process-lock.ts')
  const { createPostgresSignals } = await import('./postgres-signals.ts')
  const db: Db = new Kysely({ dialect: createPostgresDialect(url, onIdleError) })
  const signals = createPostgresSignals(url, db, onIdleError)
  const processLock = createPostgresProcessLock(url, onIdleError)
  return {
    engine: 'postgres',
    db,
    location: describeUrl(url),
    snapshot: (read) =>
      db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read),
    // Its vacuum does that by itself.
    tidy: async () => {},
    signals,
    processLock,
    ping: async () => void (await sql`select 1`.execute(db)),
    // A server that is read-only refuses it. One whose disk is full is found by the requests that fail.
    probeWrite: async () => void (await sql`update restores set epoch = epoch`.execute(db)),
    async close() {
      await signals.close()
      await processLock.close()
      await db.destroy()
    },
  }
}

export const openDatabase = async (options: {
  dataDir: string
  databaseUrl: string | null
  onIdleError: (error: Error) => void
}): Promise<Database> =>
  options.databaseUrl === null
    ? openSqlite(options.dataDir)
    : openPostgres(options.databaseUrl, options.onIdleError)
