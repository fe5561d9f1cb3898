import { type Check, ok, warn } from './finding.ts'

/** The accounts as they were last seen by the service; no calendar server is called. */
export const calendarCheck: Check = {
  what: 'calendars',
  async run({ database, migration }) {
    if (!database || !migration || migration.at === null) return []
    if (migration.pending.length + migration.unknown.length > 0) return []
    const active = await database.db
      .selectFrom('calendar_accounts')
      .innerJoin('calendar_sync', 'calendar_sync.accountId', 'calendar_accounts.id')
      .select(['name', 'status', 'error'])
      .where('enabled', '=', 1)
      .orderBy('name')
      .execute()
    const broken = active.filter(({ status }) => status === 'failing')
    return broken.length === 0
      ? [ok(active.length === 0 ? 'no account is connected' : `${active.length} connected`)]
      : broken.map(({ name, error }) =>
          warn(`${name}: ${error ?? 'does not answer'}`, 'see to it in the settings of the account'),
        )
  },
}
