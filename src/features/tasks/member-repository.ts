import { type Selectable, sql } from 'kysely'
import { ALL_ACCOUNTS } from '../../database/all-accounts.ts'
import type { Db } from '../../database/db.ts'
import type { TaskReminderRow } from '../../database/tables/tasks.ts'
import type { ListRecord } from './list-repository.ts'
import type { TaskRecord } from './repository.ts'

/** Finds a task in a list of another account that is shared with the member. */
export const findSharedTask = (db: Db, memberId: number, id: number): Promise<TaskRecord | undefined> =>
  db
    .selectFrom('tasks')
    .innerJoin('shares', (join) =>
      join.onRef('shares.resourceId', '=', 'tasks.listId').onRef('shares.userId', '=', 'tasks.userId'),
    )
    .innerJoin('users', 'users.id', 'shares.userId')
    .selectAll('tasks')
    .where('tasks.id', '=', id)
    .where('shares.memberId', '=', memberId)
    .where('shares.kind', '=', 'taskList')
    .where('shares.status', '=', 'accepted')
    // A disabled account shares nothing.
    .where('users.disabledAt', 'is', null)
    .executeTakeFirst()

/** Lists the lists of other accounts that are shared with the member. */
export const listSharedLists = (db: Db, memberId: number): Promise<ListRecord[]> =>
  db
    .selectFrom('shares')
    .innerJoin('task_lists', (join) =>
      join.onRef('task_lists.id', '=', 'shares.resourceId').onRef('task_lists.userId', '=', 'shares.userId'),
    )
    .selectAll('task_lists')
    .where('shares.memberId', '=', memberId)
    .where('shares.kind', '=', 'taskList')
    .where('shares.status', '=', 'accepted')
    .execute()

/** Lists the accounts that accepted a list, by name. */
export const listMembersOf = async (
  db: Db,
  ownerId: number,
  listId: number,
): Promise<{ id: number; name: string; role: 'editor' | 'viewer' }[]> => {
  const rows = await db
    .selectFrom('shares')
    .innerJoin('users', 'users.id', 'shares.memberId')
    .select(['users.id', 'users.name', 'shares.role'])
    .where('shares.userId', '=', ownerId)
    .where('shares.kind', '=', 'taskList')
    .where('shares.resourceId', '=', listId)
    .where('shares.status', '=', 'accepted')
    .where('users.disabledAt', 'is', null)
    .orderBy('users.name')
    .orderBy('users.id')
    .execute()
  return rows.map(({ id, name, role }) => ({ id, name, role: role === 'editor' ? 'editor' : 'viewer' }))
}

export const findUserName = async (db: Db, id: number): Promise<string> =>
  (await db.selectFrom('users').select('name').where('id', '=', id).executeTakeFirstOrThrow()).name

export type ReminderRecord = Selectable<TaskReminderRow>

/** Returns the reminders of a member for the given tasks. */
export const listReminders = (
  db: Db,
  memberId: number,
  taskIds: readonly number[],
): Promise<ReminderRecord[]> =>
  taskIds.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('task_reminders')
        .selectAll()
        .where('userId', '=', memberId)
        .where('taskId', 'in', taskIds)
        .execute()

export const saveReminder = async (tx: Db, row: ReminderRecord): Promise<void> => {
  const { remindAt, nextReminderAt } = row
  await tx
    .insertInto('task_reminders')
    .values(row)
    .onConflict((existing) =>
      existing.columns(['userId', 'taskId']).doUpdateSet({ remindAt, nextReminderAt }),
    )
    .execute()
}

export const deleteReminder = async (tx: Db, memberId: number, taskId: number): Promise<void> => {
  await tx.deleteFrom('task_reminders').where('userId', '=', memberId).where('taskId', '=', taskId).execute()
}

/** Deletes the reminders that all members have of a task. */
export const deleteRemindersOfTask = async (tx: Db, taskId: number): Promise<void> => {
  await tx.deleteFrom('task_reminders').where('taskId', '=', taskId).modifyEnd(ALL_ACCOUNTS).execute()
}

/** Deletes the reminders of a task that belong to accounts that do not see its list. */
export const deleteLostReminders = async (tx: Db, taskId: number, listId: number): Promise<void> => {
  await tx
    .deleteFrom('task_reminders')
    .where('taskId', '=', taskId)
    .where(
      sql<boolean>`not exists (
        select 1 from shares
        where shares."memberId" = task_reminders."userId" and shares.kind = 'taskList'
          and shares."resourceId" = ${listId} and shares.status = 'accepted'
      )`,
    )
    .execute()
}

/** Deletes the reminders of a member for all tasks of a list. */
export const deleteRemindersOfMember = async (
  tx: Db,
  { ownerId, memberId, listId }: { ownerId: number; memberId: number; listId: number },
): Promise<void> => {
  await tx
    .deleteFrom('task_reminders')
    .where('userId', '=', memberId)
    .where('taskId', 'in', (db) =>
      db.selectFrom('tasks').select('id').where('userId', '=', ownerId).where('listId', '=', listId),
    )
    .execute()
}

/** Claims up to `limit` due reminders of all members. Concurrent callers never claim the same reminder. */
export const takeDueReminders = async (
  tx: Db,
  now: string,
  limit: number,
): Promise<Omit<ReminderRecord, 'nextReminderAt'>[]> => {
  const { rows } = await sql<Omit<ReminderRecord, 'nextReminderAt'>>`
    update task_reminders set "nextReminderAt" = null
    where ("userId", "taskId") in (
      select "userId", "taskId" from task_reminders
      where "nextReminderAt" <= ${now}
      order by "nextReminderAt"
      limit ${limit}
    ) and "nextReminderAt" <= ${now}
    returning "userId", "taskId", "remindAt" ${ALL_ACCOUNTS}`.execute(tx)
  return rows
}
