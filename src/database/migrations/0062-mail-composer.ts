import type { Kysely } from 'kysely'
import { withIdentity } from '../columns.ts'
import type { Engine } from '../database.ts'

/** Mail accounts get a signature, identities and a size limit. Texts for new mail are kept as templates. */
export const mailComposer = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  await db.schema.alterTable('mail_accounts').addColumn('signature', 'text').execute()
  await db.schema
    .alterTable('mail_accounts')
    .addColumn('identities', 'text', (column) => column.notNull().defaultTo('[]'))
    .execute()
  await db.schema
    .alterTable('mail_accounts')
    .addColumn('plainText', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema.alterTable('mail_accounts').addColumn('maxMessageBytes', 'bigint').execute()
  await withIdentity(engine, db.schema.createTable('mail_templates'))
    .addColumn('userId', 'bigint', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('html', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('createdAt', 'text', (column) => column.notNull())
    .addColumn('updatedAt', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('mail_templates_user').on('mail_templates').columns(['userId', 'id']).execute()
}
