import { type Check, ok, warn } from './checks-instance.ts'

const DAY_MS = 86_400_000

/** Reports the last backup that was proven restorable. */
export const backupsCheck: Check = {
  what: 'backups',
  async run({ context: { clock }, database, migration }) {
    if (!database || !migration || migration.at === null) return []
    if (migration.pending.length + migration.unknown.length > 0) return []
    const schedule = await database.db
      .selectFrom('backup_schedule')
      .select(['enabled', 'frequency'])
      .executeTakeFirst()
    const proven = await database.db
      .selectFrom('backups')
      .select('provenAt')
      .where('provenAt', 'is not', null)
      .orderBy('provenAt', 'desc')
      .limit(1)
      .executeTakeFirst()
    const last = proven?.provenAt ?? null
    const detail = last === null ? 'none is proven restorable' : `last proven restorable at ${last}`
    if (!schedule || schedule.enabled === 0) return [ok(`${detail}; no schedule`)]
    const longest = (schedule.frequency === 'daily' ? 2 : 9) * DAY_MS
    return last === null || Date.parse(last) < clock.now().getTime() - longest
      ? [warn(detail, 'see Settings → Backups for the reason, and back up now')]
      : [ok(detail)]
  },
}
