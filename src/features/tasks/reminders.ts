import Type from 'typebox'
import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Platform } from '../../platform/platform.ts'
import { findSharedTask, takeDueReminders } from './member-repository.ts'
import { findNextReminder, lockAlarm, readAlarm, setAlarm, takeDue } from './repository.ts'
import { taskColumns, toMemberTask, toTaskChange } from './task.ts'
import type { WholeDays } from './whole-days.ts'

const JOB = 'task-reminders'
const BATCH = 200
/** The longest time that a transaction takes to commit. */
const MAX_CHANGE_MS = 60_000

export type TaskReminders = ReturnType<typeof createTaskReminders>

/**
 * Records `task.due` when a reminder is due. One job waits for the earliest reminder, and the alarm row
 * stores its time. Setting an earlier time locks that row, so that a running job cannot miss it.
 */
export const createTaskReminders = (
  deps: Pick<Platform, 'db' | 'clock' | 'changes' | 'jobs'> & {
    days: Pick<WholeDays, 'settle'>
  },
) => {
  const { db, clock, changes, jobs, days } = deps

  const scheduleAlarm = async (tx: Db, moment: string): Promise<void> => {
    await setAlarm(tx, moment)
    await jobs.enqueue(tx, JOB, { ringsAt: moment }, { runAt: new Date(moment) })
  }

  /** Records due reminders of members, and returns their number. */
  const sendToMembers = async (tx: Db, now: string): Promise<number> => {
    const due = await takeDueReminders(tx, now, BATCH)
    for (const { userId, taskId, remindAt } of due) {
      const task = await findSharedTask(tx, userId, taskId)
      if (!task) continue
      await changes.record(tx, {
        userId,
        type: 'task.due',
        subject: String(taskId),
        data: toMemberTask(taskColumns.fromRow(task), remindAt),
      })
    }
    return due.length
  }

  /** Processes one batch; returns whether it was the last. `awaited` is the time that this job waited for. */
  const sendBatch = (awaited: string | undefined): Promise<boolean> =>
    inTransaction(db, async (tx) => {
      // The zone can change without the settings, or while a task is being saved.
      await days.settle(tx)
      const now = clock.now().toISOString()
      const due = await takeDue(tx, now, BATCH)
      for (const task of due) await changes.record(tx, toTaskChange('task.due', task))
      const ofMembers = await sendToMembers(tx, now)
      if (due.length === BATCH || ofMembers === BATCH) return false
      const ringsAt = await lockAlarm(tx)
      const next = await findNextReminder(tx)
      if (next === null) await setAlarm(tx, null)
      // If the clock was set back, the job ran too early. Wait for the same time again.
      else if (next !== ringsAt || next === awaited) await scheduleAlarm(tx, next)
      return true
    })

  jobs.define({
    name: JOB,
    payload: Type.Object({ ringsAt: Type.Optional(Type.String()) }),
    // If the job for a reminder is lost, the reminder is at most five minutes late.
    schedule: '*/5 * * * *',
    async run({ ringsAt }) {
      while (!(await sendBatch(ringsAt)));
    },
  })

  return {
    /** Ensures that a job runs at `moment`. Call this in the transaction that sets the reminder. */
    async arm(tx: Db, moment: string | null): Promise<void> {
      if (moment === null) return
      // A job after this commit and before `moment` finds the reminder itself. Skip the lock in that case.
      const soon = new Date(clock.now().getTime() + MAX_CHANGE_MS).toISOString()
      const known = await readAlarm(tx)
      if (known !== null && known > soon && known <= moment) return
      const ringsAt = await lockAlarm(tx)
      if (ringsAt === null || moment < ringsAt) await scheduleAlarm(tx, moment)
    },
  }
}
