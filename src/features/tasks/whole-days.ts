import type { Db } from '../../database/db.ts'
import type { Changes } from '../../platform/changes.ts'
import type { PreferenceRules } from '../accounts/profile/preferences.ts'
import { dueAfter, type PersonClock } from './due.ts'
import { listDueOnDay, listInOtherZones, lockTask, replaceTags, updateTask } from './repository.ts'
import { fieldsOf, rowOf, tagKeyOf, taskColumns } from './task.ts'

export type WholeDays = ReturnType<typeof createWholeDays>

/**
 * Keeps open tasks on their due day when the person's time zone changes. Closed tasks keep their instants
 * until they are reopened.
 */
export const createWholeDays = (deps: {
  changes: Changes
  preferences: Pick<PreferenceRules, 'ofInstance'>
}) => {
  const recalculate = async (tx: Db, ids: readonly number[], clock: PersonClock): Promise<void> => {
    // A fixed lock order prevents deadlocks.
    for (const id of ids.toSorted((a, b) => a - b)) {
      const before = await lockTask(tx, id)
      // On PostgreSQL, another transaction may have changed the task after it was listed.
      if (!before || before.dueZone === null) continue
      const fields = { ...fieldsOf(before), ...dueAfter({ kind: 'nothing' }, before, clock.timezone) }
      // Keep `updatedAt`: the person did not change the task.
      const row = rowOf(fields, before, before.updatedAt, clock)
      const isSame = (['dueAt', 'lateAt', 'dueZone', 'nextReminderAt'] as const).every(
        (name) => row[name] === before[name],
      )
      if (isSame) continue
      const task = await updateTask(tx, id, row)
      if (fields.tags.length > 0) await replaceTags(tx, task, fields.tags.map(tagKeyOf))
      if (task.dueAt !== before.dueAt)
        await deps.changes.record(tx, {
          type: 'task.updated',
          subject: String(id),
          data: taskColumns.fromRow(task),
        })
    }
  }

  return {
    /** Recalculates open tasks whose zone differs from the person's current zone. */
    async settle(tx: Db): Promise<void> {
      const clock = await deps.preferences.ofInstance()
      await recalculate(tx, await listInOtherZones(tx, clock.timezone), clock)
    },

    /** Recalculates all open tasks with a due day, because working hours may have changed. */
    recalculateAll: async (tx: Db, clock: PersonClock): Promise<void> =>
      recalculate(tx, await listDueOnDay(tx), clock),
  }
}
