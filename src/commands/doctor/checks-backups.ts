import { findLastProven } from '../../features/backups/repository.ts'
import { type Check, currentDatabase, ok, warn } from './checks-instance.ts'

const DAY_MS = 86_400_000

/** Reports the last backup that was proven restorable. */
export const backupsCheck: Check = {
  what: 'backups',
  async run(instance) {
    const { clock } = instance.context
    const database = currentDatabase(instance)
    if (!database) return []
    const schedule = await database.db
      .selectFrom('backup_schedule')
      .select(['enabled', 'frequency'])
      .executeTakeFirst()
    const last = await findLastProven(database.db)
    const detail = last === null ? 'none is proven restorable' : `last proven restorable at ${last}`
    if (!schedule || schedule.enabled === 0) return [ok(`${detail}; no schedule`)]
    const longest = (schedule.frequency === 'daily' ? 2 : 9) * DAY_MS
    return last === null || Date.parse(last) < clock.now().getTime() - longest
      ? [warn(detail, 'see Settings → Backups for the reason, and back up now')]
      : [ok(detail)]
  },
}
