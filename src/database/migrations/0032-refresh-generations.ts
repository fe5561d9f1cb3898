import { type Kysely, sql } from 'kysely'

/**
 * Numbers the rotations of a session, to distinguish the previous tokens from older ones. Timestamps are not
 * enough, because two rotations can fall into the same millisecond.
 */
export const refreshGenerations = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .alterTable('refresh_tokens')
    .addColumn('generation', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await sql`update refresh_tokens set generation = 1 where ${sql.ref('usedAt')} is null`.execute(db)
  await db.schema.dropIndex('refresh_tokens_session').execute()
  await db.schema
    .createIndex('refresh_tokens_session')
    .on('refresh_tokens')
    .columns(['sessionId', 'generation'])
    .execute()
}
