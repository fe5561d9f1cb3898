import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db } from '../../../database/db.ts'
import type { SavedSearchRow } from '../../../database/tables/mail.ts'

export type SavedSearchRecord = Selectable<SavedSearchRow>

export const insertSearch = (tx: Db, row: Insertable<SavedSearchRow>): Promise<SavedSearchRecord> =>
  tx.insertInto('saved_searches').values(row).returningAll().executeTakeFirstOrThrow()

/** In order of creation. */
export const listSearches = (
  db: Db,
  userId: number,
  page: { limit: number; after: number | undefined },
): Promise<SavedSearchRecord[]> =>
  db
    .selectFrom('saved_searches')
    .selectAll()
    .where('userId', '=', userId)
    .$if(page.after !== undefined, (query) => query.where('id', '>', page.after as number))
    .orderBy('id')
    .limit(page.limit + 1)
    .execute()

/** Locks the row until the commit. Only a write locks a row on both database engines. */
export const lockSearch = (tx: Db, userId: number, id: number): Promise<SavedSearchRecord | undefined> =>
  tx
    .updateTable('saved_searches')
    .set((row) => ({ version: row.ref('version') }))
    .where('id', '=', id)
    .where('userId', '=', userId)
    .returningAll()
    .executeTakeFirst()

export const updateSearch = (
  tx: Db,
  { id, userId, version }: Pick<SavedSearchRecord, 'id' | 'userId' | 'version'>,
  change: Updateable<SavedSearchRow>,
): Promise<SavedSearchRecord> =>
  tx
    .updateTable('saved_searches')
    .set({ ...change, version: version + 1 })
    .where('id', '=', id)
    .where('userId', '=', userId)
    .returningAll()
    .executeTakeFirstOrThrow()

export const deleteSearch = async (tx: Db, userId: number, id: number): Promise<void> => {
  await tx.deleteFrom('saved_searches').where('id', '=', id).where('userId', '=', userId).execute()
}
