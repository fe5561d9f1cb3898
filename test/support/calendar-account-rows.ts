import type { Db } from '../../src/database/db.ts'

/** Inserts calendar accounts with these texts, and published files, during a sync. */
export const fillCalendarAccounts = async (
  db: Db,
  userId: number,
  texts: readonly string[],
  at: string,
): Promise<void> => {
  for (const [n, text] of texts.entries()) {
    const accountId = `c${n}`
    const kind = n % 2 ? ('ics' as const) : ('caldav' as const)
    await db
      .insertInto('calendar_accounts')
      .values({
        id: accountId,
        userId,
        kind,
        name: text,
        url: `https://example.org/${n}`,
        username: n % 2 ? null : text,
        secret: n % 2 ? null : 'v1.sealed',
        signIn: n % 4 ? 'password' : 'google',
        mailAccountId: n % 4 ? null : 'm0',
        receivesNew: n === 0 ? 1 : 0,
        enabled: n % 2,
        version: 1,
        createdAt: at,
        updatedAt: at,
      })
      .execute()
    await db
      .insertInto('calendar_sync')
      .values({
        accountId,
        status: 'failing',
        error: text,
        lastSyncAt: at,
        done: n,
        total: n,
        etag: text,
        modified: text,
      })
      .execute()
    const calendar = { accountId, href: text, name: text, colour: null, writable: 1, followed: n % 2 }
    const { id } = await db
      .insertInto('remote_calendars')
      .values({ ...calendar, syncToken: text, schedules: n % 2 })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (calendar.followed === 1)
      await db
        .insertInto('calendars')
        .values({
          userId,
          name: text,
          color: '#3366cc',
          isDefault: 0,
          visible: 0,
          remoteCalendarId: id,
          version: 1,
          createdAt: at,
          updatedAt: at,
        })
        .execute()
    await db
      .insertInto('event_placements')
      .values({ accountId, calendarId: id, href: text, uid: text, etag: text, body: text })
      .execute()
    await db
      .insertInto('unreadable_objects')
      .values({
        accountId,
        calendarId: id,
        name: text,
        etag: text,
        reason: text,
        body: text,
        size: n,
        readerVersion: '0.1.0',
        failedAt: at,
      })
      .execute()
    await db
      .insertInto('event_pushes')
      .values({ accountId, uid: text, changes: n, notedAt: at, attempts: 1, tryAt: at, error: text })
      .execute()
  }
}
