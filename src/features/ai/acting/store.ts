import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db } from '../../../database/db.ts'
import type { AiActionRow } from '../../../database/tables/ai.ts'

export type WaitingRecord = Selectable<AiActionRow>

export const insertWaiting = (tx: Db, row: Insertable<AiActionRow>): Promise<WaitingRecord> =>
  tx.insertInto('ai_actions').values(row).returningAll().executeTakeFirstOrThrow()

export const listWaiting = (
  db: Db,
  page: { status: WaitingRecord['status'] | undefined; limit: number; below: string | undefined },
): Promise<WaitingRecord[]> =>
  db
    .selectFrom('ai_actions')
    .selectAll()
    .$if(page.status !== undefined, (query) => query.where('status', '=', page.status as 'pending'))
    .$if(page.below !== undefined, (query) => query.where('id', '<', page.below as string))
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute()

export const findWaiting = (db: Db, id: string): Promise<WaitingRecord | undefined> =>
  db.selectFrom('ai_actions').selectAll().where('id', '=', id).executeTakeFirst()

/** For a decision: others who decide wait for it. */
export const lockWaiting = (tx: Db, id: string): Promise<WaitingRecord | undefined> =>
  tx
    .updateTable('ai_actions')
    .set((row) => ({ version: row.ref('version') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

/** Changes what still waits, and nothing else. */
export const settleWaiting = (
  tx: Db,
  id: string,
  change: Updateable<AiActionRow>,
): Promise<WaitingRecord | undefined> =>
  tx
    .updateTable('ai_actions')
    .set((row) => ({ ...change, version: row('version', '+', 1) }))
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .returningAll()
    .executeTakeFirst()

export const expireWaiting = async (db: Db, now: string): Promise<void> => {
  await db
    .updateTable('ai_actions')
    .set({ status: 'expired', decidedAt: now })
    .where('status', '=', 'pending')
    .where('expiresAt', '<=', now)
    .execute()
}

export const deleteWaitingBefore = async (db: Db, at: string): Promise<void> => {
  await db.deleteFrom('ai_actions').where('createdAt', '<', at).execute()
}

/** A conversation that is deleted takes along what waits in it. */
export const deletePendingOf = async (tx: Db, conversationId: string): Promise<void> => {
  await tx
    .deleteFrom('ai_actions')
    .where('conversationId', '=', conversationId)
    .where('status', '=', 'pending')
    .execute()
}
