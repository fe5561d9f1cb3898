import type { Kysely } from 'kysely'

/**
 * Ties a reset link to the browser that requested it. Links without a browser were valid for half an hour and
 * are void.
 */
export const resetBrowsers = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.alterTable('password_resets').addColumn('browserHash', 'text').execute()
  await db.schema.alterTable('password_resets').addColumn('withheldAt', 'text').execute()
}
