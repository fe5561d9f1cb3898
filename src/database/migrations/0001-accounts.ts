import type { Kysely } from 'kysely'
import { withIdentity } from '../columns.ts'
import type { Engine } from '../database.ts'

/** Creates users with their settings, sessions, and all tokens of users. */
export const accounts = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  await withIdentity(engine, db.schema.createTable('users'))
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('emailKey', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('passwordHash', 'text', (column) => column.notNull())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('timezone', 'text', (column) => column.notNull())
    .addColumn('locale', 'text', (column) => column.notNull())
    .addColumn('weekStart', 'text', (column) => column.notNull())
    .addColumn('workingHours', 'text', (column) => column.notNull())
    .addColumn('avatarHash', 'text')
    .addColumn('twoFactorSecret', 'text')
    .addColumn('twoFactorEnabledAt', 'text')
    .addColumn('twoFactorStep', 'integer')
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('createdAt', 'text', (column) => column.notNull())
    .addColumn('updatedAt', 'text', (column) => column.notNull())
    .execute()

  // Enforces a single owner, also for concurrent first registrations.
  await db.schema
    .createIndex('users_owner')
    .unique()
    .on('users')
    .column('role')
    .where('role' as never, '=', 'owner' as never)
    .execute()

  await db.schema
    .createTable('avatars')
    .addColumn('userId', 'bigint', (column) => column.primaryKey().references('users.id').onDelete('cascade'))
    .addColumn('contentType', 'text', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .execute()

  await db.schema
    .createTable('sessions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('userId', 'bigint', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('createdAt', 'text', (column) => column.notNull())
    .addColumn('lastSeenAt', 'text', (column) => column.notNull())
    .addColumn('expiresAt', 'text', (column) => column.notNull())
    .addColumn('endsAt', 'text', (column) => column.notNull())
    .addColumn('ip', 'text', (column) => column.notNull())
    .addColumn('userAgent', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('sessions_user').on('sessions').columns(['userId', 'createdAt', 'id']).execute()
  await db.schema.createIndex('sessions_expiry').on('sessions').column('expiresAt').execute()

  await db.schema
    .createTable('refresh_tokens')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('sessionId', 'text', (column) =>
      column.notNull().references('sessions.id').onDelete('cascade'),
    )
    .addColumn('createdAt', 'text', (column) => column.notNull())
    .addColumn('usedAt', 'text')
    .execute()
  await db.schema.createIndex('refresh_tokens_session').on('refresh_tokens').column('sessionId').execute()

  await withIdentity(engine, db.schema.createTable('backup_codes'))
    .addColumn('userId', 'bigint', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('usedAt', 'text')
    .execute()
  await db.schema.createIndex('backup_codes_user').on('backup_codes').columns(['userId', 'hash']).execute()

  await db.schema
    .createTable('access_tokens')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('userId', 'bigint', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('hint', 'text', (column) => column.notNull())
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('createdAt', 'text', (column) => column.notNull())
    .addColumn('expiresAt', 'text')
    .addColumn('lastUsedAt', 'text')
    .addColumn('version', 'integer', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('access_tokens_user')
    .on('access_tokens')
    .columns(['userId', 'createdAt', 'id'])
    .execute()

  await db.schema
    .createTable('feed_tokens')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('userId', 'bigint', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('purpose', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('hint', 'text', (column) => column.notNull())
    .addColumn('createdAt', 'text', (column) => column.notNull())
    .addColumn('lastUsedAt', 'text')
    .execute()
  await db.schema
    .createIndex('feed_tokens_user')
    .on('feed_tokens')
    .columns(['userId', 'createdAt', 'id'])
    .execute()

  await db.schema
    .createTable('invitations')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('createdBy', 'bigint', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('email', 'text')
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('createdAt', 'text', (column) => column.notNull())
    .addColumn('expiresAt', 'text', (column) => column.notNull())
    .addColumn('acceptedAt', 'text')
    .execute()
  await db.schema
    .createIndex('invitations_creator')
    .on('invitations')
    .columns(['createdBy', 'createdAt', 'id'])
    .execute()
  await db.schema.createIndex('invitations_expiry').on('invitations').column('expiresAt').execute()

  await withIdentity(engine, db.schema.createTable('activity'))
    .addColumn('userId', 'bigint', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('at', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('ip', 'text', (column) => column.notNull())
    .addColumn('userAgent', 'text', (column) => column.notNull())
    .addColumn('details', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('activity_user').on('activity').columns(['userId', 'id']).execute()
  await db.schema.createIndex('activity_age').on('activity').column('at').execute()

  await withIdentity(engine, db.schema.createTable('attempts'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('at', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('attempts_subject').on('attempts').columns(['kind', 'subject', 'at']).execute()
  await db.schema.createIndex('attempts_age').on('attempts').column('at').execute()
}
