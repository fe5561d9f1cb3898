import { type Kysely, sql } from 'kysely'
import { withIdentity } from '../columns.ts'
import type { Engine } from '../database.ts'

/** The collections that CalDAV and CardDAV clients use, with the names and the change log of their resources. */
export const dav = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  await withIdentity(engine, db.schema.createTable('dav_collections'))
    .addColumn('userId', 'bigint', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('itemId', 'bigint', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('properties', 'text', (column) => column.notNull())
    .addColumn('revision', 'bigint', (column) => column.notNull())
    .addColumn('prunedRevision', 'bigint', (column) => column.notNull())
    .execute()
  await sql`create unique index dav_collections_item on dav_collections ("userId", kind, "itemId")`.execute(
    db,
  )
  await sql`create unique index dav_collections_name on dav_collections ("userId", name)`.execute(db)
  await withIdentity(engine, db.schema.createTable('dav_resources'))
    .addColumn('userId', 'bigint', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('collectionId', 'bigint', (column) =>
      column.notNull().references('dav_collections.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('uid', 'text', (column) => column.notNull())
    .addColumn('revision', 'bigint', (column) => column.notNull())
    .addColumn('deletedAt', 'text')
    .execute()
  await sql`create unique index dav_resources_name on dav_resources ("collectionId", name)`.execute(db)
  await sql`create unique index dav_resources_uid on dav_resources ("collectionId", uid)
    where "deletedAt" is null`.execute(db)
  await sql`create index dav_resources_revision on dav_resources ("collectionId", revision)`.execute(db)
  await sql`create index dav_resources_user on dav_resources ("userId")`.execute(db)
  await sql`create index dav_resources_deleted on dav_resources ("deletedAt") where "deletedAt" is not null`.execute(
    db,
  )
}
