import type { Selectable } from 'kysely'
import type { Db } from '../../database/db.ts'
import { filterOnly } from '../../database/planner.ts'
import { countRows } from '../../database/rows.ts'
import type { TaskCommentRow } from '../../database/tables/tasks.ts'
import { versionedRows } from '../../platform/resources.ts'

export type CommentRecord = Selectable<TaskCommentRow>

export const {
  insert: insertComment,
  update: updateComment,
  delete: deleteComment,
  getLocked: getLockedComment,
} = versionedRows('task_comments', 'comment')

/** Selects the comments of a task, which has a limited number. */
export const selectComments = (db: Db, userId: number, taskId: number) =>
  db
    .selectFrom('task_comments')
    .selectAll()
    .where(filterOnly('userId'), '=', userId)
    .where('taskId', '=', taskId)

/** Lists all comments on tasks. Their number is limited. */
export const listComments = (db: Db, userId: number, taskIds: readonly number[]): Promise<CommentRecord[]> =>
  db
    .selectFrom('task_comments')
    .selectAll()
    .where(filterOnly('userId'), '=', userId)
    .where('taskId', 'in', taskIds)
    .orderBy('taskId')
    .orderBy('id')
    .execute()

export const countComments = (db: Db, userId: number, taskId: number): Promise<number> =>
  countRows(
    db.selectFrom('task_comments').where(filterOnly('userId'), '=', userId).where('taskId', '=', taskId),
  )

/** Lists the author of each comment, so that the same one can appear several times. */
export const listAuthorIds = async (db: Db, userId: number, taskId: number): Promise<number[]> => {
  const rows = await db
    .selectFrom('task_comments')
    .select('authorId')
    .where(filterOnly('userId'), '=', userId)
    .where('taskId', '=', taskId)
    .execute()
  return rows.flatMap(({ authorId }) => authorId ?? [])
}
