import { sql } from 'kysely'
import type { Db } from './db.ts'
import { accessOf } from './engine-access.ts'
import { prepare } from './prepared.ts'

/** Each part of the query uses the partial index of its role. */
const selectLocalUser = prepare<Record<never, never>, { id: number }>((db) => {
  const withRole = (role: 'owner' | 'local') =>
    db.selectFrom('users').select('id').where('role', '=', sql.lit(role))
  return withRole('owner').unionAll(withRole('local')).limit(1)
})

const readLocalUserId = async (db: Db): Promise<number> => {
  const [row] = await selectLocalUser(db, {})
  if (!row) throw new Error('The instance has neither an owner nor a local account.')
  return row.id
}

/** The last id that was read of each SQLite database, and how many commits preceded it. */
const known = new WeakMap<object, { id: number; commits: number }>()

/**
 * Returns the account of calls without a token: the owner, or the local account before anybody has registered. One of
 * them always exists. Every such call needs it. A SQLite database belongs to one process, so the id is read again only
 * after a commit.
 */
export const getLocalUserId = async (db: Db): Promise<number> => {
  const { adapter } = db.getExecutor()
  const commits = accessOf(db).countCommits?.()
  if (commits === undefined || db.isTransaction) return readLocalUserId(db)
  const last = known.get(adapter)
  if (last?.commits === commits) return last.id
  const id = await readLocalUserId(db)
  known.set(adapter, { id, commits })
  return id
}
