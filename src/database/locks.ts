import type { SelectQueryBuilder } from 'kysely'
import type { Db } from './db.ts'
import { engineOf } from './prepared.ts'
import type { Tables } from './tables.ts'

/**
 * Locks the selected rows against deletion until the commit. Updates of the rows do not wait. SQLite needs no
 * lock, because it has no other writer while a transaction is open.
 */
export const lockAgainstDeletion = <T extends keyof Tables, R>(
  tx: Db,
  query: SelectQueryBuilder<Tables, T, R>,
): SelectQueryBuilder<Tables, T, R> => (engineOf(tx) === 'sqlite' ? query : query.forKeyShare())
