import { type Kysely, sql } from 'kysely'

/** Adds emails that could not be parsed, and the number of attempts. */
export const unreadableMail = async (db: Kysely<unknown>): Promise<void> => {
  for (const column of ['unreadable', 'readerVersion'])
    await db.schema.alterTable('emails').addColumn(column, 'text').execute()
  await db.schema
    .alterTable('emails')
    .addColumn('readAttempts', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await sql`create index emails_unreadable on emails ("accountId", id) where unreadable is not null`.execute(
    db,
  )
  await db.schema
    .alterTable('mail_placements')
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}
