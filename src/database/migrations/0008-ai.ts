import type { Kysely } from 'kysely'
import { withIdentity } from '../columns.ts'
import type { Engine } from '../database.ts'

/** Creates model settings, keys, usage, conversations, and pending actions. */
export const ai = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  await db.schema
    .createTable('ai_settings')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('model', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('updatedAt', 'text', (column) => column.notNull())
    .execute()

  await db.schema
    .createTable('ai_keys')
    .addColumn('provider', 'text', (column) => column.primaryKey())
    .addColumn('key', 'text')
    .addColumn('baseUrl', 'text')
    .addColumn('givenFor', 'text', (column) => column.notNull())
    .addColumn('hint', 'text', (column) => column.notNull())
    .addColumn('verified', 'integer', (column) => column.notNull())
    .addColumn('reason', 'text')
    .addColumn('createdAt', 'text', (column) => column.notNull())
    .addColumn('updatedAt', 'text', (column) => column.notNull())
    .execute()

  await withIdentity(engine, db.schema.createTable('ai_requests'))
    .addColumn('at', 'text', (column) => column.notNull())
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('purpose', 'text', (column) => column.notNull())
    .addColumn('engine', 'text', (column) => column.notNull())
    .addColumn('model', 'text', (column) => column.notNull())
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('providerModel', 'text', (column) => column.notNull())
    .addColumn('tokenId', 'text')
    .addColumn('outcome', 'text', (column) => column.notNull())
    .addColumn('inputTokens', 'bigint', (column) => column.notNull())
    .addColumn('outputTokens', 'bigint', (column) => column.notNull())
    .addColumn('costNano', 'bigint')
    .execute()
  await db.schema.createIndex('ai_requests_at').on('ai_requests').column('at').execute()

  await db.schema
    .createTable('ai_days')
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('model', 'text', (column) => column.notNull())
    .addColumn('tokenId', 'text', (column) => column.notNull())
    .addColumn('requests', 'bigint', (column) => column.notNull())
    .addColumn('inputTokens', 'bigint', (column) => column.notNull())
    .addColumn('outputTokens', 'bigint', (column) => column.notNull())
    .addColumn('costNano', 'bigint', (column) => column.notNull())
    .addColumn('unpriced', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('ai_days_pk', ['day', 'model', 'tokenId'])
    .execute()

  await db.schema
    .createTable('ai_conversations')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('tokenId', 'text')
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('turn', 'text')
    .addColumn('turnUntil', 'text')
    .addColumn('createdAt', 'text', (column) => column.notNull())
    .addColumn('updatedAt', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('ai_conversations_latest')
    .on('ai_conversations')
    .columns(['updatedAt', 'id'])
    .execute()
  await db.schema
    .createIndex('ai_conversations_of_token')
    .on('ai_conversations')
    .columns(['tokenId', 'updatedAt', 'id'])
    .execute()

  await withIdentity(engine, db.schema.createTable('ai_messages'))
    .addColumn('conversationId', 'text', (column) =>
      column.notNull().references('ai_conversations.id').onDelete('cascade'),
    )
    .addColumn('at', 'text', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('ai_messages_of_conversation')
    .on('ai_messages')
    .columns(['conversationId', 'id'])
    .execute()

  await db.schema
    .createTable('ai_actions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('conversationId', 'text')
    .addColumn('tokenId', 'text')
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('tool', 'text', (column) => column.notNull())
    .addColumn('input', 'text', (column) => column.notNull())
    .addColumn('summary', 'text', (column) => column.notNull())
    .addColumn('about', 'text')
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('result', 'text')
    .addColumn('error', 'text')
    .addColumn('journalId', 'bigint')
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('createdAt', 'text', (column) => column.notNull())
    .addColumn('expiresAt', 'text', (column) => column.notNull())
    .addColumn('decidedAt', 'text')
    .execute()
  await db.schema.createIndex('ai_actions_status').on('ai_actions').columns(['status', 'id']).execute()
  await db.schema.createIndex('ai_actions_conversation').on('ai_actions').column('conversationId').execute()
  await db.schema.createIndex('ai_actions_created').on('ai_actions').column('createdAt').execute()
}
