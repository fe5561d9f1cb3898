import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import type { Db } from '../../database/db.ts'
import type { Tables } from '../../database/tables.ts'
import type { JobDump, JobState, JobView } from './jobs.ts'
import { toProgress } from './progress.ts'
import type { PlaceInList } from './queue.ts'

const DUMP_PAGE = 500

type BossState = 'created' | 'retry' | 'active' | 'completed' | 'cancelled' | 'failed'

/** The columns of pg-boss's table that are read or written here. */
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

/** pg-boss's own clock, which is the database's: the application's may differ. */
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

/** Every policy is exclusive, also for jobs without a key: theirs is one that nobody else has. */
export const toSingletonKey = (key: string | null, unique: string): string =>
  key === null ? `job:${unique}` : `key:${key}`

const toKey = (singletonKey: string | null): string | null =>
  singletonKey?.startsWith('key:') ? singletonKey.slice('key:'.length) : null

// What is shown has milliseconds; what is compared must have no more.
const createdAt: RawBuilder<Date> = sql`date_trunc('milliseconds', created_on at time zone 'UTC')`
const idText: RawBuilder<string> = sql`id::text collate "C"`
const UNFINISHED = sql<boolean>`state <> 'completed'`

const LISTED = 'factotum_jobs_listed'

/** pg-boss lists nothing to people, so it has no index for that. Once, by whoever holds the lock of the start. */
export const indexJobLists = async (tx: Db): Promise<void> => {
  const { rows } =
    await sql`select 1 from pg_indexes where schemaname = 'pgboss' and indexname = ${LISTED}`.execute(tx)
  if (rows.length > 0) return
  await sql`create index ${sql.ref(LISTED)} on pgboss.job ((${createdAt}), (${idText}))`.execute(tx)
  // Of the many that are there nearly all are done.
  await sql`create index factotum_jobs_unfinished on pgboss.job ((${createdAt}), (${idText}))
    where ${UNFINISHED}`.execute(tx)
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
  { state, limit, after }: { state?: JobState; limit: number; after?: PlaceInList },
): Promise<JobView[]> => {
  let query = selectViews(db)
  if (state !== undefined) query = query.where('state', 'in', states[state])
  if (state !== undefined && state !== 'done') query = query.where(UNFINISHED)
  if (after !== undefined)
    query = query.where(
      sql<boolean>`(${createdAt}, ${idText}) < ((${after.createdAt}::timestamptz) at time zone 'UTC', ${after.id})`,
    )
  const rows = await query.orderBy(createdAt, 'desc').orderBy(idText, 'desc').limit(limit).execute()
  return rows.map(toView)
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const isJobId = (id: string): boolean => UUID.test(id)

/** Its key is the name and the id: with the names at hand, an id alone is found without reading everything. */
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
