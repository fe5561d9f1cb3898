import { type Kysely, sql } from 'kysely'
import { withIdentity } from '../columns.ts'
import type { Engine } from '../database.ts'

/** Comments on tasks. They belong to the owner of the list, and stay when the account of their author is deleted. */
export const taskComments = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  await withIdentity(engine, db.schema.createTable('task_comments'))
    .addColumn('userId', 'bigint', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('taskId', 'bigint', (column) => column.notNull().references('tasks.id').onDelete('cascade'))
    .addColumn('authorId', 'bigint', (column) => column.references('users.id').onDelete('set null'))
    .addColumn('memberName', 'text')
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('createdAt', 'text', (column) => column.notNull())
    .addColumn('updatedAt', 'text', (column) => column.notNull())
    .execute()
  await sql`create index task_comments_task on task_comments ("taskId", id)`.execute(db)
  await sql`create index task_comments_user on task_comments ("userId", id)`.execute(db)
  await sql`create index task_comments_author on task_comments ("authorId")
    where "authorId" is not null`.execute(db)
}
