import { type Kysely, sql } from 'kysely'

/**
 * Stored HTML has the version of the sanitizer that wrote it. An account chooses whether remote images may load, and
 * the senders whose images always load.
 */
export const htmlVersion = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .alterTable('email_bodies')
    .addColumn('htmlVersion', 'integer', (column) => column.notNull().defaultTo(1))
    .execute()
  await db.schema
    .createIndex('email_bodies_html_version')
    .on('email_bodies')
    .columns(['htmlVersion', 'emailId'])
    .where(sql.ref('html'), 'is not', null)
    .execute()
  await db.schema
    .alterTable('users')
    .addColumn('remoteImages', 'text', (column) => column.notNull().defaultTo('ask'))
    .execute()
  await db.schema
    .alterTable('users')
    .addColumn('imageSenders', 'text', (column) => column.notNull().defaultTo('[]'))
    .execute()
}
