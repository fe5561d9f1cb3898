import { sql, type UpdateObject } from 'kysely'
import { fromKysely } from 'pg-boss'
import type { Database } from '../../database/database.ts'
import { inTransaction } from '../../database/transaction.ts'
import { isUniqueViolation } from '../../database/unique-violation.ts'
import type { Clock } from '../clock.ts'
import { conflict } from '../errors.ts'
import type { Logger } from '../log.ts'
import { type Random, randomId } from '../random.ts'
import { startBoss } from './pg-boss.ts'
import {
  type BossJobRow,
  bossNow,
  bossTables,
  dumpJobs,
  findJob,
  isJobId,
  listJobs,
  nameIsAnyQueue,
  toSingletonKey,
} from './postgres-job-rows.ts'
import { removeProgress } from './progress.ts'
import type { Lease, Queue } from './queue.ts'

/** pg-boss's indexes are partial and name the policy: so do the queries that want them. */
const UNFINISHED = sql<boolean>`policy = 'exclusive' and state <= 'active'`
const NO_JOB = '00000000-0000-0000-0000-000000000000'
const LEASE_ENDS = sql<Date>`heartbeat_on + heartbeat_seconds * interval '1 second'`

const toOutput = (error: string) => sql<BossJobRow['output']>`${JSON.stringify({ error })}::jsonb`

type BossJobPatch = UpdateObject<{ 'pgboss.job': BossJobRow }, 'pgboss.job'>

/**
 * Jobs in pg-boss: its tables, queues, sending, fetching and completing. What it has no call for is written on its
 * table here: a wait chosen for each failure, parking before the last retry, handing back uncounted, and above
 * all that only the holder of a lease may settle it. The instant of the lease, to the microsecond, is the proof.
 */
export const openPostgresQueue = async ({
  database: { db },
  clock,
  random,
  log,
}: {
  database: Database
  clock: Clock
  random: Random
  log: Logger
}): Promise<Queue> => {
  const boss = await startBoss(db, clock, log)
  const queues = new Set((await boss.getQueues()).map((queue) => queue.name))

  const ensureQueue = async (name: string): Promise<void> => {
    if (queues.has(name)) return
    await boss.createQueue(name, { policy: 'exclusive' })
    queues.add(name)
  }

  const isHeld = (lease: Lease) =>
    sql<boolean>`name = ${lease.name} and id = ${lease.id} and state = 'active' and started_on = ${lease.owner}::timestamptz`

  const change = async (lease: Lease, patch: BossJobPatch): Promise<boolean> => {
    const { numUpdatedRows } = await bossTables(db)
      .updateTable('pgboss.job')
      .set(patch)
      .where(isHeld(lease))
      .executeTakeFirst()
    return numUpdatedRows === 1n
  }

  const reclaim = async (held: readonly string[]): Promise<void> => {
    await bossTables(db)
      .updateTable('pgboss.job')
      .set({ state: 'retry', start_after: bossNow, heartbeat_on: null })
      .where(UNFINISHED)
      .where('state', '=', 'active')
      .where(LEASE_ENDS, '<=', bossNow)
      .where(sql<boolean>`id <> all(${held}::uuid[])`)
      .execute()
  }

  const fetch = async (name: string): Promise<Lease | undefined> => {
    const [job] = await boss.fetch<BossJobRow['data']>(name, { includeMetadata: true })
    if (!job) return undefined
    const started = await bossTables(db)
      .selectFrom('pgboss.job')
      .select(sql<string>`started_on::text`.as('owner'))
      .where('name', '=', name)
      .where('id', '=', job.id)
      .executeTakeFirst()
    if (!started) return undefined
    const { id, data, retryCount, heartbeatSeconds } = job
    const leaseMs = (heartbeatSeconds ?? 60) * 1000
    return { id, name, payload: data.payload, attempt: retryCount + 1, owner: started.owner, leaseMs }
  }

  return {
    async prepare(jobs) {
      for (const { name } of jobs) {
        await ensureQueue(name)
        // Asked for anything, pg-boss reads up on a queue and remembers: not with a connection of its own while an
        // enqueuing transaction holds one, and others wait for that transaction with all the rest.
        await boss.getJobById(name, NO_JOB)
      }
    },

    async insert(tx, { name, payload, runAt, key, leaseSeconds }) {
      await ensureQueue(name)
      return boss.send(
        name,
        { payload },
        {
          db: fromKysely(tx),
          heartbeatSeconds: leaseSeconds,
          singletonKey: toSingletonKey(key, randomId(random)),
          ...(runAt && { startAfter: runAt }),
        },
      )
    },

    async take(jobs, held) {
      const names = jobs.map((job) => job.name)
      const { rows } = await sql<{
        name: string
        leased: boolean
        waitMs: number
      }>`select name, leased, (extract(epoch from min(due) - ${bossNow}) * 1000)::float8 as "waitMs"
        from (
          select name, state = 'active' as leased,
            case when state = 'active' then ${LEASE_ENDS} else start_after end as due
          from pgboss.job
          where ${UNFINISHED} and name = any(${names}) and (state < 'active' or id <> all(${held}::uuid[]))
        ) as unfinished
        group by name, leased order by "waitMs" limit 1`.execute(db)
      const next = rows[0]
      if (!next || next.waitMs > 0) return { waitMs: next?.waitMs ?? null }
      if (next.leased) await reclaim(held)
      else return (await fetch(next.name)) ?? { waitMs: 0 }
      return { waitMs: 0 }
    },

    renew: (lease) => change(lease, { heartbeat_on: bossNow }),

    async complete(tx, lease) {
      const job = await bossTables(tx)
        .selectFrom('pgboss.job')
        .select('id')
        .where(isHeld(lease))
        .forUpdate()
        .executeTakeFirst()
      if (!job) return false
      await boss.complete(lease.name, lease.id, null, { db: fromKysely(tx) })
      return true
    },

    postpone: (lease, delayMs, error) =>
      change(lease, {
        state: 'retry',
        start_after: sql`${bossNow} + ${delayMs}::float8 * interval '1 millisecond'`,
        heartbeat_on: null,
        output: toOutput(error),
      }),

    park: (lease, error) =>
      change(lease, {
        state: 'failed',
        completed_on: bossNow,
        heartbeat_on: null,
        output: toOutput(error),
      }),

    // It counts an attempt when it fetches a job that was started before.
    release: (lease) => change(lease, { state: 'created', started_on: null, heartbeat_on: null }),

    list: (filter) => listJobs(db, filter),
    find: (id) => findJob(db, id),

    async retry(id) {
      if (!isJobId(id)) return false
      try {
        const { numUpdatedRows } = await bossTables(db)
          .updateTable('pgboss.job')
          .set({
            state: 'created',
            retry_count: 0,
            started_on: null,
            completed_on: null,
            start_after: bossNow,
          })
          .where('id', '=', id)
          .where(nameIsAnyQueue)
          .where('state', 'in', ['failed', 'cancelled'])
          .executeTakeFirst()
        return numUpdatedRows === 1n
      } catch (error) {
        if (!isUniqueViolation(error)) throw error
        throw conflict('The same job is already waiting or running.')
      }
    },

    drop: (id, check) =>
      inTransaction(db, async (tx) => {
        if (!isJobId(id)) return false
        const named = bossTables(tx).selectFrom('pgboss.job').select('id').where('id', '=', id)
        // Held, so that it is checked as it is when it goes.
        if (check) await named.where(nameIsAnyQueue).forUpdate().execute()
        const job = check && (await findJob(tx, id))
        if (job) check(job)
        const { numDeletedRows } = await bossTables(tx)
          .deleteFrom('pgboss.job')
          .where('id', '=', id)
          .where(nameIsAnyQueue)
          .where('state', 'in', ['created', 'retry', 'failed', 'cancelled'])
          .executeTakeFirst()
        if (numDeletedRows === 0n) return false
        await removeProgress(tx, [id])
        return true
      }),

    prune: (before) =>
      inTransaction(db, async (tx) => {
        const removed = await bossTables(tx)
          .deleteFrom('pgboss.job')
          .where('state', '=', 'completed')
          .where('completed_on', '<', before)
          .returning('id')
          .execute()
        await removeProgress(
          tx,
          removed.map((row) => row.id),
        )
        return removed.length
      }),

    async forget(tx) {
      await bossTables(tx).deleteFrom('pgboss.job').where('state', '!=', 'active').execute()
      await tx.deleteFrom('job_progress').execute()
    },

    dump: dumpJobs,
    close: () => boss.stop({ graceful: false, close: false }),
  }
}
