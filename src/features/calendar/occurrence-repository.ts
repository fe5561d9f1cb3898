import type { Db } from '../../database/db.ts'
import { filterOnly } from '../../database/planner.ts'
import type { OccurrenceRow } from '../../database/tables/calendar.ts'

const BATCH = 500

export const insertOccurrences = async (tx: Db, rows: readonly OccurrenceRow[]): Promise<void> => {
  for (let at = 0; at < rows.length; at += BATCH)
    await tx
      .insertInto('occurrences')
      .values(rows.slice(at, at + BATCH))
      .onConflict((existing) => existing.columns(['seriesId', 'start']).doNothing())
      .execute()
}

/** Deletes stored occurrences of a series: all of them, or the given ones. */
export const deleteOccurrences = async (
  tx: Db,
  userId: number,
  seriesId: number,
  starts?: readonly string[],
): Promise<void> => {
  await tx
    .deleteFrom('occurrences')
    .where(filterOnly('userId'), '=', userId)
    .where('seriesId', '=', seriesId)
    .$if(starts !== undefined, (query) => query.where('start', 'in', starts as string[]))
    .execute()
}
