import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '../../database/db.ts'
import { prepare } from '../../database/prepared.ts'
import type { TaskListRow } from '../../database/tables/tasks.ts'
import { versionedRows } from '../../platform/resources.ts'
import type { TaskRecord } from './repository.ts'

export type ListRecord = Selectable<TaskListRow>

/** Every new task needs it, so the query is prepared. */
const selectInbox = prepare<{ userId: number }, { id: number }>((db, values) =>
  db
    .selectFrom('task_lists')
    .select('id')
    .where('userId', '=', values.userId)
    .where('isInbox', '=', sql.lit(1)),
)

export const findInboxId = async (db: Db, userId: number): Promise<number | undefined> =>
  (await selectInbox(db, { userId }))[0]?.id

/** Inserts the Inbox, unless a concurrent transaction has done so. */
export const insertInbox = async (tx: Db, row: Insertable<TaskListRow> & { isInbox: 1 }): Promise<void> => {
  await tx
    .insertInto('task_lists')
    .values(row)
    .onConflict((existing) => existing.column('userId').where('isInbox', '=', sql.lit(1)).doNothing())
    .execute()
}

export const {
  insert: insertList,
  find: findList,
  lock: lockList,
  update: updateList,
  delete: deleteList,
} = versionedRows('task_lists', 'task list')

/** Lists all lists of an account by id. Their number is limited. */
export const listLists = (db: Db, userId: number): Promise<ListRecord[]> =>
  db.selectFrom('task_lists').selectAll().where('userId', '=', userId).orderBy('id').execute()

/** Returns the ids of up to `limit` tasks of a list. */
export const listTaskIds = async (
  tx: Db,
  userId: number,
  listId: number,
  limit: number,
): Promise<number[]> => {
  const rows = await tx
    .selectFrom('tasks')
    .select('id')
    .where('userId', '=', userId)
    .where('listId', '=', listId)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Moves tasks to another list of the account, where they have no section. `marks` are the search marks of both lists. */
export const moveTasks = (
  tx: Db,
  userId: number,
  ids: readonly number[],
  to: { listId: number; updatedAt: string; marks: { before: string; after: string } },
): Promise<TaskRecord[]> =>
  tx
    .updateTable('tasks')
    .set((row) => ({
      listId: to.listId,
      sectionId: null,
      // Marks contain characters that words cannot contain, so this replaces nothing else.
      words: sql<string>`trim(replace(words || ' ', ${`${to.marks.before} `}, ${`${to.marks.after} `}))`,
      changedBy: null,
      updatedAt: to.updatedAt,
      version: row('version', '+', 1),
    }))
    .where('userId', '=', userId)
    .where('id', 'in', ids)
    .returningAll()
    .execute()
