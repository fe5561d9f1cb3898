import { type Kysely, sql } from 'kysely'
import { withIdentity } from '../columns.ts'
import type { Engine } from '../database.ts'
import { createWordIndex } from '../word-index.ts'

/** All filter combinations of task lists. */
const FILTERS = [[], ['status'], ['priority'], ['status', 'priority']]

/** Creates tasks with their search index, and the journal of actions. */
export const tasks = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  await withIdentity(engine, db.schema.createTable('tasks'))
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('notes', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('priority', 'text', (column) => column.notNull())
    .addColumn('dueAt', 'text')
    .addColumn('remindAt', 'text')
    .addColumn('estimateMinutes', 'integer')
    .addColumn('tags', 'text', (column) => column.notNull())
    .addColumn('recurrence', 'text')
    .addColumn('emailId', 'bigint')
    .addColumn('eventId', 'bigint')
    .addColumn('completedAt', 'text')
    .addColumn('closedAt', 'text')
    .addColumn('createdAt', 'text', (column) => column.notNull())
    .addColumn('updatedAt', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('place', 'bigint', (column) => column.notNull())
    .addColumn('duePlace', 'bigint')
    .addColumn('shown', 'text', (column) => column.notNull())
    .addColumn('words', 'text', (column) => column.notNull())
    .addColumn('nextReminderAt', 'text')
    .addColumn('remindedFor', 'text')
    .addColumn('dueWall', 'text')
    .addColumn('successorId', 'bigint')
    .execute()
  await createWordIndex(db, engine, 'tasks', 'task_words')

  await db.schema
    .createTable('task_tags')
    .addColumn('taskId', 'bigint', (column) => column.notNull().references('tasks.id').onDelete('cascade'))
    .addColumn('tag', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('priority', 'text', (column) => column.notNull())
    .addColumn('place', 'bigint', (column) => column.notNull())
    .addColumn('duePlace', 'bigint')
    .addPrimaryKeyConstraint('task_tags_pk', ['taskId', 'tag'])
    .execute()

  for (const { table, first, id } of [
    { table: 'tasks', first: [], id: 'id' },
    { table: 'task_tags', first: ['tag'], id: 'taskId' },
  ])
    for (const filter of FILTERS) {
      const index = [table, 'by', ...filter].join('_')
      await db.schema
        .createIndex(`${index}_place`)
        .on(table)
        .columns([...first, ...filter, 'place', id])
        .execute()
      await db.schema
        .createIndex(`${index}_due`)
        .on(table)
        .columns([...first, ...filter, 'duePlace', id])
        .where(sql.ref('duePlace'), 'is not', null)
        .execute()
    }
  for (const column of ['nextReminderAt', 'completedAt', 'emailId', 'eventId'])
    await db.schema
      .createIndex(`tasks_${column}`)
      .on('tasks')
      .column(column)
      .where(sql.ref(column), 'is not', null)
      .execute()

  await db.schema
    .createTable('task_blocks')
    .addColumn('eventId', 'bigint', (column) => column.primaryKey())
    .addColumn('taskId', 'bigint', (column) => column.notNull().references('tasks.id').onDelete('cascade'))
    .addColumn('actionId', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('task_blocks_task').on('task_blocks').column('taskId').execute()

  await db.schema
    .createTable('task_alarm')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('ringsAt', 'text')
    .execute()

  await withIdentity(engine, db.schema.createTable('actions'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('summary', 'text', (column) => column.notNull())
    .addColumn('payload', 'text', (column) => column.notNull())
    .addColumn('at', 'text', (column) => column.notNull())
    .addColumn('undoneAt', 'text')
    .execute()
  await db.schema.createIndex('actions_age').on('actions').column('at').execute()
}
