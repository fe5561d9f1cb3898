import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../../database/db.ts'
import type { ActionRow } from '../../database/tables/instance.ts'

export type ActionRecord = Selectable<ActionRow>

export const insertAction = async (tx: Db, row: Insertable<ActionRow>): Promise<number> =>
  (await tx.insertInto('actions').values(row).returning('id').executeTakeFirstOrThrow()).id

export const extendAction = async (
  tx: Db,
  id: number,
  { part, ...row }: { summary: string; payload: string; part: string },
): Promise<void> => {
  await tx.updateTable('actions').set(row).where('id', '=', id).execute()
  await tx.insertInto('action_parts').values({ actionId: id, payload: part }).execute()
}

/** Lists the parts of an action, oldest first. */
export const listParts = async (tx: Db, actionId: number): Promise<string[]> => {
  const rows = await tx
    .selectFrom('action_parts')
    .select('payload')
    .where('actionId', '=', actionId)
    .orderBy('id')
    .execute()
  return rows.map(({ payload }) => payload)
}

export const listActions = (
  db: Db,
  page: { limit: number; below: number | undefined },
): Promise<ActionRecord[]> =>
  db
    .selectFrom('actions')
    .selectAll()
    .$if(page.below !== undefined, (query) => query.where('id', '<', page.below as number))
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute()

/** Lists actions of these kinds that are not undone and whose payload contains `fragment`. */
export const listNotUndone = (
  tx: Db,
  kinds: readonly string[],
  fragment: string,
): Promise<Pick<ActionRecord, 'id' | 'payload'>[]> =>
  tx
    .selectFrom('actions')
    .select(['id', 'payload'])
    .where('kind', 'in', kinds)
    .where('undoneAt', 'is', null)
    .where('payload', 'like', `%${fragment}%`)
    .execute()

/** Lists actions of a kind whose payload contains `fragment`, newest first. */
export const listOfKind = (
  tx: Db,
  kind: string,
  fragment: string,
): Promise<Pick<ActionRecord, 'id' | 'payload' | 'undoneAt'>[]> =>
  tx
    .selectFrom('actions')
    .select(['id', 'payload', 'undoneAt'])
    .where('kind', '=', kind)
    .where('payload', 'like', `%${fragment}%`)
    .orderBy('id', 'desc')
    .execute()

export const updatePayload = async (tx: Db, id: number, payload: string): Promise<void> => {
  await tx.updateTable('actions').set({ payload }).where('id', '=', id).execute()
}

/** Locks the row. Concurrent requests wait for this transaction. */
export const lockAction = (tx: Db, id: number): Promise<ActionRecord | undefined> =>
  tx
    .updateTable('actions')
    .set((row) => ({ undoneAt: row.ref('undoneAt') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

export const markUndone = (tx: Db, id: number, undoneAt: string): Promise<ActionRecord> =>
  tx.updateTable('actions').set({ undoneAt }).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

export const deleteActionsBefore = async (db: Db, at: string): Promise<void> => {
  await db.deleteFrom('actions').where('at', '<', at).execute()
}
