import type { Kysely } from 'kysely'

/** Responses are serialised from the columns, which hold every field, so rows no longer hold rendered JSON. */
export const emailRows = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.alterTable('emails').dropColumn('shown').execute()
}
