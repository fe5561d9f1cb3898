import type { Selectable, UpdateObject } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { Db } from '../../database/db.ts'
import type { JobRow } from '../../database/tables/instance.ts'
import type { Tables } from '../../database/tables.ts'
import type { Clock } from '../clock.ts'
import { type Random, randomId } from '../random.ts'
import { type JobDump, type JobState, type JobView, toProgress } from './jobs.ts'
import type { Lease, ListPosition, NewJob, Queue, Takeable } from './queue.ts'

const DUMP_PAGE = 500

type JobPatch = UpdateObject<Tables, 'jobs'>

const unfinished = { leaseOwner: null, finishedAt: null }
const finished = { leaseOwner: null, dueAt: null }

const selectViews = (db: Db) =>
  db
    .selectFrom('jobs')
    .leftJoin('job_progress', 'job_progress.jobId', 'jobs.id')
    .select(['id', 'name', 'state', 'runAt', 'attempts', 'error', 'createdAt', 'finishedAt'])
    .select(['done', 'total', 'note'])

const toView = ({
  done,
  total,
  note,
  ...job
}: Omit<JobView, 'progress'> & {
  done: number | null
  total: number | null
  note: string | null
}): JobView => ({ ...job, progress: toProgress({ done, total, note }) })

const findView = async (db: Db, id: string): Promise<JobView | undefined> => {
  const row = await selectViews(db).where('id', '=', id).executeTakeFirst()
  return row && toView(row)
}

const toDump = ({ name, payload, runAt, singletonKey, state, error }: Selectable<JobRow>): JobDump => ({
  name,
  payload: JSON.parse(payload),
  runAt,
  key: singletonKey,
  state: state as JobDump['state'],
  error,
})

interface SqliteQueueDeps {
  database: Database
  clock: Clock
  random: Random
}

const change = async (tx: Db, lease: Lease, patch: JobPatch): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('jobs')
    .set(patch)
    .where('id', '=', lease.id)
    .where('leaseOwner', '=', lease.owner)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Stores jobs in one table. A single conditional update leases a job, so any number of processes may run. */
export class SqliteQueue implements Queue {
  private readonly deps: SqliteQueueDeps

  constructor(deps: SqliteQueueDeps) {
    this.deps = deps
  }

  async prepare(): Promise<void> {}

  async insert(tx: Db, { name, payload, runAt, key }: NewJob): Promise<string | null> {
    const createdAt = this.instant()
    const due = runAt?.toISOString() ?? createdAt
    const row = await tx
      .insertInto('jobs')
      .values({
        ...unfinished,
        id: randomId(this.deps.random),
        name,
        payload,
        state: 'waiting',
        runAt: due,
        dueAt: due,
        attempts: 0,
        error: null,
        createdAt,
        singletonKey: key,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    return row?.id ?? null
  }

  async take(jobs: readonly Takeable[], held: readonly string[]): Promise<Lease | { waitMs: number | null }> {
    const next = await this.deps.database.db
      .selectFrom('jobs')
      .select(['id', 'name', 'dueAt'])
      .where('dueAt', 'is not', null)
      .where(
        'name',
        'in',
        jobs.map((job) => job.name),
      )
      .where('id', 'not in', held)
      .orderBy('dueAt')
      .limit(1)
      .executeTakeFirst()
    if (!next?.dueAt) return { waitMs: null }
    const waitMs = Date.parse(next.dueAt) - this.deps.clock.now().getTime()
    if (waitMs > 0) return { waitMs }
    const leaseMs = (jobs.find((job) => job.name === next.name)?.leaseSeconds ?? 0) * 1000
    const owner = randomId(this.deps.random)
    const row = await this.deps.database.db
      .updateTable('jobs')
      .set((eb) => ({
        state: 'running',
        attempts: eb('attempts', '+', 1),
        leaseOwner: owner,
        dueAt: this.instant(leaseMs),
      }))
      .where('id', '=', next.id)
      // Another process may have advanced this row already.
      .where('dueAt', '=', next.dueAt)
      .returning(['id', 'name', 'payload', 'attempts'])
      .executeTakeFirst()
    if (!row) return { waitMs: 0 }
    return { id: row.id, name: row.name, payload: row.payload, attempt: row.attempts, owner, leaseMs }
  }

  renew(lease: Lease): Promise<boolean> {
    return change(this.deps.database.db, lease, { dueAt: this.instant(lease.leaseMs) })
  }

  complete(tx: Db, lease: Lease): Promise<boolean> {
    return change(tx, lease, { ...finished, state: 'done', error: null, finishedAt: this.instant() })
  }

  park(lease: Lease, error: string): Promise<boolean> {
    return change(this.deps.database.db, lease, {
      ...finished,
      state: 'parked',
      error,
      finishedAt: this.instant(),
    })
  }

  postpone(lease: Lease, delayMs: number, error: string): Promise<boolean> {
    const runAt = this.instant(delayMs)
    return change(this.deps.database.db, lease, {
      ...unfinished,
      state: 'waiting',
      error,
      runAt,
      dueAt: runAt,
    })
  }

  release(lease: Lease): Promise<boolean> {
    return change(this.deps.database.db, lease, {
      ...unfinished,
      state: 'waiting',
      dueAt: this.instant(),
      attempts: lease.attempt - 1,
    })
  }

  async list({
    state,
    limit,
    after,
  }: {
    state?: JobState
    limit: number
    after?: ListPosition
  }): Promise<JobView[]> {
    let query = selectViews(this.deps.database.db)
    if (state !== undefined) query = query.where('state', '=', state)
    if (after !== undefined)
      query = query.where((eb) =>
        eb(eb.refTuple('createdAt', 'id'), '<', eb.tuple(after.createdAt, after.id)),
      )
    const rows = await query.orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(limit).execute()
    return rows.map(toView)
  }

  find(id: string): Promise<JobView | undefined> {
    return findView(this.deps.database.db, id)
  }

  async retry(id: string): Promise<boolean> {
    const now = this.instant()
    const { numUpdatedRows } = await this.deps.database.db
      .updateTable('jobs')
      .set({ ...unfinished, state: 'waiting', runAt: now, dueAt: now, attempts: 0 })
      .where('id', '=', id)
      .where('state', '=', 'parked')
      .executeTakeFirst()
    return numUpdatedRows === 1n
  }

  /** SQLite has a single writer, so that a read is enough. */
  lock(tx: Db, id: string): Promise<JobView | undefined> {
    return findView(tx, id)
  }

  async remove(tx: Db, id: string): Promise<boolean> {
    const { numDeletedRows } = await tx
      .deleteFrom('jobs')
      .where('id', '=', id)
      .where('state', 'in', ['waiting', 'parked'])
      .executeTakeFirst()
    return numDeletedRows > 0n
  }

  async prune(tx: Db, before: Date): Promise<string[]> {
    const removed = await tx
      .deleteFrom('jobs')
      .where('finishedAt', '<', before.toISOString())
      .where('state', '=', 'done')
      .returning('id')
      .execute()
    return removed.map(({ id }) => id)
  }

  async forget(tx: Db): Promise<void> {
    await tx.deleteFrom('jobs').where('state', '!=', 'running').execute()
  }

  async *dump(view: Db): AsyncIterable<JobDump> {
    let last = ''
    for (;;) {
      const rows = await view
        .selectFrom('jobs')
        .selectAll()
        .where('id', '>', last)
        .where('state', '!=', 'done')
        .orderBy('id')
        .limit(DUMP_PAGE)
        .execute()
      yield* rows.map(toDump)
      if (rows.length < DUMP_PAGE) return
      last = rows.at(-1)?.id ?? last
    }
  }

  async close(): Promise<void> {}

  private instant(afterMs = 0): string {
    return new Date(this.deps.clock.now().getTime() + afterMs).toISOString()
  }
}
