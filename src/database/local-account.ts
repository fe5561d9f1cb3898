import { sql } from 'kysely'
import type { Db } from './db.ts'
import { prepare } from './prepared.ts'

/** Each part of the query uses the partial index of its role. */
const selectLocalUser = prepare<Record<never, never>, { id: number }>((db) => {
  const withRole = (role: 'owner' | 'local') =>
    db.selectFrom('users').select('id').where('role', '=', sql.lit(role))
  return withRole('owner').unionAll(withRole('local')).limit(1)
})

/**
 * Returns the account of calls without a token: the owner, or the local account before anybody has registered. One of
 * them always exists. Every such call needs it, so the query is prepared.
 */
export const getLocalUserId = async (db: Db): Promise<number> => {
  const [row] = await selectLocalUser(db, {})
  if (!row) throw new Error('The instance has neither an owner nor a local account.')
  return row.id
}
