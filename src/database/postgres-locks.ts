import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import type { ExclusiveLock } from './exclusive-lock.ts'
import { newProcessId, type ProcessLock } from './process-lock.ts'
import { holdVersionLock } from './version-locks.ts'

const RECOVERY_MS = 1_000
const RECONNECT_MS = 100
const CHECK_EVERY_MS = 5_000
const ANSWER_WITHIN_MS = 10_000

/** A machine that vanished closes no connection. The server must detect that within half a minute. */
const SERVER_KEEPALIVE =
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
