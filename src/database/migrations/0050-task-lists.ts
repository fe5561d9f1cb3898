import { type Kysely, sql } from 'kysely'
import { withIdentity } from '../columns.ts'
import type { Engine } from '../database.ts'
import { createWordIndex } from '../word-index.ts'

const INBOX_NAME = 'Inbox'
const INBOX_COLOR = '#3b82f6'

interface Index {
  name: string
  columns: string[]
  /** Rows without a value of this column are not in the index. */
  present?: string
}

const INDEXES: readonly Index[] = [
  { name: 'tasks_list_place', columns: ['userId', 'listId', 'place', 'id'] },
  { name: 'tasks_list_due', columns: ['userId', 'listId', 'duePlace', 'id'], present: 'duePlace' },
  { name: 'tasks_list_status_place', columns: ['userId', 'listId', 'status', 'place', 'id'] },
  {
    name: 'tasks_list_status_due',
    columns: ['userId', 'listId', 'status', 'duePlace', 'id'],
    present: 'duePlace',
  },
  { name: 'tasks_list_lateAt', columns: ['userId', 'listId', 'lateAt', 'id'], present: 'lateAt' },
  // The foreign key looks up the tasks of a deleted list without the account.
  { name: 'tasks_list', columns: ['listId', 'id'] },
]

const createIndex = async (db: Kysely<unknown>, { name, columns, present }: Index): Promise<void> => {
  const index = db.schema.createIndex(name).on('tasks').columns(columns)
  await (present === undefined ? index : index.where(sql.ref(present), 'is not', null)).execute()
}

const dropWordIndex = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  if (engine === 'postgres') {
    await sql`drop index task_words_index`.execute(db)
    return
  }
  for (const trigger of ['added', 'removed', 'changed'])
    await sql`drop trigger ${sql.ref(`task_words_${trigger}`)}`.execute(db)
  await sql`drop table task_words`.execute(db)
}

const rebuildWordIndex = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  await createWordIndex(db, engine, 'tasks', 'task_words')
  if (engine === 'postgres') return
  await sql`insert into task_words (task_words) values ('rebuild')`.execute(db)
  await sql`insert into task_words (task_words, rank) values ('secure-delete', 1)`.execute(db)
}

const createLists = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  await withIdentity(engine, db.schema.createTable('task_lists'))
    .addColumn('userId', 'bigint', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('color', 'text', (column) => column.notNull())
    .addColumn('isInbox', 'integer', (column) => column.notNull())
    .addColumn('visible', 'integer', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('createdAt', 'text', (column) => column.notNull())
    .addColumn('updatedAt', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('task_lists_user').on('task_lists').columns(['userId', 'id']).execute()
  await db.schema
    .createIndex('task_lists_inbox')
    .on('task_lists')
    .column('userId')
    .unique()
    .where(sql.ref('isInbox'), '=', sql.lit(1))
    .execute()
  await sql`insert into task_lists
      ("userId", name, color, "isInbox", visible, version, "createdAt", "updatedAt")
    select id, ${sql.lit(INBOX_NAME)}, ${sql.lit(INBOX_COLOR)}, 1, 1, 1, "createdAt", "createdAt"
    from users order by id`.execute(db)
}

/**
 * Every account has task lists. Existing tasks go to the Inbox of their account. The search words name the list, so that
 * a search can filter by it.
 */
export const taskLists = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  await createLists(db, engine)
  await dropWordIndex(db, engine)
  await sql`alter table tasks add column "listId" bigint references task_lists(id)`.execute(db)
  await sql`alter table tasks add column "changedBy" text`.execute(db)
  await sql`update tasks set "listId" =
    (select id from task_lists where task_lists."userId" = tasks."userId" and "isInbox" = 1)`.execute(db)
  await sql`update tasks set words = trim('#l' || "listId" || ' ' || words)`.execute(db)
  if (engine === 'postgres') await sql`alter table tasks alter column "listId" set not null`.execute(db)
  for (const index of INDEXES) await createIndex(db, index)
  await rebuildWordIndex(db, engine)
}
