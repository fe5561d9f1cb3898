import type { Kysely } from 'kysely'
import { withIdentity } from '../columns.ts'
import type { Engine } from '../database.ts'

/** Creates mail accounts, the locations of their messages, pending pushes, and the outbox. */
export const mailAccounts = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  await db.schema
    .createTable('mail_accounts')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('userId', 'bigint', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('senderName', 'text', (column) => column.notNull())
    .addColumn('imap', 'text', (column) => column.notNull())
    .addColumn('smtp', 'text', (column) => column.notNull())
    .addColumn('signIn', 'text', (column) => column.notNull())
    .addColumn('username', 'text', (column) => column.notNull())
    .addColumn('smtpUsername', 'text')
    .addColumn('secret', 'text', (column) => column.notNull())
    .addColumn('enabled', 'integer', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('createdAt', 'text', (column) => column.notNull())
    .addColumn('updatedAt', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('mail_accounts_user')
    .on('mail_accounts')
    .columns(['userId', 'createdAt', 'id'])
    .execute()

  await db.schema
    .createTable('mail_sync')
    .addColumn('accountId', 'text', (column) =>
      column.primaryKey().references('mail_accounts.id').onDelete('cascade'),
    )
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('error', 'text')
    .addColumn('lastSyncAt', 'text')
    .addColumn('requestedAt', 'text')
    .addColumn('owner', 'text')
    .addColumn('leaseUntil', 'text')
    .addColumn('epoch', 'integer', (column) => column.notNull())
    .execute()

  await withIdentity(engine, db.schema.createTable('mail_folders'))
    .addColumn('accountId', 'text', (column) =>
      column.notNull().references('mail_accounts.id').onDelete('cascade'),
    )
    .addColumn('path', 'text', (column) => column.notNull())
    .addColumn('use', 'text')
    .addColumn('uidValidity', 'text', (column) => column.notNull())
    .addColumn('uidNext', 'bigint', (column) => column.notNull())
    .addColumn('highestModseq', 'text')
    .addColumn('total', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('mail_folders_path')
    .unique()
    .on('mail_folders')
    .columns(['accountId', 'path'])
    .execute()

  await withIdentity(engine, db.schema.createTable('mail_placements'))
    .addColumn('accountId', 'text', (column) =>
      column.notNull().references('mail_accounts.id').onDelete('cascade'),
    )
    .addColumn('folderId', 'bigint', (column) =>
      column.notNull().references('mail_folders.id').onDelete('cascade'),
    )
    .addColumn('uidValidity', 'text', (column) => column.notNull())
    .addColumn('uid', 'bigint', (column) => column.notNull())
    .addColumn('emailId', 'bigint')
    .addColumn('identity', 'text', (column) => column.notNull())
    .addColumn('read', 'integer', (column) => column.notNull())
    .addColumn('starred', 'integer', (column) => column.notNull())
    .addColumn('goneAt', 'text')
    .execute()
  await db.schema
    .createIndex('mail_placements_uid')
    .unique()
    .on('mail_placements')
    .columns(['folderId', 'uidValidity', 'uid'])
    .execute()
  await db.schema
    .createIndex('mail_placements_identity')
    .on('mail_placements')
    .columns(['accountId', 'identity'])
    .execute()
  await db.schema.createIndex('mail_placements_email').on('mail_placements').column('emailId').execute()
  // Few rows at any time: messages that are moving between folders.
  await db.schema
    .createIndex('mail_placements_gone')
    .on('mail_placements')
    .columns(['accountId', 'goneAt'])
    .where('goneAt' as never, 'is not', null as never)
    .execute()

  await withIdentity(engine, db.schema.createTable('mail_pushes'))
    .addColumn('accountId', 'text', (column) =>
      column.notNull().references('mail_accounts.id').onDelete('cascade'),
    )
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('emailId', 'bigint', (column) => column.notNull())
    .addColumn('wish', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('createdAt', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('mail_pushes_account').on('mail_pushes').columns(['accountId', 'id']).execute()
  await db.schema.createIndex('mail_pushes_email').on('mail_pushes').column('emailId').execute()

  await db.schema
    .createTable('outbox')
    .addColumn('emailId', 'bigint', (column) => column.primaryKey())
    .addColumn('accountId', 'text', (column) =>
      column.notNull().references('mail_accounts.id').onDelete('cascade'),
    )
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('messageId', 'text', (column) => column.notNull())
    .addColumn('envelope', 'text', (column) => column.notNull())
    .addColumn('sendAt', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('attempt', 'text')
    .addColumn('error', 'text')
    .addColumn('createdAt', 'text', (column) => column.notNull())
    .addColumn('updatedAt', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('outbox_state').on('outbox').column('state').execute()

  await db.schema
    .createTable('oauth_states')
    .addColumn('state', 'text', (column) => column.primaryKey())
    .addColumn('sessionId', 'text', (column) =>
      column.notNull().references('sessions.id').onDelete('cascade'),
    )
    .addColumn('userId', 'bigint', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('browser', 'text', (column) => column.notNull())
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('accountId', 'text')
    .addColumn('verifier', 'text', (column) => column.notNull())
    .addColumn('expiresAt', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('oauth_states_expiry').on('oauth_states').column('expiresAt').execute()
}
