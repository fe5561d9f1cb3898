import { sql } from 'kysely'
import type { Engine } from './database.ts'
import type { Db } from './db.ts'
import type { Tables } from './tables.ts'

const LONGEST_WAIT = '500ms'

const isLockUnavailable = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '55P03'

/**
 * Empties tables that nothing but each other refers to, in a moment however full they are, where PostgreSQL can: it
 * wants them for itself. Whoever reads them just then, such as an export, is not waited for, nor does anybody wait
 * behind that; then, and on SQLite, nothing has happened, and their rows are to be deleted.
 */
export const truncateTables = async (
  tx: Db,
  engine: Engine,
  tables: readonly (keyof Tables)[],
): Promise<void> => {
  if (engine === 'sqlite') return
  await sql`savepoint truncating`.execute(tx)
  try {
    await sql`set local lock_timeout = ${sql.lit(LONGEST_WAIT)}`.execute(tx)
    await sql`truncate table ${sql.join(tables.map((name) => sql.table(name)))}`.execute(tx)
    await sql`set local lock_timeout to default`.execute(tx)
  } catch (error) {
    if (!isLockUnavailable(error)) throw error
    await sql`rollback to savepoint truncating`.execute(tx)
  }
  await sql`release savepoint truncating`.execute(tx)
}
