import type { Db } from '../../database/db.ts'
import type { TaskBlockRow } from '../../database/tables/tasks.ts'

export const insertBlock = async (tx: Db, row: TaskBlockRow): Promise<void> => {
  await tx.insertInto('task_blocks').values(row).execute()
}

export const listBlocks = (db: Db, taskIds: readonly number[]): Promise<TaskBlockRow[]> =>
  taskIds.length === 0
    ? Promise.resolve([])
    : db.selectFrom('task_blocks').selectAll().where('taskId', 'in', taskIds).execute()

/** The tasks that some events are time for, as they are shown. */
export const listTasksOfEvents = (
  db: Db,
  eventIds: readonly number[],
): Promise<{ eventId: number; id: number; shown: string }[]> =>
  eventIds.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('task_blocks')
        .innerJoin('tasks', 'tasks.id', 'task_blocks.taskId')
        .select(['task_blocks.eventId', 'tasks.id', 'tasks.shown'])
        .where('task_blocks.eventId', 'in', eventIds)
        .execute()

export const deleteBlocks = async (tx: Db, eventIds: readonly number[]): Promise<void> => {
  if (eventIds.length > 0) await tx.deleteFrom('task_blocks').where('eventId', 'in', eventIds).execute()
}
