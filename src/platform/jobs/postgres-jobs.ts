import { CompiledQuery, type Kysely, type RawBuilder, type Selectable, sql, type UpdateObject } from 'kysely'
import { type ConstructorOptions, fromKysely, PgBoss } from 'pg-boss'
import type { Database } from '../../database/database.ts'
import type { Db } from '../../database/db.ts'
import type { Tables } from '../../database/tables.ts'
import { lockName } from '../../database/transaction.ts'
import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import { type Random, randomId } from '../random.ts'
import { type JobDump, type JobState, type JobView, toProgress } from './jobs.ts'
import type { Lease, ListPosition, NewJob, Queue, Takeable } from './queue.ts'

const DUMP_PAGE = 500

type BossState = 'created' | 'retry' | 'active' | 'completed' | 'cancelled' | 'failed'

/** The columns of pg-boss's table that this module reads or writes. */
export interface BossJobRow {
  id: string
  name: string
  data: { payload: string }
  state: BossState
  retry_count: number
  singleton_key: string | null
  start_after: Date
  created_on: Date
  started_on: Date | null
  completed_on: Date | null
  heartbeat_on: Date | null
  heartbeat_seconds: number | null
  policy: string
  output: { error?: string } | null
}

type BossDb = Kysely<Tables & { 'pgboss.job': BossJobRow; 'pgboss.queue': { name: string } }>

export const bossTables = (db: Db): BossDb => db as unknown as BossDb

/** pg-boss uses the clock of the database, which may differ from the application's. */
export const bossNow = sql<Date>`pgboss.job_now()`

const states: Record<JobState, BossState[]> = {
  waiting: ['created', 'retry'],
  running: ['active'],
  parked: ['failed', 'cancelled'],
  done: ['completed'],
}

const stateOf = (state: BossState): JobState => {
  if (state === 'created' || state === 'retry') return 'waiting'
  if (state === 'active') return 'running'
  return state === 'completed' ? 'done' : 'parked'
}

/** Every queue has the policy `exclusive`. Jobs without a key get a unique one. */
export const toSingletonKey = (key: string | null, unique: string): string =>
  key === null ? `job:${unique}` : `key:${key}`

const toKey = (singletonKey: string | null): string | null =>
  singletonKey?.startsWith('key:') ? singletonKey.slice('key:'.length) : null

// API timestamps have milliseconds, so comparisons must not use a higher precision.
const createdAt: RawBuilder<Date> = sql`date_trunc('milliseconds', created_on at time zone 'UTC')`
const idText: RawBuilder<string> = sql`id::text collate "C"`
const UNFINISHED_STATES = sql<boolean>`state <> 'completed'`

const LISTED = 'factotum_jobs_listed'

/** pg-boss has no index for job lists. The instance that holds the startup lock creates it once. */
export const indexJobLists = async (tx: Db): Promise<void> => {
  const { rows } =
    await sql`select 1 from pg_indexes where schemaname = 'pgboss' and indexname = ${LISTED}`.execute(tx)
  if (rows.length > 0) return
  await sql`create index ${sql.ref(LISTED)} on pgboss.job ((${createdAt}), (${idText}))`.execute(tx)
  // Nearly all jobs in the table are finished, so a partial index stays small.
  await sql`create index factotum_jobs_unfinished on pgboss.job ((${createdAt}), (${idText}))
    where ${UNFINISHED_STATES}`.execute(tx)
}

const selectViews = (db: Db) =>
  bossTables(db)
    .selectFrom('pgboss.job as job')
    .leftJoin('job_progress', (join) => join.on('job_progress.jobId', '=', sql<string>`job.id::text`))
    .select(['id', 'name', 'state', 'retry_count', 'start_after', 'created_on'])
    .select(['started_on', 'completed_on', 'output', 'done', 'total', 'note'])

type ViewRow = Omit<Selectable<BossJobRow>, 'data' | 'singleton_key' | 'policy' | `heartbeat_${string}`> & {
  done: number | null
  total: number | null
  note: string | null
}

const toView = (row: ViewRow): JobView => ({
  id: row.id,
  name: row.name,
  state: stateOf(row.state),
  runAt: row.start_after.toISOString(),
  attempts: row.retry_count + (row.started_on === null ? 0 : 1),
  error: row.output?.error ?? null,
  progress: toProgress(row),
  createdAt: row.created_on.toISOString(),
  finishedAt: row.completed_on?.toISOString() ?? null,
})

export const listJobs = async (
  db: Db,
  { state, limit, after }: { state?: JobState; limit: number; after?: ListPosition },
): Promise<JobView[]> => {
  let query = selectViews(db)
  if (state !== undefined) query = query.where('state', 'in', states[state])
  if (state !== undefined && state !== 'done') query = query.where(UNFINISHED_STATES)
  if (after !== undefined)
    query = query.where(
      sql<boolean>`(${createdAt}, ${idText}) < ((${after.createdAt}::timestamptz) at time zone 'UTC', ${after.id})`,
    )
  const rows = await query.orderBy(createdAt, 'desc').orderBy(idText, 'desc').limit(limit).execute()
  return rows.map(toView)
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const isJobId = (id: string): boolean => UUID.test(id)

/** The primary key is (name, id). With all queue names in the condition, a lookup by id uses that index. */
export const nameIsAnyQueue = sql<boolean>`name in (select name from pgboss.queue)`

export const findJob = async (db: Db, id: string): Promise<JobView | undefined> => {
  if (!isJobId(id)) return undefined
  const row = await selectViews(db).where('id', '=', id).where(nameIsAnyQueue).executeTakeFirst()
  return row && toView(row)
}

export async function* dumpJobs(view: Db): AsyncIterable<JobDump> {
  let last = ''
  for (;;) {
    const rows = await bossTables(view)
      .selectFrom('pgboss.job')
      .select(['id', 'name', 'data', 'start_after', 'singleton_key', 'state', 'output'])
      .where(sql<boolean>`${idText} > ${last}`)
      .where('state', '!=', 'completed')
      .orderBy(idText)
      .limit(DUMP_PAGE)
      .execute()
    for (const row of rows)
      yield {
        name: row.name,
        payload: JSON.parse(row.data.payload),
        runAt: row.start_after.toISOString(),
        key: toKey(row.singleton_key),
        state: stateOf(row.state) as JobDump['state'],
        error: row.output?.error ?? null,
      }
    if (rows.length < DUMP_PAGE) return
    last = rows.at(-1)?.id ?? last
  }
}

type BossDatabase = NonNullable<ConstructorOptions['db']>

/** Some pg-boss statements begin their own transaction. If one fails, the connection must not stay in it. */
const over = (db: Db): BossDatabase => ({
  executeSql: (text, values) =>
    db.connection().execute(async (connection) => {
      try {
        return await fromKysely(connection).executeSql(text, values)
      } catch (error) {
        await connection.executeQuery(CompiledQuery.raw('rollback')).catch(() => {})
        throw error
      }
    }),
})

/**
 * Uses the application's connection pool. The timers of pg-boss do almost nothing and keep no process alive.
 */
const createBoss = (db: Db, clock: Clock, log: Logger): PgBoss => {
  const boss = new PgBoss({
    db: over(db),
    supervise: false,
    schedule: false,
    queueCacheIntervalSeconds: 3600,
    bamIntervalSeconds: 3600,
    clock: {
      now: () => clock.now().getTime(),
      setTimeout: (call, ms) => setTimeout(call, ms).unref(),
      clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
      setInterval: (call, ms) => setInterval(call, ms).unref(),
      clearInterval: (timer) => clearInterval(timer as NodeJS.Timeout),
    },
  })
  boss.on('error', (error) => log.error({ err: error }, 'pg-boss failed'))
  boss.on('warning', (warning) => log.warn({ warning }, 'pg-boss warns'))
  return boss
}

/**
 * Installs or updates pg-boss's tables if needed, one instance after the other. pg-boss reads the catalogue
 * before it takes its own lock, so two concurrent first starts could both create the schema.
 */
const startBoss = async (db: Db, clock: Clock, log: Logger): Promise<PgBoss> => {
  const boss = createBoss(db, clock, log)
  await db.transaction().execute(async (tx) => {
    await lockName(tx, 'factotum.jobs')
    await boss.start()
    await indexJobLists(tx)
  })
  return boss
}

/** pg-boss's indexes are partial and include the policy, so queries must name the policy to use them. */
const UNFINISHED = sql<boolean>`policy = 'exclusive' and state <= 'active'`
const NO_JOB = '00000000-0000-0000-0000-000000000000'
const LEASE_ENDS = sql<Date>`heartbeat_on + heartbeat_seconds * interval '1 second'`

const toOutput = (error: string) => sql<BossJobRow['output']>`${JSON.stringify({ error })}::jsonb`

type BossJobPatch = UpdateObject<{ 'pgboss.job': BossJobRow }, 'pgboss.job'>

const isHeld = (lease: Lease) =>
  sql<boolean>`name = ${lease.name} and id = ${lease.id} and state = 'active' and started_on = ${lease.owner}::timestamptz`

/**
 * Stores jobs in pg-boss. Operations that pg-boss does not offer change its table directly. They set a delay
 * per failure, park a job before the last retry, and release a job without counting the attempt. Only the
 * holder of a lease may settle it. The start time of the lease, in microseconds, identifies the holder.
 */
class PostgresQueue implements Queue {
  private readonly db: Db
  private readonly random: Random
  private readonly boss: PgBoss
  private readonly queues: Set<string>
  readonly dump = dumpJobs

  constructor(db: Db, random: Random, boss: PgBoss, queues: Set<string>) {
    this.db = db
    this.random = random
    this.boss = boss
    this.queues = queues
  }

  async prepare(jobs: readonly Takeable[]): Promise<void> {
    for (const { name } of jobs) {
      await this.ensureQueue(name)
      // Makes pg-boss load and cache the queue now. Later, it would need a second connection while an
      // enqueuing transaction holds one, and all other connections may wait for that transaction.
      await this.boss.getJobById(name, NO_JOB)
    }
  }

  async insert(tx: Db, { name, payload, runAt, key, leaseSeconds }: NewJob): Promise<string | null> {
    await this.ensureQueue(name)
    return this.boss.send(
      name,
      { payload },
      {
        db: fromKysely(tx),
        heartbeatSeconds: leaseSeconds,
        singletonKey: toSingletonKey(key, randomId(this.random)),
        ...(runAt && { startAfter: runAt }),
      },
    )
  }

  async take(jobs: readonly Takeable[], held: readonly string[]): Promise<Lease | { waitMs: number | null }> {
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
        group by name, leased order by "waitMs" limit 1`.execute(this.db)
    const next = rows[0]
    if (!next || next.waitMs > 0) return { waitMs: next?.waitMs ?? null }
    if (next.leased) await this.reclaim(held)
    else return (await this.fetch(next.name)) ?? { waitMs: 0 }
    return { waitMs: 0 }
  }

  renew(lease: Lease): Promise<boolean> {
    return this.change(lease, { heartbeat_on: bossNow })
  }

  async complete(tx: Db, lease: Lease): Promise<boolean> {
    const job = await bossTables(tx)
      .selectFrom('pgboss.job')
      .select('id')
      .where(isHeld(lease))
      .forUpdate()
      .executeTakeFirst()
    if (!job) return false
    await this.boss.complete(lease.name, lease.id, null, { db: fromKysely(tx) })
    return true
  }

  postpone(lease: Lease, delayMs: number, error: string): Promise<boolean> {
    return this.change(lease, {
      state: 'retry',
      start_after: sql`${bossNow} + ${delayMs}::float8 * interval '1 millisecond'`,
      heartbeat_on: null,
      output: toOutput(error),
    })
  }

  park(lease: Lease, error: string): Promise<boolean> {
    return this.change(lease, {
      state: 'failed',
      completed_on: bossNow,
      heartbeat_on: null,
      output: toOutput(error),
    })
  }

  // pg-boss counts an attempt when it fetches a job that has been started before.
  release(lease: Lease): Promise<boolean> {
    return this.change(lease, { state: 'created', started_on: null, heartbeat_on: null })
  }

  list(filter: { state?: JobState; limit: number; after?: ListPosition }): Promise<JobView[]> {
    return listJobs(this.db, filter)
  }

  find(id: string): Promise<JobView | undefined> {
    return findJob(this.db, id)
  }

  async retry(id: string): Promise<boolean> {
    if (!isJobId(id)) return false
    const { numUpdatedRows } = await bossTables(this.db)
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
  }

  async lock(tx: Db, id: string): Promise<JobView | undefined> {
    if (!isJobId(id)) return undefined
    const named = bossTables(tx).selectFrom('pgboss.job').select('id').where('id', '=', id)
    await named.where(nameIsAnyQueue).forUpdate().execute()
    return findJob(tx, id)
  }

  async remove(tx: Db, id: string): Promise<boolean> {
    if (!isJobId(id)) return false
    const { numDeletedRows } = await bossTables(tx)
      .deleteFrom('pgboss.job')
      .where('id', '=', id)
      .where(nameIsAnyQueue)
      .where('state', 'in', ['created', 'retry', 'failed', 'cancelled'])
      .executeTakeFirst()
    return numDeletedRows > 0n
  }

  async prune(tx: Db, before: Date): Promise<string[]> {
    const removed = await bossTables(tx)
      .deleteFrom('pgboss.job')
      .where('state', '=', 'completed')
      .where('completed_on', '<', before)
      .returning('id')
      .execute()
    return removed.map(({ id }) => id)
  }

  async forget(tx: Db): Promise<void> {
    await bossTables(tx).deleteFrom('pgboss.job').where('state', '!=', 'active').execute()
  }

  close(): Promise<void> {
    return this.boss.stop({ graceful: false, close: false })
  }

  private async ensureQueue(name: string): Promise<void> {
    if (this.queues.has(name)) return
    await this.boss.createQueue(name, { policy: 'exclusive' })
    this.queues.add(name)
  }

  private async change(lease: Lease, patch: BossJobPatch): Promise<boolean> {
    const { numUpdatedRows } = await bossTables(this.db)
      .updateTable('pgboss.job')
      .set(patch)
      .where(isHeld(lease))
      .executeTakeFirst()
    return numUpdatedRows === 1n
  }

  private async reclaim(held: readonly string[]): Promise<void> {
    await bossTables(this.db)
      .updateTable('pgboss.job')
      .set({ state: 'retry', start_after: bossNow, heartbeat_on: null })
      .where(UNFINISHED)
      .where('state', '=', 'active')
      .where(LEASE_ENDS, '<=', bossNow)
      .where(sql<boolean>`id <> all(${held}::uuid[])`)
      .execute()
  }

  private async fetch(name: string): Promise<Lease | undefined> {
    const [job] = await this.boss.fetch<BossJobRow['data']>(name, { includeMetadata: true })
    if (!job) return undefined
    const started = await bossTables(this.db)
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
}

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
  return new PostgresQueue(db, random, boss, queues)
}
