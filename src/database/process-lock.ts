import { randomInt } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import { holdVersionLock } from './version-locks.ts'

/**
 * Shows other processes on a database that this one is alive. A row that names a process is void if its lock
 * is not held.
 */
export interface ProcessLock {
  /** The unique id of this process. */
  readonly id: number
  /** Maximum time in which a live process regains its lock after its connection was lost. */
  readonly recoveryMs: number
  /** Resolves when the lock is held. Await it before the id is written to a row. */
  acquire(): Promise<void>
  /** Shows other versions that one with this newest migration runs: see version-locks.ts. */
  holdVersion(newestMigration: string): Promise<void>
  /** Whether the process with this id holds its lock. */
  isHeld(id: RawBuilder<number | null>): RawBuilder<boolean>
  close(): Promise<void>
}

/** Above 32 bits, so that it never equals an advisory lock of a hashed name. */
const LOWEST_ID = 2 ** 40
const HIGHEST_ID = 2 ** 47

export const newProcessId = (): number => randomInt(LOWEST_ID, HIGHEST_ID)

/** A SQLite database belongs to one process, so all earlier processes have ended. */
export const createLocalProcessLock = (): ProcessLock => {
  const id = newProcessId()
  return {
    id,
    recoveryMs: 0,
    acquire: async () => {},
    holdVersion: async () => {},
    isHeld: (other) => sql<boolean>`${other} is ${id}`,
    close: async () => {},
  }
}

const RECOVERY_MS = 1_000
const RECONNECT_MS = 100
const CHECK_EVERY_MS = 5_000
const ANSWER_WITHIN_MS = 10_000

/** A machine that vanished closes no connection. The server must detect that within half a minute. */
export const SERVER_KEEPALIVE =
  'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3'

/**
 * Holds a session-level advisory lock on its own connection. PostgreSQL releases it when the process ends in
 * any way. A lost connection is replaced at once. The lock is shared, because the server may not have noticed
 * yet that the previous connection is lost.
 */
export const createPostgresProcessLock = (url: string, onError: (error: Error) => void): ProcessLock => {
  const id = newProcessId()
  let client: pg.Client | undefined
  let versionLock: string | undefined
  let acquiring: Promise<void> | undefined
  let isClosed = false

  const lose = (lost: pg.Client): void => {
    lost.end().catch(() => {})
    if (client !== lost) return
    client = undefined
    if (!isClosed) void reacquire()
  }

  const open = async (): Promise<void> => {
    const fresh = new pg.Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: ANSWER_WITHIN_MS,
      query_timeout: ANSWER_WITHIN_MS,
    })
    fresh.on('error', onError)
    fresh.on('end', () => lose(fresh))
    try {
      await fresh.connect()
      await fresh.query(SERVER_KEEPALIVE)
      await fresh.query('select pg_advisory_lock_shared($1::bigint)', [id])
      if (versionLock !== undefined) await fresh.query(versionLock)
      if (isClosed) throw new Error('Connection terminated: the database is being closed.')
      client = fresh
    } catch (error) {
      lose(fresh)
      throw error
    }
  }

  const acquire = async (): Promise<void> => {
    if (client) return
    acquiring ??= open().finally(() => {
      acquiring = undefined
    })
    await acquiring
  }

  const reacquire = async (): Promise<void> => {
    while (!isClosed)
      try {
        return await acquire()
      } catch {
        await setTimeout(RECONNECT_MS, undefined, { ref: false })
      }
  }

  /** A query detects a connection that was lost silently. */
  const check = (): void => {
    const checked = client
    checked?.query('select 1').catch(() => lose(checked))
  }
  const checking = setInterval(check, CHECK_EVERY_MS).unref()

  return {
    id,
    recoveryMs: RECOVERY_MS,
    acquire,
    async holdVersion(newestMigration) {
      if (client && versionLock === holdVersionLock(newestMigration)) return
      versionLock = holdVersionLock(newestMigration)
      await acquire()
      await client?.query(versionLock)
    },
    isHeld: (other) => sql<boolean>`exists (
      select 1 from pg_locks
      where locktype = 'advisory' and granted and objsubid = 1
        and database = (select oid from pg_database where datname = current_database())
        and classid::bigint = ${other} >> 32 and objid::bigint = ${other} & 4294967295
    )`,
    async close() {
      isClosed = true
      clearInterval(checking)
      await acquiring?.catch(() => {})
      await client?.end().catch(() => {})
    },
  }
}
