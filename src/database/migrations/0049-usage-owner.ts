import { type Kysely, sql } from 'kysely'

/** Storage is measured per account. Earlier measurements of the whole instance go to the owner or local account. */
export const usageOwner = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table storage_days rename to storage_days_of_instance`.execute(db)
  await db.schema
    .createTable('storage_days')
    .addColumn('userId', 'bigint', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('bytes', 'bigint', (column) => column.notNull())
    .addColumn('measuredAt', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('storage_days_account_pk', ['userId', 'day'])
    .execute()
  await sql`
    insert into storage_days ("userId", day, bytes, "measuredAt")
    select (select id from users where role in ('owner', 'local')), day, bytes, "measuredAt"
    from storage_days_of_instance`.execute(db)
  await db.schema.dropTable('storage_days_of_instance').execute()
}
