import { type Kysely, sql } from 'kysely'
import { withIdentity } from '../columns.ts'
import type { Engine } from '../database.ts'
import { emailWords } from '../word-index.ts'

/** Creates emails with bodies, tags, threads and attachments, the search index, counters, and blobs. */
export const mail = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  await createBlobs(db, engine)
  await createEmails(db, engine)
  await indexEmails(db)
  await createParts(db)
  await withIdentity(engine, db.schema.createTable('tallies'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('amount', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('tallies_name').on('tallies').columns(['name', 'amount']).execute()
  for (const statement of emailWords(engine).create()) await statement.execute(db)
}

const createBlobs = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  await db.schema
    .createTable('blobs')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('size', 'bigint', (column) => column.notNull())
    .addColumn('unusedSince', 'text')
    .execute()
  await sql`create index blobs_unused on blobs ("unusedSince") where "unusedSince" is not null`.execute(db)
  if (engine === 'postgres')
    await db.schema
      .createTable('blob_chunks')
      .addColumn('hash', 'text', (column) => column.notNull().references('blobs.hash').onDelete('cascade'))
      .addColumn('number', 'integer', (column) => column.notNull())
      .addColumn('content', 'bytea', (column) => column.notNull())
      .addPrimaryKeyConstraint('blob_chunks_pk', ['hash', 'number'])
      .execute()
}

const createEmails = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  await withIdentity(engine, db.schema.createTable('emails'))
    .addColumn('position', 'bigint', (column) => column.notNull().unique())
    .addColumn('accountId', 'text')
    .addColumn('messageId', 'text')
    .addColumn('threadId', 'bigint', (column) => column.notNull())
    .addColumn('folder', 'text', (column) => column.notNull())
    .addColumn('fromName', 'text', (column) => column.notNull())
    .addColumn('fromAddress', 'text', (column) => column.notNull())
    .addColumn('to', 'text', (column) => column.notNull())
    .addColumn('cc', 'text', (column) => column.notNull())
    .addColumn('bcc', 'text', (column) => column.notNull())
    .addColumn('replyTo', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('subjectKey', 'text', (column) => column.notNull())
    .addColumn('inReplyTo', 'text')
    .addColumn('references', 'text', (column) => column.notNull())
    .addColumn('snippet', 'text', (column) => column.notNull())
    .addColumn('date', 'text', (column) => column.notNull())
    .addColumn('tags', 'text', (column) => column.notNull())
    .addColumn('read', 'integer', (column) => column.notNull())
    .addColumn('starred', 'integer', (column) => column.notNull())
    .addColumn('attachments', 'text', (column) => column.notNull())
    .addColumn('hasAttachments', 'integer', (column) => column.notNull())
    .addColumn('analysis', 'text')
    .addColumn('urgency', 'text')
    .addColumn('deliveryStatus', 'text')
    .addColumn('deliveryError', 'text')
    .addColumn('rawBlob', 'text', (column) => column.references('blobs.hash'))
    .addColumn('shown', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('createdAt', 'text', (column) => column.notNull())
    .addColumn('updatedAt', 'text', (column) => column.notNull())
    .execute()
}

/** One index per list, in list order; partial where most emails are excluded. */
const indexEmails = async (db: Kysely<unknown>): Promise<void> => {
  const statements = [
    sql`create index emails_folder on emails (folder, position)`,
    sql`create index emails_unread on emails (position) where read = 0`,
    sql`create index emails_folder_unread on emails (folder, position) where read = 0`,
    sql`create index emails_starred on emails (position) where starred = 1`,
    sql`create index emails_with_attachments on emails (position) where "hasAttachments" = 1`,
    sql`create index emails_urgency on emails (urgency, position) where urgency is not null`,
    sql`create index emails_account on emails ("accountId", position)`,
    sql`create index emails_thread on emails ("threadId", position)`,
    sql`create index emails_subject on emails ("subjectKey", position)`,
    sql`create index emails_message on emails ("messageId") where "messageId" is not null`,
    sql`create index emails_raw on emails ("rawBlob") where "rawBlob" is not null`,
  ]
  for (const statement of statements) await statement.execute(db)
}

const createParts = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('email_bodies')
    .addColumn('emailId', 'bigint', (column) =>
      column.primaryKey().references('emails.id').onDelete('cascade'),
    )
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('html', 'text')
    .execute()

  await db.schema
    .createTable('email_tags')
    .addColumn('tag', 'text', (column) => column.notNull())
    .addColumn('position', 'bigint', (column) => column.notNull())
    .addColumn('emailId', 'bigint', (column) => column.notNull().references('emails.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('email_tags_pk', ['tag', 'position'])
    .execute()
  await db.schema.createIndex('email_tags_email').on('email_tags').column('emailId').execute()

  await db.schema
    .createTable('email_links')
    .addColumn('messageId', 'text', (column) => column.notNull())
    .addColumn('emailId', 'bigint', (column) => column.notNull().references('emails.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('email_links_pk', ['messageId', 'emailId'])
    .execute()
  await db.schema.createIndex('email_links_email').on('email_links').column('emailId').execute()

  await db.schema
    .createTable('attachments')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('emailId', 'bigint', (column) => column.references('emails.id').onDelete('cascade'))
    .addColumn('filename', 'text', (column) => column.notNull())
    .addColumn('contentType', 'text', (column) => column.notNull())
    .addColumn('size', 'bigint', (column) => column.notNull())
    .addColumn('blob', 'text', (column) => column.notNull().references('blobs.hash'))
    .addColumn('contentId', 'text')
    .addColumn('createdAt', 'text', (column) => column.notNull())
    .execute()
  await sql`create index attachments_email on attachments ("emailId") where "emailId" is not null`.execute(db)
  await db.schema.createIndex('attachments_blob').on('attachments').column('blob').execute()
  await sql`create index attachments_uploaded on attachments ("createdAt") where "emailId" is null`.execute(
    db,
  )
}
