import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db } from '../../database/db.ts'
import type { MilestoneRow } from '../../database/tables/stream.ts'

export type MilestoneRecord = Selectable<MilestoneRow>

export const insertMilestone = (tx: Db, row: Insertable<MilestoneRow>): Promise<MilestoneRecord> =>
  tx.insertInto('milestones').values(row).returningAll().executeTakeFirstOrThrow()

export const findMilestone = (db: Db, id: number): Promise<MilestoneRecord | undefined> =>
  db.selectFrom('milestones').selectAll().where('id', '=', id).executeTakeFirst()

export const updateMilestone = (
  tx: Db,
  id: number,
  change: Updateable<MilestoneRow>,
): Promise<MilestoneRecord> =>
  tx
    .updateTable('milestones')
    .set((row) => ({ ...change, version: row('version', '+', 1) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export const deleteMilestone = async (tx: Db, id: number): Promise<void> => {
  await tx.deleteFrom('milestones').where('id', '=', id).execute()
}

/** The oldest first. */
export const listMilestones = (
  db: Db,
  { limit, above }: { limit: number; above: number | undefined },
): Promise<MilestoneRecord[]> => {
  let query = db.selectFrom('milestones').selectAll()
  if (above !== undefined) query = query.where('id', '>', above)
  return query
    .orderBy('id')
    .limit(limit + 1)
    .execute()
}

export const listCounted = (db: Db, sources: readonly string[]): Promise<MilestoneRecord[]> =>
  db.selectFrom('milestones').selectAll().where('source', 'in', sources).execute()

export const hideMilestones = async (tx: Db): Promise<void> => {
  await tx.updateTable('milestones').set({ hidden: 1 }).where('id', '>', 0).execute()
}
