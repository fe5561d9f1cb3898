import { type Kysely, sql } from 'kysely'
import { withIdentity } from '../columns.ts'
import type { Engine } from '../database.ts'

const createCommitments = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  await withIdentity(engine, db.schema.createTable('commitments'))
    .addColumn('userId', 'bigint', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('direction', 'text', (column) => column.notNull())
    .addColumn('personName', 'text', (column) => column.notNull())
    .addColumn('personAddress', 'text', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('quote', 'text', (column) => column.notNull())
    .addColumn('quoteOffset', 'integer', (column) => column.notNull())
    .addColumn('emailId', 'bigint', (column) => column.references('emails.id').onDelete('set null'))
    .addColumn('threadId', 'bigint')
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('promisedAt', 'text', (column) => column.notNull())
    .addColumn('confidence', 'integer', (column) => column.notNull())
    .addColumn('dueAt', 'text')
    .addColumn('dueDay', 'text')
    .addColumn('lateAt', 'text')
    .addColumn('place', 'bigint', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('closedAt', 'text')
    .addColumn('closedBy', 'text')
    .addColumn('closingEmailId', 'bigint', (column) => column.references('emails.id').onDelete('set null'))
    .addColumn('closingQuote', 'text')
    .addColumn('taskId', 'bigint', (column) => column.references('tasks.id').onDelete('set null'))
    .addColumn('isPrivate', 'integer', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('createdAt', 'text', (column) => column.notNull())
    .addColumn('updatedAt', 'text', (column) => column.notNull())
    .execute()
  const index = (name: string) => db.schema.createIndex(`commitments_${name}`).on('commitments')
  await index('place').columns(['userId', 'place', 'id']).execute()
  await index('status').columns(['userId', 'status', 'place', 'id']).execute()
  await index('direction').columns(['userId', 'direction', 'place', 'id']).execute()
  await index('list').columns(['userId', 'direction', 'status', 'place', 'id']).execute()
  await index('person').columns(['userId', 'personAddress', 'place', 'id']).execute()
  // The foreign keys look up the rows of a deleted email or task without the account.
  for (const column of ['emailId', 'closingEmailId', 'taskId'])
    await index(column).columns([column, 'userId']).where(sql.ref(column), 'is not', null).execute()
}

const createQueue = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('commitment_mails')
    .addColumn('emailId', 'bigint', (column) =>
      column.primaryKey().references('emails.id').onDelete('cascade'),
    )
    .addColumn('userId', 'bigint', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .execute()
  await db.schema
    .createIndex('commitment_mails_user')
    .on('commitment_mails')
    .columns(['userId', 'emailId'])
    .execute()
}

/** Queues the newest emails of each account. A job reads those of the last weeks. */
const queueStoredMail = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    insert into commitment_mails ("emailId", "userId")
    select id, "userId" from (
      select id, "userId", row_number() over (partition by "userId" order by position desc) as place
      from emails where "userId" is not null and "listId" is null and folder in ('inbox', 'archive', 'sent', 'other')
    ) as newest where place <= 1000`.execute(db)
}

/** Promises in mail, and the emails that are still to be read for promises. */
export const commitments = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  await createCommitments(db, engine)
  await createQueue(db)
  await queueStoredMail(db)
}
