import type { Database } from '../../database/database.ts'
import { afterCommit, isInTransaction } from '../../database/transaction.ts'
import type { Clock } from '../clock.ts'
import { invalidField } from '../errors.ts'
import { readCursor } from '../http/cursor.ts'
import { isKeepable } from '../http/text.ts'
import type { Logger } from '../log.ts'
import type { Random } from '../random.ts'
import { createDefinitions } from './definitions.ts'
import type { Jobs } from './jobs.ts'
import type { Queue } from './queue.ts'
import { createSchedule } from './schedule.ts'
import { createSqliteQueue } from './sqlite-jobs.ts'
import { createWorker } from './worker.ts'

const LONGEST_KEY = 500

interface JobsDeps {
  database: Database
  clock: Clock
  random: Random
  log: Logger
  /** How soon another process's job is seen; jobs of this process are seen at once. */
  pollMs?: number
  /** How many jobs run at the same time. */
  concurrency?: number
}

const openQueue = async (deps: JobsDeps): Promise<Queue> => {
  if (deps.database.engine === 'sqlite') return createSqliteQueue(deps)
  // Loaded only when used: the embedded database should not pay for it at start.
  const { openPostgresQueue } = await import('./postgres-jobs.ts')
  return openPostgresQueue(deps)
}

const checkKey = (key: string): string => {
  if (key === '' || key.length > LONGEST_KEY || !isKeepable(key))
    throw invalidField('key', `must be text of 1 to ${LONGEST_KEY} characters`)
  return key
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
    find: queue.find,
    async retry(id) {
      const retried = await queue.retry(id)
      if (retried) worker.wake()
      return retried
    },
    drop: queue.drop,
    prune: queue.prune,
    forget: queue.forget,
    dump: (view = database.db) => queue.dump(view),
  }
}
