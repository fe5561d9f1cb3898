import type { Selectable } from 'kysely'
import { ALL_ACCOUNTS } from '../../../database/all-accounts.ts'
import type { Db } from '../../../database/db.ts'
import type { EventReminderRow } from '../../../database/tables/calendar.ts'
import type { Reminder } from '../event.ts'

/** Finds the calendar of another account's event that is shared with a member. */
export const findSharedCalendarId = async (
  db: Db,
  memberId: number,
  eventId: number,
): Promise<number | undefined> => {
  const row = await db
    .selectFrom('events')
    .innerJoin('shares', (join) =>
      join.onRef('shares.resourceId', '=', 'events.calendarId').onRef('shares.userId', '=', 'events.userId'),
    )
    .select('events.calendarId')
    .where('events.id', '=', eventId)
    .where('events.seriesId', 'is', null)
    .where('shares.memberId', '=', memberId)
    .where('shares.kind', '=', 'calendar')
    .where('shares.status', '=', 'accepted')
    .executeTakeFirst()
  return row?.calendarId
}

/** Returns the name that the changes of an account show. */
export const findPersonName = async (db: Db, userId: number): Promise<string> => {
  const { name, email } = await db
    .selectFrom('users')
    .select(['name', 'email'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return name.trim() || email
}

export type MemberReminders = Selectable<EventReminderRow>

/** Returns the reminders that a member has set for events of others. */
export const readMemberReminders = async (
  db: Db,
  userId: number,
  eventIds: readonly number[],
): Promise<Map<number, Reminder[]>> => {
  if (eventIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('event_reminders')
    .select(['eventId', 'reminders'])
    .where('userId', '=', userId)
    .where('eventId', 'in', [...new Set(eventIds)])
    .execute()
  return new Map(rows.map(({ eventId, reminders }) => [eventId, JSON.parse(reminders) as Reminder[]]))
}

export const saveMemberReminders = async (tx: Db, row: MemberReminders): Promise<void> => {
  const { reminders, nextReminderAt } = row
  await tx
    .insertInto('event_reminders')
    .values(row)
    .onConflict((existing) =>
      existing.columns(['eventId', 'userId']).doUpdateSet({ reminders, nextReminderAt }),
    )
    .execute()
}

export const deleteMemberReminders = async (tx: Db, userId: number, eventId: number): Promise<void> => {
  await tx.deleteFrom('event_reminders').where('userId', '=', userId).where('eventId', '=', eventId).execute()
}

/** Deletes the reminders of a former member for the events of a calendar. */
export const deleteRemindersOfCalendar = async (
  tx: Db,
  { ownerId, memberId, calendarId }: { ownerId: number; memberId: number; calendarId: number },
): Promise<void> => {
  await tx
    .deleteFrom('event_reminders')
    .where('userId', '=', memberId)
    .where('eventId', 'in', (query) =>
      query
        .selectFrom('events')
        .select('events.id')
        .where('events.userId', '=', ownerId)
        .where('events.calendarId', '=', calendarId),
    )
    .execute()
}

/** Locks the reminders of a member for one event. */
export const lockMemberReminders = (
  tx: Db,
  { userId, eventId }: Pick<MemberReminders, 'userId' | 'eventId'>,
): Promise<MemberReminders | undefined> =>
  tx
    .updateTable('event_reminders')
    .set((row) => ({ nextReminderAt: row.ref('nextReminderAt') }))
    .where('userId', '=', userId)
    .where('eventId', '=', eventId)
    .returningAll()
    .executeTakeFirst()

export const setNextReminder = async (
  tx: Db,
  { userId, eventId }: Pick<MemberReminders, 'userId' | 'eventId'>,
  nextReminderAt: string | null,
): Promise<void> => {
  await tx
    .updateTable('event_reminders')
    .set({ nextReminderAt })
    .where('userId', '=', userId)
    .where('eventId', '=', eventId)
    .execute()
}

/**
 * Makes the reminders of all members for a changed event due, so that the job calculates them again. A reminder that is
 * due already is kept. Returns whether there are any.
 */
export const renewMemberReminders = async (tx: Db, eventId: number, now: string): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('event_reminders')
    .set({ nextReminderAt: now })
    .where('eventId', '=', eventId)
    .where(({ or, eb }) => or([eb('nextReminderAt', 'is', null), eb('nextReminderAt', '>', now)]))
    .modifyEnd(ALL_ACCOUNTS)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Finds the oldest due reminder of all members. */
export const findDueMember = (
  db: Db,
  now: string,
): Promise<Pick<MemberReminders, 'userId' | 'eventId'> | undefined> =>
  db
    .selectFrom('event_reminders')
    .select(['userId', 'eventId'])
    .where('nextReminderAt', '<=', now)
    .orderBy('nextReminderAt')
    .limit(1)
    .modifyEnd(ALL_ACCOUNTS)
    .executeTakeFirst()
