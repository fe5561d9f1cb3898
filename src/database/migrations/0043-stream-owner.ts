import { type Kysely, sql } from 'kysely'
import type { Engine } from '../database.ts'

const OWNER = sql`(select id from users where role in ('owner', 'local'))`

/** A column that is part of a primary key cannot be added to a table, so the table is created again. */
const recreateTable = async (
  db: Kysely<unknown>,
  table: string,
  columns: readonly string[],
  create: () => Promise<void>,
): Promise<void> => {
  const [from, copy] = [sql.table(table), sql.table(`${table}_copy`)]
  const names = sql.join(columns.map((column) => sql.ref(column)))
  await sql`create table ${copy} as select ${names} from ${from}`.execute(db)
  await db.schema.dropTable(table).execute()
  await create()
  await sql`insert into ${from} ("userId", ${names}) select ${OWNER}, ${names} from ${copy}`.execute(db)
  await sql`drop table ${copy}`.execute(db)
}

const STATE = [
  'title',
  'scene',
  'viewers',
  'held',
  'clearedThrough',
  'revision',
  'version',
  'updatedAt',
] as const

const createState = (db: Kysely<unknown>): Promise<void> =>
  db.schema
    .createTable('stream_state')
    .addColumn('userId', 'bigint', (column) => column.primaryKey().references('users.id').onDelete('cascade'))
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('scene', 'text', (column) => column.notNull())
    .addColumn('viewers', 'bigint', (column) => column.notNull())
    .addColumn('held', 'integer', (column) => column.notNull())
    .addColumn('clearedThrough', 'bigint', (column) => column.notNull())
    .addColumn('revision', 'bigint', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('updatedAt', 'text', (column) => column.notNull())
    .execute()

const CREDENTIALS = [
  'platform',
  'serverUrl',
  'fields',
  'hint',
  'secret',
  'version',
  'createdAt',
  'updatedAt',
] as const

const createCredentials = (db: Kysely<unknown>): Promise<void> =>
  db.schema
    .createTable('stream_credentials')
    .addColumn('userId', 'bigint', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('platform', 'text', (column) => column.notNull())
    .addColumn('serverUrl', 'text')
    .addColumn('fields', 'text', (column) => column.notNull())
    .addColumn('hint', 'text', (column) => column.notNull())
    .addColumn('secret', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('createdAt', 'text', (column) => column.notNull())
    .addColumn('updatedAt', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('stream_credentials_pk', ['userId', 'platform'])
    .execute()

/**
 * Every account has its own stream, with its own state, captions, milestones and credentials. Existing rows go to the
 * owner or the local account. Caption tracks are read by the id of their stream.
 */
export const streamOwner = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  await recreateTable(db, 'stream_state', STATE, () => createState(db))
  await recreateTable(db, 'stream_credentials', CREDENTIALS, () => createCredentials(db))
  for (const table of ['streams', 'captions', 'milestones']) {
    const name = sql.table(table)
    await sql`alter table ${name} add column "userId" bigint references users(id) on delete cascade`.execute(
      db,
    )
    await sql`update ${name} set "userId" = ${OWNER}`.execute(db)
    if (engine === 'postgres') await sql`alter table ${name} alter column "userId" set not null`.execute(db)
    await db.schema.createIndex(`${table}_user`).on(table).columns(['userId', 'id']).execute()
  }
  await db.schema.dropIndex('streams_open').execute()
  await db.schema
    .createIndex('streams_open')
    .unique()
    .on('streams')
    .columns(['userId', 'open'])
    .where(sql.ref('open'), 'is not', null)
    .execute()
}
