import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import type { Db } from './db.ts'
import { createLocalSignals, type Signals } from './signals.ts'

const CHANNEL = 'factotum_changes'
const FIRST_WAIT_MS = 100
const MAX_WAIT_MS = 5_000

/** Holds one listening connection, and reconnects when it breaks. */
const createListener = (
  url: string,
  onSignal: (payload: string) => void,
  onError: (error: Error) => void,
) => {
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined
  let waitMs = FIRST_WAIT_MS
  let isWanted = false

  const lose = (lost: pg.Client): void => {
    if (client !== lost) return
    client = undefined
    if (isWanted) retry = setTimeout(open, waitMs)
    waitMs = Math.min(MAX_WAIT_MS, waitMs * 2)
  }

  const open = (): void => {
    const fresh = new pg.Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: 10_000 })
    client = fresh
    fresh.on('notification', ({ payload }) => onSignal(payload ?? ''))
    fresh.on('error', onError)
    fresh.on('end', () => lose(fresh))
    fresh
      .connect()
      .then(() => fresh.query(`listen ${CHANNEL}`))
      .then(
        () => {
          waitMs = FIRST_WAIT_MS
          // Replaces the signals that were lost while nothing listened.
          onSignal('')
        },
        (error: Error) => {
          if (isWanted) onError(error)
          lose(fresh)
          fresh.end().catch(() => {})
        },
      )
  }

  return {
    open() {
      if (isWanted) return
      isWanted = true
      open()
    },
    async close(): Promise<void> {
      isWanted = false
      clearTimeout(retry)
      const open = client
      client = undefined
      await open?.end().catch(() => {})
    },
  }
}

/** Uses NOTIFY and LISTEN. The listening connection exists only while there are listeners. */
export const createPostgresSignals = (url: string, db: Db, onError: (error: Error) => void): Signals => {
  const here = createLocalSignals()
  const self = randomUUID()
  const listenerConnection = createListener(url, (payload) => payload !== self && here.notify(), onError)
  let listening = 0
  let sending: 'no' | 'now' | 'again' = 'no'
  let sent = Promise.resolve()

  /** Sends one signal at a time. Commits in the meantime share the next one. */
  const notifyOthers = async (): Promise<void> => {
    do {
      sending = 'now'
      try {
        // The signal need not survive a crash, so its commit does not wait for the disk.
        await sql`select pg_notify(${CHANNEL}, ${self}), set_config('synchronous_commit', 'off', true)`.execute(
          db,
        )
      } catch (error) {
        onError(error as Error)
      }
    } while ((sending as string) === 'again')
    sending = 'no'
  }

  return {
    notify() {
      here.notify()
      if (sending === 'no') sent = notifyOthers()
      else sending = 'again'
    },
    listen(listener) {
      const stop = here.listen(listener)
      if (listening++ === 0) listenerConnection.open()
      let hasStopped = false
      return () => {
        if (hasStopped) return
        hasStopped = true
        stop()
        if (--listening === 0) void listenerConnection.close()
      }
    },
    async close() {
      await here.close()
      await listenerConnection.close()
      await sent
    },
  }
}
