import { type Kysely, sql } from 'kysely'
import { withIdentity } from '../columns.ts'
import type { Engine } from '../database.ts'

/** Turns activity into a hash chain that outlives accounts; adds password reset links. */
export const settings = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  await db.schema.alterTable('activity').renameTo('activity_before').execute()
  for (const name of ['activity_user', 'activity_age']) await db.schema.dropIndex(name).execute()
  await withIdentity(engine, db.schema.createTable('activity'))
    .addColumn('userId', 'bigint', (column) => column.references('users.id').onDelete('set null'))
    .addColumn('at', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('ip', 'text', (column) => column.notNull())
    .addColumn('userAgent', 'text', (column) => column.notNull())
    .addColumn('details', 'text', (column) => column.notNull())
    .addColumn('salt', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('commitment', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('position', 'bigint')
    .addColumn('hash', 'text')
    .execute()
  await sql`insert into activity ("userId", at, action, ip, "userAgent", details)
    select "userId", at, action, ip, "userAgent", details from activity_before order by id`.execute(db)
  await db.schema.dropTable('activity_before').execute()

  const index = (name: string) => db.schema.createIndex(`activity_${name}`).on('activity')
  await index('user').columns(['userId', 'at', 'id']).execute()
  await index('action').columns(['userId', 'action', 'at', 'id']).execute()
  await index('position').column('position').unique().where(sql.ref('position'), 'is not', null).execute()
  await index('unsealed').column('id').where(sql.ref('position'), 'is', null).execute()

  await db.schema
    .createTable('activity_seal')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('sealed', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('password_resets')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('userId', 'bigint', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('createdAt', 'text', (column) => column.notNull())
    .addColumn('expiresAt', 'text', (column) => column.notNull())
    .addColumn('usedAt', 'text')
    .execute()
  const resets = (name: string) => db.schema.createIndex(`password_resets_${name}`).on('password_resets')
  await resets('user').columns(['userId', 'createdAt']).execute()
  await resets('expiry').column('expiresAt').execute()
}
