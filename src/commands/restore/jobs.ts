import { sql } from 'kysely'
import type { Engine } from '../../database/database.ts'
import type { Db } from '../../database/db.ts'
import { AppError } from '../../platform/errors.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Contents } from './contents.ts'

/** Forgets every job. Those of the embedded database went with its tables. */
export const forgetJobs = async (tx: Db, engine: Engine): Promise<void> => {
  if (engine === 'postgres') await sql`delete from pgboss.job`.execute(tx)
}

/**
 * Enqueues what was unfinished; what was parked is tried once more. A job that this version no longer has, or whose
 * payload it no longer takes, is left out and said so.
 */
export const bringBackJobs = async (
  tx: Db,
  jobs: Jobs,
  contents: Contents,
  note: (text: string) => void,
): Promise<void> => {
  let count = 0
  let parked = 0
  // Of two with the same key one is parked, the other waits: that one first, for it is the one to keep.
  for (const isTurnOfParked of [false, true])
    for await (const job of contents.jobs()) {
      if ((job.state === 'parked') !== isTurnOfParked) continue
      const options = { runAt: new Date(job.runAt), ...(job.key !== null && { key: job.key }) }
      try {
        if ((await jobs.enqueue(tx, job.name, job.payload, options)) === null) continue
        count++
        if (isTurnOfParked) parked++
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        note(`left out: a job ${job.name}. ${error.message}`)
      }
    }
  note(
    `${'jobs'.padEnd(18)}${count}${parked > 0 ? `, of which ${parked} had failed and will be tried again` : ''}`,
  )
}
