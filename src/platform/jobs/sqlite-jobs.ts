import type { Selectable, UpdateObject } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { Db } from '../../database/db.ts'
import { isUniqueViolation } from '../../database/errors.ts'
import type { JobRow } from '../../database/tables/instance.ts'
import type { Tables } from '../../database/tables.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Clock } from '../clock.ts'
import { conflict } from '../errors.ts'
import { type Random, randomId } from '../random.ts'
import { type JobDump, type JobView, removeProgress, toProgress } from './jobs.ts'
import type { Lease, Queue } from './queue.ts'

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

/** Stores jobs in one table. A single conditional update leases a job, so any number of processes may run. */
export const createSqliteQueue = ({
  database: { db },
  clock,
  random,
}: {
  database: Database
  clock: Clock
  random: Random
}): Queue => {
  const instant = (afterMs = 0): string => new Date(clock.now().getTime() + afterMs).toISOString()

  const change = async (tx: Db, lease: Lease, patch: JobPatch): Promise<boolean> => {
    const { numUpdatedRows } = await tx
      .updateTable('jobs')
      .set(patch)
      .where('id', '=', lease.id)
      .where('leaseOwner', '=', lease.owner)
      .executeTakeFirst()
    return numUpdatedRows === 1n
  }

  return {
    async prepare() {},

    async insert(tx, { name, payload, runAt, key }) {
      const createdAt = instant()
      const due = runAt?.toISOString() ?? createdAt
      const row = await tx
        .insertInto('jobs')
        .values({
          ...unfinished,
          id: randomId(random),
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
    },

    async take(jobs, held) {
      const next = await db
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
      const waitMs = Date.parse(next.dueAt) - clock.now().getTime()
      if (waitMs > 0) return { waitMs }
      const leaseMs = (jobs.find((job) => job.name === next.name)?.leaseSeconds ?? 0) * 1000
      const owner = randomId(random)
      const row = await db
        .updateTable('jobs')
        .set((eb) => ({
          state: 'running',
          attempts: eb('attempts', '+', 1),
          leaseOwner: owner,
          dueAt: instant(leaseMs),
        }))
        .where('id', '=', next.id)
        // Another process may have advanced this row already.
        .where('dueAt', '=', next.dueAt)
        .returning(['id', 'name', 'payload', 'attempts'])
        .executeTakeFirst()
      if (!row) return { waitMs: 0 }
      return { id: row.id, name: row.name, payload: row.payload, attempt: row.attempts, owner, leaseMs }
    },

    renew: (lease) => change(db, lease, { dueAt: instant(lease.leaseMs) }),
    complete: (tx, lease) =>
      change(tx, lease, { ...finished, state: 'done', error: null, finishedAt: instant() }),
    park: (lease, error) => change(db, lease, { ...finished, state: 'parked', error, finishedAt: instant() }),
    postpone(lease, delayMs, error) {
      const runAt = instant(delayMs)
      return change(db, lease, { ...unfinished, state: 'waiting', error, runAt, dueAt: runAt })
    },
    release: (lease) =>
      change(db, lease, { ...unfinished, state: 'waiting', dueAt: instant(), attempts: lease.attempt - 1 }),

    async list({ state, limit, after }) {
      let query = selectViews(db)
      if (state !== undefined) query = query.where('state', '=', state)
      if (after !== undefined)
        query = query.where((eb) =>
          eb(eb.refTuple('createdAt', 'id'), '<', eb.tuple(after.createdAt, after.id)),
        )
      const rows = await query.orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(limit).execute()
      return rows.map(toView)
    },

    find: (id) => findView(db, id),

    async retry(id) {
      const now = instant()
      try {
        const { numUpdatedRows } = await db
          .updateTable('jobs')
          .set({ ...unfinished, state: 'waiting', runAt: now, dueAt: now, attempts: 0 })
          .where('id', '=', id)
          .where('state', '=', 'parked')
          .executeTakeFirst()
        return numUpdatedRows === 1n
      } catch (error) {
        if (!isUniqueViolation(error)) throw error
        throw conflict('The same job is already waiting or running.')
      }
    },

    drop: (id, check) =>
      inTransaction(db, async (tx) => {
        const job = check && (await findView(tx, id))
        if (job) check(job)
        const { numDeletedRows } = await tx
          .deleteFrom('jobs')
          .where('id', '=', id)
          .where('state', 'in', ['waiting', 'parked'])
          .executeTakeFirst()
        if (numDeletedRows === 0n) return false
        await removeProgress(tx, [id])
        return true
      }),

    prune: (before) =>
      inTransaction(db, async (tx) => {
        const removed = await tx
          .deleteFrom('jobs')
          .where('finishedAt', '<', before.toISOString())
          .where('state', '=', 'done')
          .returning('id')
          .execute()
        await removeProgress(
          tx,
          removed.map((row) => row.id),
        )
        return removed.length
      }),

    async forget(tx) {
      await tx.deleteFrom('jobs').where('state', '!=', 'running').execute()
      await tx.deleteFrom('job_progress').execute()
    },

    async *dump(view) {
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
    },

    async close() {},
  }
}
