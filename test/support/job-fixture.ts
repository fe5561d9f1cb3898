import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, vi } from 'vitest'
import { ALL_ACCOUNTS } from '../../src/database/all-accounts.ts'
import { type Database, openDatabase } from '../../src/database/database.ts'
import { migrate } from '../../src/database/migrate.ts'
import { inTransaction } from '../../src/database/transaction.ts'
import type { Clock } from '../../src/platform/clock.ts'
import type { EnqueueOptions, JobState, Jobs, JobView } from '../../src/platform/jobs/jobs.ts'
import { openJobs } from '../../src/platform/jobs/open-jobs.ts'
import type { Logger } from '../../src/platform/log.ts'
import { systemRandom } from '../../src/platform/random.ts'
import { moveBossClock } from './boss-clock.ts'
import { makeDataPlace } from './databases.ts'

export const postgresUrl = process.env.TEST_POSTGRES_URL ?? null

export interface Place {
  dataDir: string
  databaseUrl: string | null
}

/** Waits until `check` no longer throws. */
export const soon = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 60_000, interval: 10 })

/** A real database of one engine, with a movable clock. */
export interface JobFixture {
  readonly place: Place
  readonly database: Database
  readonly clock: Clock
  /** Opens another instance on the same database. */
  open(options?: { log?: Logger; pollMs?: number; concurrency?: number }): Promise<Jobs>
  /** Enqueues in a separate transaction. */
  add(jobs: Jobs, name: string, payload?: unknown, options?: EnqueueOptions): Promise<string>
  reaches(jobs: Jobs, id: string, state: JobState): Promise<JobView>
  advance(ms: number): Promise<void>
  /** Returns the end of the current lease of a job. */
  leaseEnd(id: string): Promise<string>
  /** Stops every instance and deletes every job. */
  reset(): Promise<void>
  close(): Promise<void>
}

export const createJobFixture = async (engine: 'sqlite' | 'postgres'): Promise<JobFixture> => {
  const place = await makeDataPlace(engine, 'prepared')
  const database = await openDatabase({ ...place, onIdleError: () => {} })
  await migrate(database)
  const { db } = database
  let aheadMs = 0
  const clock: Clock = { now: () => new Date(Date.now() + aheadMs) }
  let opened: Jobs[] = []

  const moveClocks = async (): Promise<void> => {
    if (engine === 'postgres' && opened.length > 0) await moveBossClock(db, aheadMs)
  }

  return {
    place,
    database,
    clock,
    async open(options = {}) {
      const jobs = await openJobs({
        database,
        clock,
        random: systemRandom,
        log: pino({ level: 'silent' }),
        pollMs: 20,
        ...options,
      })
      opened.push(jobs)
      return jobs
    },
    async add(jobs, name, payload = {}, options = {}) {
      const id = await inTransaction(db, (tx) => jobs.enqueue(tx, name, payload, options))
      if (id === null) throw new Error('The job was not enqueued.')
      return id
    },
    reaches: (jobs, id, state) =>
      soon(async () => {
        const job = await jobs.find(id)
        expect(job?.state).toBe(state)
        return job as JobView
      }),
    async advance(ms) {
      aheadMs += ms
      await moveClocks()
    },
    async leaseEnd(id) {
      if (engine === 'sqlite')
        return (
          (await db.selectFrom('jobs').select('dueAt').where('id', '=', id).executeTakeFirst())?.dueAt ?? ''
        )
      const { rows } = await sql<{ at: string }>`
        select (heartbeat_on + heartbeat_seconds * interval '1 second')::text as at
        from pgboss.job where id = ${id}`.execute(db)
      return rows[0]?.at ?? ''
    },
    async reset() {
      await Promise.all(opened.map((jobs) => jobs.drain(0)))
      aheadMs = 0
      await moveClocks()
      if (engine === 'sqlite') await db.deleteFrom('jobs').execute()
      else if (opened.length > 0) await sql`delete from pgboss.job`.execute(db)
      for (const table of ['job_progress', 'job_schedules', 'attempts'] as const)
        await db.deleteFrom(table).modifyEnd(ALL_ACCOUNTS).execute()
      opened = []
    },
    async close() {
      await database.close()
      await place.remove()
    },
  }
}
