import type { Kysely } from 'kysely'

/** A reset link belongs to the browser that asked for it. Links without one lived for half an hour and are void. */
export const resetBrowsers = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.alterTable('password_resets').addColumn('browserHash', 'text').execute()
  await db.schema.alterTable('password_resets').addColumn('withheldAt', 'text').execute()
}
