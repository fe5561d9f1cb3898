import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import type { Db } from './db.ts'
import { createLocalSignals, type Signals } from './signals.ts'

const CHANNEL = 'factotum_changes'
const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 5_000

/** Holds one connection that listens, and a new one whenever it breaks. */
const createEar = (url: string, onSignal: (payload: string) => void, onError: (error: Error) => void) => {
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined
  let waitMs = FIRST_WAIT_MS
  let isWanted = false

  const lose = (lost: pg.Client): void => {
    if (client !== lost) return
    client = undefined
    if (isWanted) retry = setTimeout(open, waitMs)
    waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2)
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
          // Whatever was told while nobody listened.
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

/** NOTIFY and LISTEN. The connection that listens is there while someone does. */
export const createPostgresSignals = (url: string, db: Db, onError: (error: Error) => void): Signals => {
  const here = createLocalSignals()
  const self = randomUUID()
  const ear = createEar(url, (payload) => payload !== self && here.tell(), onError)
  let listening = 0
  let telling: 'no' | 'now' | 'again' = 'no'
  let told = Promise.resolve()

  /** One at a time: what is committed meanwhile is told together. */
  const tellOthers = async (): Promise<void> => {
    do {
      telling = 'now'
      try {
        await sql`select pg_notify(${CHANNEL}, ${self})`.execute(db)
      } catch (error) {
        onError(error as Error)
      }
    } while ((telling as string) === 'again')
    telling = 'no'
  }

  return {
    tell() {
      here.tell()
      if (telling === 'no') told = tellOthers()
      else telling = 'again'
    },
    listen(listener) {
      const stop = here.listen(listener)
      if (listening++ === 0) ear.open()
      let hasStopped = false
      return () => {
        if (hasStopped) return
        hasStopped = true
        stop()
        if (--listening === 0) void ear.close()
      }
    },
    async close() {
      await here.close()
      await ear.close()
      await told
    },
  }
}
