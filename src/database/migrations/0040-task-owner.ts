import { type Kysely, sql } from 'kysely'
import type { Engine } from '../database.ts'
import { createWordIndex } from '../word-index.ts'

const TABLES = ['tasks', 'task_tags', 'task_blocks'] as const

/** All filter combinations of task lists. */
const FILTERS = [[], ['status'], ['priority'], ['status', 'priority']]

interface Index {
  name: string
  table: string
  columns: string[]
  /** Rows without a value of this column are not in the index. */
  present?: string
}

const LISTS = [
  { table: 'tasks', first: [], id: 'id' },
  { table: 'task_tags', first: ['tag'], id: 'taskId' },
].flatMap(({ table, first, id }) =>
  FILTERS.flatMap((filter): Index[] => {
    const name = [table, 'by', ...filter].join('_')
    const columns = ['userId', ...first, ...filter]
    return [
      { name: `${name}_place`, table, columns: [...columns, 'place', id] },
      { name: `${name}_due`, table, columns: [...columns, 'duePlace', id], present: 'duePlace' },
    ]
  }),
)

/** Indexes that get the account as their first column. Reminders are claimed for all accounts together. */
const REPLACED: readonly Index[] = [
  ...LISTS,
  {
    name: 'tasks_completedAt',
    table: 'tasks',
    columns: ['userId', 'completedAt'],
    present: 'completedAt',
  },
  { name: 'tasks_lateAt', table: 'tasks', columns: ['userId', 'lateAt', 'id'], present: 'lateAt' },
  {
    name: 'tasks_priority_lateAt',
    table: 'tasks',
    columns: ['userId', 'priority', 'lateAt', 'id'],
    present: 'lateAt',
  },
  { name: 'tasks_dueZone', table: 'tasks', columns: ['userId', 'dueZone', 'id'], present: 'dueZone' },
  { name: 'tasks_created', table: 'tasks', columns: ['userId', 'createdAt'] },
]

const ADDED: readonly Index[] = [
  { name: 'tasks_user', table: 'tasks', columns: ['userId', 'id'] },
  { name: 'task_blocks_user', table: 'task_blocks', columns: ['userId', 'taskId'] },
]

const createIndex = async (db: Kysely<unknown>, { name, table, columns, present }: Index): Promise<void> => {
  const index = db.schema.createIndex(name).on(table).columns(columns)
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

/**
 * Every account has its own tasks. Existing tasks go to the owner or the local account. The search words name the
 * account, so that a search reads only the entries of one account.
 */
export const taskOwner = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  await dropWordIndex(db, engine)
  for (const { name } of REPLACED) await db.schema.dropIndex(name).execute()
  for (const table of TABLES) {
    const name = sql.table(table)
    await sql`alter table ${name} add column "userId" bigint references users(id) on delete cascade`.execute(
      db,
    )
    await sql`update ${name} set "userId" = (select id from users where role in ('owner', 'local'))`.execute(
      db,
    )
    if (engine === 'postgres') await sql`alter table ${name} alter column "userId" set not null`.execute(db)
  }
  await sql`update tasks set words = trim('#u' || "userId" || ' ' || words)`.execute(db)
  for (const index of [...REPLACED, ...ADDED]) await createIndex(db, index)
  await rebuildWordIndex(db, engine)
}
