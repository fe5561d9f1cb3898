import { inTransaction } from '../../../database/transaction.ts'
import { conflict } from '../../../platform/errors.ts'
import type { PageRequest } from '../../../platform/http/shapes.ts'
import type { Platform } from '../../../platform/platform.ts'
import { readByNumber, versionedRows } from '../../../platform/resources.ts'
import type { NewSavedSearch, SavedSearchChange } from './schema.ts'

const MAX_SEARCHES = 50

const searchRows = versionedRows('saved_searches', 'saved search')

export type SavedSearches = ReturnType<typeof createSavedSearches>

/** Manages the searches that an account has saved under a name. */
export const createSavedSearches = ({ db, clock }: Pick<Platform, 'db' | 'clock'>) => {
  return {
    async list(userId: number, request: PageRequest) {
      const { page, nextCursor } = await readByNumber(searchRows.select(db, userId), request)
      return { savedSearches: page, nextCursor }
    },

    add: (userId: number, { name, q }: NewSavedSearch) =>
      inTransaction(db, async (tx) => {
        if ((await searchRows.count(tx, userId)) >= MAX_SEARCHES)
          throw conflict(`The limit of ${MAX_SEARCHES} saved searches is reached. Delete one first.`)
        const now = clock.now().toISOString()
        return searchRows.insert(tx, {
          userId,
          name: name.trim(),
          q: q.trim(),
          version: 1,
          createdAt: now,
          updatedAt: now,
        })
      }),

    change: (userId: number, id: number, { name, q }: SavedSearchChange, ifMatch: string | undefined) =>
      inTransaction(db, async (tx) =>
        searchRows.update(tx, await searchRows.getLocked(tx, userId, id, ifMatch), {
          ...(name !== undefined && { name: name.trim() }),
          ...(q !== undefined && { q: q.trim() }),
          updatedAt: clock.now().toISOString(),
        }),
      ),

    remove: (userId: number, id: number, ifMatch: string | undefined): Promise<void> =>
      inTransaction(db, async (tx) => {
        await searchRows.remove(tx, userId, id, ifMatch)
      }),
  }
}
