import type { Db } from '../../database/db.ts'
import type { Changes } from '../../platform/changes.ts'
import type { PreferenceRules } from '../settings/profile/preferences.ts'
import type { PersonClock } from './due.ts'
import { dueAfter } from './due-wish.ts'
import { fieldsOf, tagKeyOf } from './fields.ts'
import { listOfDays, listOfOtherZones } from './late-store.ts'
import { viewOf } from './shown-task.ts'
import { lockTask, replaceTags, updateTask } from './store.ts'
import { rowOf } from './task-row.ts'

export type WholeDays = ReturnType<typeof createWholeDays>

/**
 * Open tasks that are due on a day stay on that day when the person's clock becomes another. What is closed keeps the
 * instants it was closed with, until somebody opens it again.
 */
export const createWholeDays = (deps: {
  changes: Changes
  preferences: Pick<PreferenceRules, 'ofInstance'>
}) => {
  const readAnew = async (tx: Db, ids: readonly number[], clock: PersonClock): Promise<void> => {
    // In one order, whoever does it: nobody then waits for one who waits for them.
    for (const id of ids.toSorted((a, b) => a - b)) {
      const before = await lockTask(tx, id)
      // On PostgreSQL others may have changed it since it was found.
      if (!before || before.dueZone === null) continue
      const fields = { ...fieldsOf(before), ...dueAfter({ kind: 'nothing' }, before, clock.timezone) }
      // Nobody has said anything else of it: it was not changed now.
      const row = rowOf(fields, before, before.updatedAt, clock)
      const isSame = (['dueAt', 'lateAt', 'dueZone', 'nextReminderAt'] as const).every(
        (name) => row[name] === before[name],
      )
      if (isSame) continue
      const task = await updateTask(tx, id, row)
      if (fields.tags.length > 0) await replaceTags(tx, task, fields.tags.map(tagKeyOf))
      if (task.shown !== before.shown)
        await deps.changes.record(tx, {
          type: 'task.updated',
          subject: String(id),
          data: { ...viewOf(task) },
        })
    }
  }

  return {
    /** Those that were read by the clocks of another zone than the person's, however that came. */
    async settle(tx: Db): Promise<void> {
      const clock = await deps.preferences.ofInstance()
      await readAnew(tx, await listOfOtherZones(tx, clock.timezone), clock)
    },

    /** All of them: the hour at which a day's work begins may be another. */
    settleAll: async (tx: Db, clock: PersonClock): Promise<void> => readAnew(tx, await listOfDays(tx), clock),
  }
}
