import type { Db } from '../../database/db.ts'
import type { TaskBlockRow } from '../../database/tables/tasks.ts'

export const insertBlock = async (tx: Db, row: TaskBlockRow): Promise<void> => {
  await tx.insertInto('task_blocks').values(row).execute()
}

export const listBlocks = (db: Db, taskIds: readonly number[]): Promise<TaskBlockRow[]> =>
  taskIds.length === 0
    ? Promise.resolve([])
    : db.selectFrom('task_blocks').selectAll().where('taskId', 'in', taskIds).execute()

export const deleteBlocks = async (tx: Db, eventIds: readonly number[]): Promise<void> => {
  if (eventIds.length > 0) await tx.deleteFrom('task_blocks').where('eventId', 'in', eventIds).execute()
}
