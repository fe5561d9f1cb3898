import { type Kysely, sql } from 'kysely'
import type { Engine } from '../database.ts'

/**
 * Lets an account read its own changes by an index, and gives the marks of sample data an account. Existing marks belong
 * to the sample account, or to the owner or local account if an import added them.
 */
export const accountLog = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  await sql`create index changes_user on changes ("userId", id)`.execute(db)
  if (engine === 'postgres')
    await sql`create index changes_user_order on changes ("userId", position)`.execute(db)

  await sql`alter table samples rename to samples_of_instance`.execute(db)
  await db.schema
    .createTable('samples')
    .addColumn('userId', 'bigint', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('reference', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('samples_account_pk', ['userId', 'kind', 'reference'])
    .execute()
  await sql`
    insert into samples ("userId", kind, reference)
    select coalesce(
      (select users.id from users join samples_of_instance as account
        on account.kind = 'user' and account.reference = cast(users.id as text) order by users.id limit 1),
      (select id from users where role in ('owner', 'local'))), kind, reference
    from samples_of_instance`.execute(db)
  await db.schema.dropTable('samples_of_instance').execute()
}
