import type { Kysely } from 'kysely'

/** Calendar accounts that use the OAuth tokens of a mail account. */
export const providerCalendars = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .alterTable('oauth_states')
    .addColumn('calendar', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema
    .alterTable('calendar_accounts')
    .addColumn('signIn', 'text', (column) => column.notNull().defaultTo('password'))
    .execute()
  // Without a foreign key: a backup restores calendar accounts before mail accounts.
  await db.schema.alterTable('calendar_accounts').addColumn('mailAccountId', 'text').execute()
}
