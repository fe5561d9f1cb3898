import type { Db } from '../../database/db.ts'
import { getLocalUserId } from '../../database/local-account.ts'
import type { Platform } from '../../platform/platform.ts'
import type { PreferenceRules } from '../accounts/profile/preferences.ts'
import { dueAfter, type PersonClock, startAfter } from './due.ts'
import { listAccountsInOtherZones, listDueOnDay, lockTask, replaceTags, updateTask } from './repository.ts'
import { fieldsOf, rowOf, tagKeyOf, toTaskChange } from './task.ts'

export type WholeDays = ReturnType<typeof createWholeDays>

/**
 * Keeps open tasks on their due day when the time zone of their account changes. Closed tasks keep their instants
 * until they are reopened.
 */
export const createWholeDays = (
  deps: Pick<Platform, 'changes'> & { preferences: Pick<PreferenceRules, 'get'> },
) => {
  /** Recalculates all open tasks of an account that have a due day. */
  const recalculate = async (tx: Db, userId: number, clock: PersonClock): Promise<void> => {
    const ids = await listDueOnDay(tx, userId)
    // A fixed lock order prevents deadlocks.
    for (const id of ids.toSorted((a, b) => a - b)) {
      const before = await lockTask(tx, userId, id)
      // On PostgreSQL, another transaction may have changed the task after it was listed.
      if (!before || before.dueZone === null) continue
      const fields = {
        ...fieldsOf(before),
        ...dueAfter({ kind: 'nothing' }, before, clock.timezone),
        ...startAfter({ kind: 'nothing' }, before, clock.timezone),
      }
      // Keep `updatedAt`: the person did not change the task.
      const row = rowOf(userId, fields, before, before.updatedAt, clock)
      const isSame = (['dueAt', 'startAt', 'lateAt', 'dueZone', 'nextReminderAt'] as const).every(
        (name) => row[name] === before[name],
      )
      if (isSame) continue
      const task = await updateTask(tx, before, row)
      if (fields.tags.length > 0) await replaceTags(tx, task, fields.tags.map(tagKeyOf))
      if (task.dueAt !== before.dueAt || task.startAt !== before.startAt)
        await deps.changes.record(tx, toTaskChange('task.updated', task))
    }
  }

  return {
    /** Recalculates open tasks of all accounts whose zone differs from the current zone of their account. */
    async settle(tx: Db): Promise<void> {
      // The zone of the local account is that of the instance, which is not stored.
      const localUserId = await getLocalUserId(tx)
      const { timezone } = await deps.preferences.get(localUserId)
      for (const userId of await listAccountsInOtherZones(tx, { userId: localUserId, timezone }))
        await recalculate(tx, userId, await deps.preferences.get(userId))
    },

    /** Call this when the time zone or the working hours of the account change. */
    recalculate,
  }
}
