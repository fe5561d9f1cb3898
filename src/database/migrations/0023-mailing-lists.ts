import { type Kysely, sql } from 'kysely'

/**
 * Adds the mailing list of an email, and unsubscribed lists. The indexes contain only emails of lists. A
 * later job processes existing emails, starting at the position stored here.
 */
export const mailingLists = async (db: Kysely<unknown>): Promise<void> => {
  for (const column of ['listId', 'mailingList'])
    await db.schema.alterTable('emails').addColumn(column, 'text').execute()
  await sql`create index emails_list on emails ("listId", folder, position) where "listId" is not null`.execute(
    db,
  )
  await sql`create index emails_listed on emails (position, "listId", read) where "listId" is not null`.execute(
    db,
  )
  await db.schema
    .createTable('unsubscriptions')
    .addColumn('listId', 'text', (column) => column.primaryKey())
    .addColumn('at', 'text', (column) => column.notNull())
    .addColumn('by', 'text', (column) => column.notNull())
    .addColumn('toldTo', 'text', (column) => column.notNull())
    .addColumn('emailId', 'bigint', (column) => column.references('emails.id').onDelete('set null'))
    .execute()
  await db.schema.createIndex('unsubscriptions_email').on('unsubscriptions').column('emailId').execute()
  await sql`insert into tallies (name, amount)
    select 'emails.unlisted', last from (select max(id) as last from emails) as newest
    where last is not null`.execute(db)
}
