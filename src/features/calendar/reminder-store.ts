import type { Db } from '../../database/db.ts'

/** The events that someone is to be reminded of by now, the longest overdue first. */
export const listDue = (db: Db, now: string, limit: number): Promise<{ id: number }[]> =>
  db
    .selectFrom('events')
    .select('id')
    .where('nextReminderAt', '<=', now)
    .orderBy('nextReminderAt')
    .limit(limit)
    .execute()

export const findNextReminder = async (db: Db): Promise<string | undefined> => {
  const row = await db
    .selectFrom('events')
    .select('nextReminderAt')
    .where('nextReminderAt', 'is not', null)
    .orderBy('nextReminderAt')
    .limit(1)
    .executeTakeFirst()
  return row?.nextReminderAt ?? undefined
}
