import type { Database } from '../../database/database.ts'
import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Clock } from '../clock.ts'
import type { KnownJob, NextTick } from './jobs.ts'

/** A later position was written by a wrong clock, not by an instance whose clock is slightly fast. */
const MAX_CLOCK_LEAD_MS = 3_600_000

interface Scheduled {
  readonly name: string
  readonly nextTick: NextTick
  tickedAt: number
  nextAt: number
}

const mark = (schedule: Scheduled, tickedAt: number): void => {
  schedule.tickedAt = tickedAt
  schedule.nextAt = schedule.nextTick(tickedAt)
}

const needsLook = ({ tickedAt, nextAt }: Scheduled, now: number): boolean =>
  nextAt <= now || tickedAt > now + MAX_CLOCK_LEAD_MS

/**
 * Turns ticks into jobs. All instances share one row per schedule with its position. The instance that
 * advances the row enqueues the job in the same transaction, so each tick counts once. Ticks missed while
 * nothing ran count as one.
 */
export const createSchedule = ({
  database,
  clock,
  enqueue,
}: {
  database: Database
  clock: Clock
  enqueue(tx: Db, name: string): Promise<unknown>
}) => {
  let scheduled: Scheduled[] = []

  const readMark = async (db: Db, name: string): Promise<string> =>
    (
      await db
        .selectFrom('job_schedules')
        .select('tickedAt')
        .where('name', '=', name)
        .executeTakeFirstOrThrow()
    ).tickedAt

  const look = (schedule: Scheduled): Promise<void> =>
    inTransaction(database.db, async (tx) => {
      const seen = await readMark(tx, schedule.name)
      const now = clock.now()
      mark(schedule, Date.parse(seen))
      if (!needsLook(schedule, now.getTime())) return
      const { numUpdatedRows } = await tx
        .updateTable('job_schedules')
        .set({ tickedAt: now.toISOString() })
        .where('name', '=', schedule.name)
        .where('tickedAt', '=', seen)
        .executeTakeFirst()
      if (numUpdatedRows === 1n && schedule.tickedAt <= now.getTime()) await enqueue(tx, schedule.name)
      mark(schedule, now.getTime())
    })

  return {
    /** A schedule that is new starts now and has no missed ticks. */
    async prepare(jobs: readonly KnownJob[]): Promise<void> {
      const tickedAt = clock.now().toISOString()
      const prepared = jobs.flatMap(({ name, schedule }): Scheduled[] =>
        schedule === null ? [] : [{ name, nextTick: schedule, tickedAt: 0, nextAt: 0 }],
      )
      if (prepared.length > 0)
        await database.db
          .insertInto('job_schedules')
          .values(prepared.map(({ name }) => ({ name, tickedAt })))
          .onConflict((conflict) => conflict.column('name').doNothing())
          .execute()
      const rows = await database.db.selectFrom('job_schedules').select(['name', 'tickedAt']).execute()
      const marks = new Map(rows.map((row) => [row.name, row.tickedAt]))
      for (const schedule of prepared) mark(schedule, Date.parse(marks.get(schedule.name) ?? tickedAt))
      scheduled = prepared
    },
    /** Enqueues the jobs of due ticks. Returns the time until the next tick. */
    async tick(): Promise<number> {
      for (const schedule of scheduled) if (needsLook(schedule, clock.now().getTime())) await look(schedule)
      const now = clock.now().getTime()
      return Math.min(...scheduled.map(({ nextAt }) => nextAt - now))
    },
  }
}
export type Schedule = ReturnType<typeof createSchedule>
