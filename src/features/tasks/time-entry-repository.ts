import { type Selectable, sql } from 'kysely'
import { ALL_ACCOUNTS } from '../../database/all-accounts.ts'
import type { Db } from '../../database/db.ts'
import { filterOnly } from '../../database/planner.ts'
import { countRows } from '../../database/rows.ts'
import type { TimeEntryRow } from '../../database/tables/tasks.ts'
import { versionedRows } from '../../platform/resources.ts'

export type TimeEntryRecord = Selectable<TimeEntryRow>

export const {
  insert: insertTimeEntry,
  update: updateTimeEntry,
  delete: deleteTimeEntry,
  lock: lockTimeEntry,
  getLocked: getLockedTimeEntry,
} = versionedRows('time_entries', 'time entry')

const ofTask = (db: Db, userId: number, taskId: number) =>
  db.selectFrom('time_entries').where(filterOnly('userId'), '=', userId).where('taskId', '=', taskId)

interface PageOfEntries {
  limit: number
  after: readonly [string, number] | undefined
}

/** Lists up to `limit` + 1 entries of a task, newest first. */
export const listTimeEntries = (
  db: Db,
  userId: number,
  taskId: number,
  { limit, after }: PageOfEntries,
): Promise<TimeEntryRecord[]> => {
  let query = ofTask(db, userId, taskId).selectAll()
  if (after)
    query = query.where(({ eb, refTuple, tuple }) => eb(refTuple('startedAt', 'id'), '<', tuple(...after)))
  return query
    .orderBy('startedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
}

/** Lists all entries of tasks. Their number is limited. */
export const listTimeEntriesOf = (
  db: Db,
  userId: number,
  taskIds: readonly number[],
): Promise<TimeEntryRecord[]> =>
  db
    .selectFrom('time_entries')
    .selectAll()
    .where(filterOnly('userId'), '=', userId)
    .where('taskId', 'in', taskIds)
    .orderBy('taskId')
    .orderBy('startedAt')
    .orderBy('id')
    .execute()

export const countTimeEntries = (db: Db, userId: number, taskId: number): Promise<number> =>
  countRows(ofTask(db, userId, taskId))

export const sumSeconds = async (db: Db, userId: number, taskId: number): Promise<number> => {
  const { seconds } = await ofTask(db, userId, taskId)
    .select((row) => row.fn.sum<number | string | null>('seconds').as('seconds'))
    .executeTakeFirstOrThrow()
  return Number(seconds)
}

export const listRunningTimers = (db: Db, userId: number, taskId: number): Promise<TimeEntryRecord[]> =>
  ofTask(db, userId, taskId).selectAll().where('endedAt', 'is', null).execute()

/** Finds the running timer of a person. Its task can belong to another account. */
export const findRunningTimer = (db: Db, personId: number): Promise<TimeEntryRecord | undefined> =>
  db
    .selectFrom('time_entries')
    .selectAll()
    .where('personId', '=', personId)
    .where('endedAt', 'is', null)
    .modifyEnd(ALL_ACCOUNTS)
    .executeTakeFirst()

/** Lists the running timers of people who do not see the list of the task any more. */
export const listLostTimers = (db: Db, userId: number, listId: number): Promise<TimeEntryRecord[]> =>
  db
    .selectFrom('time_entries')
    .innerJoin('tasks', 'tasks.id', 'time_entries.taskId')
    .selectAll('time_entries')
    .where('time_entries.userId', '=', userId)
    .where('time_entries.endedAt', 'is', null)
    .where('tasks.listId', '=', listId)
    .where('time_entries.personId', '<>', userId)
    .where(
      sql<boolean>`not exists (
        select 1 from shares
        where shares."memberId" = time_entries."personId" and shares.kind = 'taskList'
          and shares."resourceId" = tasks."listId" and shares.status = 'accepted'
      )`,
    )
    .execute()

export type OwnTimeEntryRecord = TimeEntryRecord & { taskTitle: string; ownerName: string }

/** Lists up to `limit` + 1 entries of a person, newest first, of the tasks that the person sees. */
export const listOwnTimeEntries = (
  db: Db,
  personId: number,
  { limit, after, running }: PageOfEntries & { running: boolean | undefined },
): Promise<OwnTimeEntryRecord[]> => {
  let query = db
    .selectFrom('time_entries')
    .innerJoin('tasks', 'tasks.id', 'time_entries.taskId')
    .innerJoin('users', 'users.id', 'time_entries.userId')
    .selectAll('time_entries')
    .select(['tasks.title as taskTitle', 'users.name as ownerName'])
    .where('time_entries.personId', '=', personId)
    .where(({ or, eb, and, exists, selectFrom }) =>
      or([
        eb(filterOnly('time_entries.userId'), '=', personId),
        and([
          eb('users.disabledAt', 'is', null),
          exists(
            selectFrom('shares')
              .select('shares.id')
              .whereRef('shares.userId', '=', 'tasks.userId')
              .whereRef('shares.resourceId', '=', 'tasks.listId')
              .where('shares.memberId', '=', personId)
              .where('shares.kind', '=', 'taskList')
              .where('shares.status', '=', 'accepted'),
          ),
        ]),
      ]),
    )
  if (running !== undefined) query = query.where('time_entries.endedAt', running ? 'is' : 'is not', null)
  if (after)
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('time_entries.startedAt', 'time_entries.id'), '<', tuple(...after)),
    )
  return query
    .orderBy('time_entries.startedAt', 'desc')
    .orderBy('time_entries.id', 'desc')
    .limit(limit + 1)
    .execute()
}
