import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../../database/db.ts'
import type { ActionRow } from '../../database/tables/actions.ts'

export type ActionRecord = Selectable<ActionRow>

export const insertAction = async (tx: Db, row: Insertable<ActionRow>): Promise<number> =>
  (await tx.insertInto('actions').values(row).returning('id').executeTakeFirstOrThrow()).id

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

/** For taking it back: others who try wait for it. */
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
