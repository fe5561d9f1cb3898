import { type Check, ok, warn } from './finding.ts'

const countOf = (count: number, noun: string): string => `${count} ${Number(count) === 1 ? noun : `${noun}s`}`

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
    const objects = await database.db
      .selectFrom('unreadable_objects')
      .innerJoin('calendar_accounts', 'calendar_accounts.id', 'unreadable_objects.accountId')
      .select(({ fn }) => ['calendar_accounts.name', fn.countAll<number>().as('count')])
      .groupBy('calendar_accounts.name')
      .orderBy('calendar_accounts.name')
      .execute()
    const bookings = await database.db
      .selectFrom('unreadable_bookings')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    const unreadable = [
      ...objects.map(({ name, count }) => `${name}: ${countOf(count, 'event')} could not be read`),
      ...(Number(bookings.count) > 0 ? [`${countOf(bookings.count, 'booking')} could not be read`] : []),
    ]
    const broken = active.filter(({ status }) => status === 'failing')
    return [
      ...(broken.length === 0
        ? [ok(active.length === 0 ? 'no account is connected' : `${active.length} connected`)]
        : broken.map(({ name, error }) =>
            warn(`${name}: ${error ?? 'does not answer'}`, 'see to it in the settings of the account'),
          )),
      ...unreadable.map((detail) =>
        warn(detail, 'download them in the console; the next version of Factotum tries again'),
      ),
    ]
  },
}
