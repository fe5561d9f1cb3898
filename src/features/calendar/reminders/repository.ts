import type { Db } from '../../../database/db.ts'

/** Finds the event with the oldest due reminder. */
export const findDue = async (db: Db, now: string): Promise<number | undefined> => {
  const row = await db
    .selectFrom('events')
    .select('id')
    .where('nextReminderAt', '<=', now)
    .orderBy('nextReminderAt')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

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
