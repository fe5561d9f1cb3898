import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db } from '../../../database/db.ts'
import type { AiActionRow } from '../../../database/tables/integrations.ts'

export type ActionRecord = Selectable<AiActionRow>

export const insertAction = (tx: Db, row: Insertable<AiActionRow>): Promise<ActionRecord> =>
  tx.insertInto('ai_actions').values(row).returningAll().executeTakeFirstOrThrow()

export const listActions = (
  db: Db,
  page: { status: ActionRecord['status'] | undefined; limit: number; below: string | undefined },
): Promise<ActionRecord[]> =>
  db
    .selectFrom('ai_actions')
    .selectAll()
    .$if(page.status !== undefined, (query) => query.where('status', '=', page.status as 'pending'))
    .$if(page.below !== undefined, (query) => query.where('id', '<', page.below as string))
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute()

export const findAction = (db: Db, id: string): Promise<ActionRecord | undefined> =>
  db.selectFrom('ai_actions').selectAll().where('id', '=', id).executeTakeFirst()

/** Locks the row. Concurrent decisions wait for this transaction. */
export const lockAction = (tx: Db, id: string): Promise<ActionRecord | undefined> =>
  tx
    .updateTable('ai_actions')
    .set((row) => ({ version: row.ref('version') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

/** Updates the action only while it is pending. */
export const updatePendingAction = (
  tx: Db,
  id: string,
  change: Updateable<AiActionRow>,
): Promise<ActionRecord | undefined> =>
  tx
    .updateTable('ai_actions')
    .set((row) => ({ ...change, version: row('version', '+', 1) }))
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .returningAll()
    .executeTakeFirst()

export const expireActions = async (db: Db, now: string): Promise<void> => {
  await db
    .updateTable('ai_actions')
    .set({ status: 'expired', decidedAt: now })
    .where('status', '=', 'pending')
    .where('expiresAt', '<=', now)
    .execute()
}

export const deleteActionsBefore = async (db: Db, at: string): Promise<void> => {
  await db.deleteFrom('ai_actions').where('createdAt', '<', at).execute()
}

/** Deletes the pending actions of a conversation that is being deleted. */
export const deletePendingActions = async (tx: Db, conversationId: string): Promise<void> => {
  await tx
    .deleteFrom('ai_actions')
    .where('conversationId', '=', conversationId)
    .where('status', '=', 'pending')
    .execute()
}
