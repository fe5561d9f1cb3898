import type { Database } from '../../database/database.ts'
import { isUniqueViolation } from '../../database/errors.ts'
import { afterCommit, inTransaction, isInTransaction } from '../../database/transaction.ts'
import type { Clock } from '../clock.ts'
import { conflict, invalidField } from '../errors.ts'
import { readCursor } from '../http/etag.ts'
import { isStorable } from '../http/responses.ts'
import type { Logger } from '../log.ts'
import type { Random } from '../random.ts'
import { createDefinitions, type Jobs, removeProgress } from './jobs.ts'
import type { Queue } from './queue.ts'
import { SqliteQueue } from './sqlite-jobs.ts'
import { createSchedule, createWorker } from './worker.ts'

interface JobsDeps {
  database: Database
  clock: Clock
  random: Random
  log: Logger
  /** Interval at which jobs of other processes are noticed. Jobs of this process are noticed at once. */
  pollMs?: number
  /** Maximum number of jobs that run at the same time. */
  concurrency?: number
}

const LONGEST_KEY = 500

const checkKey = (key: string): string => {
  if (key === '' || key.length > LONGEST_KEY || !isStorable(key))
    throw invalidField('key', `must be text of 1 to ${LONGEST_KEY} characters`)
  return key
}

const openQueue = async (deps: JobsDeps): Promise<Queue> => {
  if (deps.database.engine === 'sqlite') return new SqliteQueue(deps)
  // Loaded only when used: an instance with SQLite must not pay for pg-boss at startup.
  const { openPostgresQueue } = await import('./postgres-jobs.ts')
  return openPostgresQueue(deps)
}

export const openJobs = async (deps: JobsDeps): Promise<Jobs> => {
  const { database, clock } = deps
  const queue = await openQueue(deps)
  const definitions = createDefinitions()

  const enqueue: Jobs['enqueue'] = async (tx, name, payload, options = {}) => {
    const job = definitions.get(name)
    const id = await queue.insert(tx, {
      name,
      payload: job.encode(payload),
      runAt: options.runAt ?? null,
      key: options.key === undefined ? null : checkKey(options.key),
      leaseSeconds: job.leaseSeconds,
    })
    if (id !== null) {
      if (isInTransaction()) afterCommit(worker.wake)
      else worker.wake()
    }
    return id
  }

  const schedule = createSchedule({
    database,
    clock,
    enqueue: (tx, name) => enqueue(tx, name, {}, { key: 'schedule' }),
  })
  const worker = createWorker({ pollMs: 1000, concurrency: 4, ...deps, queue, schedule })

  return {
    define: definitions.add,
    enqueue,
    async start() {
      const jobs = definitions.close()
      await queue.prepare(jobs)
      await schedule.prepare(jobs)
      worker.start(jobs)
    },
    async drain(deadlineMs) {
      await worker.drain(deadlineMs)
      await queue.close()
    },
    async list({ after, ...filter }) {
      const place = readCursor(after, 'instant', 'text')
      return queue.list(place ? { ...filter, after: { createdAt: place[0], id: place[1] } } : filter)
    },
    find: (id) => queue.find(id),
    async retry(id) {
      try {
        const retried = await queue.retry(id)
        if (retried) worker.wake()
        return retried
      } catch (error) {
        if (!isUniqueViolation(error)) throw error
        throw conflict('The same job is already waiting or running.')
      }
    },
    drop: (id, check) =>
      inTransaction(database.db, async (tx) => {
        const job = check && (await queue.lock(tx, id))
        if (job) check(job)
        const isRemoved = await queue.remove(tx, id)
        if (isRemoved) await removeProgress(tx, [id])
        return isRemoved
      }),
    prune: (before) =>
      inTransaction(database.db, async (tx) => {
        const ids = await queue.prune(tx, before)
        await removeProgress(tx, ids)
        return ids.length
      }),
    async forget(tx) {
      await queue.forget(tx)
      await tx.deleteFrom('job_progress').execute()
    },
    dump: (view = database.db) => queue.dump(view),
  }
}
