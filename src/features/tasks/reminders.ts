import Type from 'typebox'
import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Changes } from '../../platform/changes.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { viewOf } from './shown-task.ts'
import { findNextReminder, lockAlarm, readAlarm, setAlarm, takeDue } from './store.ts'
import type { WholeDays } from './whole-days.ts'

const JOB = 'task-reminders'
const BATCH = 200
/** No change takes longer to be committed. */
const LONGEST_CHANGE_MS = 60_000

export type TaskReminders = ReturnType<typeof createTaskReminders>

/**
 * Records `task.due` when its moment has come. There is one job for the earliest moment, and the alarm's row says
 * for which: who arms an earlier one holds the row, so that the job which sweeps cannot pass it by.
 */
export const createTaskReminders = (deps: {
  db: Db
  clock: Clock
  changes: Changes
  jobs: Jobs
  days: Pick<WholeDays, 'settle'>
}) => {
  const { db, clock, changes, jobs, days } = deps

  const ringAt = async (tx: Db, moment: string): Promise<void> => {
    await setAlarm(tx, moment)
    await jobs.enqueue(tx, JOB, { ringsAt: moment }, { runAt: new Date(moment) })
  }

  /** One batch, and whether it was the last. `rung` is the moment whose job this is. */
  const sweep = (rung: string | undefined): Promise<boolean> =>
    inTransaction(db, async (tx) => {
      // A zone that came to count by another way than the settings', or while a task was being saved.
      await days.settle(tx)
      const due = await takeDue(tx, clock.now().toISOString(), BATCH)
      for (const task of due) {
        await changes.record(tx, { type: 'task.due', subject: String(task.id), data: { ...viewOf(task) } })
      }
      if (due.length === BATCH) return false
      const ringsAt = await lockAlarm(tx)
      const next = await findNextReminder(tx)
      if (next === null) await setAlarm(tx, null)
      // A clock that was set back wakes the job too early: the same moment is then waited for again.
      else if (next !== ringsAt || next === rung) await ringAt(tx, next)
      return true
    })

  jobs.define({
    name: JOB,
    payload: Type.Object({ ringsAt: Type.Optional(Type.String()) }),
    // Whatever becomes of a job, nothing is told later than this.
    schedule: '*/5 * * * *',
    async run({ ringsAt }) {
      while (!(await sweep(ringsAt)));
    },
  })

  return {
    /** Sees to it that a task is told of at `moment`; part of the change that says so. */
    async arm(tx: Db, moment: string | null): Promise<void> {
      if (moment === null) return
      // A job that runs before then, but not before this is committed, will see to it: nobody need wait for anybody.
      const soon = new Date(clock.now().getTime() + LONGEST_CHANGE_MS).toISOString()
      const known = await readAlarm(tx)
      if (known !== null && known > soon && known <= moment) return
      const ringsAt = await lockAlarm(tx)
      if (ringsAt === null || moment < ringsAt) await ringAt(tx, moment)
    },
  }
}
