import type { Db } from '../../database/db.ts'
import type { JobProgress } from './jobs.ts'

export const saveProgress = async (db: Db, jobId: string, progress: JobProgress, at: Date): Promise<void> => {
  const row = { ...progress, updatedAt: at.toISOString() }
  await db
    .insertInto('job_progress')
    .values({ jobId, ...row })
    .onConflict((conflict) => conflict.column('jobId').doUpdateSet(row))
    .execute()
}

export const removeProgress = async (db: Db, jobIds: readonly string[]): Promise<void> => {
  for (let start = 0; start < jobIds.length; start += 500)
    await db
      .deleteFrom('job_progress')
      .where('jobId', 'in', jobIds.slice(start, start + 500))
      .execute()
}

/** The columns of a left join, read as one thing. */
export const toProgress = (row: {
  done: number | null
  total: number | null
  note: string | null
}): JobProgress | null =>
  row.done === null ? null : { done: row.done, total: row.total, note: row.note ?? '' }
