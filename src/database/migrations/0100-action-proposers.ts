import type { Kysely } from 'kysely'

/** Whether a person was signed in when an action was proposed. */
export const actionProposers = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.alterTable('ai_actions').addColumn('proposedBy', 'text').execute()
}
