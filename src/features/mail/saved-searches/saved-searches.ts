import type { Db } from '../../../database/db.ts'
import { inTransaction } from '../../../database/transaction.ts'
import type { Clock } from '../../../platform/clock.ts'
import { conflict, notFound } from '../../../platform/errors.ts'
import { pageOf, readCursor, requireMatch } from '../../../platform/http/etag.ts'
import type { PageRequest } from '../../../platform/http/shapes.ts'
import { deleteSearch, insertSearch, listSearches, lockSearch, updateSearch } from './repository.ts'
import type { NewSavedSearch, SavedSearchChange } from './schema.ts'

const MOST_SEARCHES = 50

export type SavedSearches = ReturnType<typeof createSavedSearches>

/** Manages the searches that an account has saved under a name. */
export const createSavedSearches = ({ db, clock }: { db: Db; clock: Clock }) => {
  const lock = async (tx: Db, userId: number, id: number, ifMatch: string | undefined) => {
    const search = await lockSearch(tx, userId, id)
    if (!search) throw notFound('saved search')
    requireMatch(ifMatch, search)
    return search
  }

  return {
    async list(userId: number, { limit, cursor }: PageRequest) {
      const after = readCursor(cursor, 'integer')?.[0]
      const searches = await listSearches(db, userId, { limit, after })
      const { page, nextCursor } = pageOf(searches, limit, ({ id }) => [id])
      return { savedSearches: page, nextCursor }
    },

    add: (userId: number, { name, q }: NewSavedSearch) =>
      inTransaction(db, async (tx) => {
        const known = await listSearches(tx, userId, { limit: MOST_SEARCHES, after: undefined })
        if (known.length >= MOST_SEARCHES)
          throw conflict(`The limit of ${MOST_SEARCHES} saved searches is reached. Delete one first.`)
        const now = clock.now().toISOString()
        return insertSearch(tx, {
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
        updateSearch(tx, await lock(tx, userId, id, ifMatch), {
          ...(name !== undefined && { name: name.trim() }),
          ...(q !== undefined && { q: q.trim() }),
          updatedAt: clock.now().toISOString(),
        }),
      ),

    remove: (userId: number, id: number, ifMatch: string | undefined): Promise<void> =>
      inTransaction(db, async (tx) => {
        await lock(tx, userId, id, ifMatch)
        await deleteSearch(tx, userId, id)
      }),
  }
}
