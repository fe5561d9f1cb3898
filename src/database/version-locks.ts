import { type Kysely, sql } from 'kysely'

/*
 * Every process on PostgreSQL holds a shared advisory lock: the number of its newest migration. PostgreSQL
 * releases it when the process ends in any way. A contract migration needs the exclusive locks of all older
 * numbers. So it runs when no older version runs, and none can start before its commit.
 */

/** An arbitrary number that no other lock with two keys uses. */
const VERSIONS = 1_178_683_220

const numberOf = (migration: string): number => Number.parseInt(migration, 10)

/** The statement that holds the lock of a version until the session ends. */
export const holdVersionLock = (newest: string): string =>
  `select pg_advisory_lock_shared(${VERSIONS}, ${numberOf(newest)})`

/** Whether a process runs whose version does not have this migration. */
export const isOlderRunning = async <T>(db: Kysely<T>, migration: string): Promise<boolean> => {
  const { rows } = await sql`
    select 1 from pg_locks
    where locktype = 'advisory' and granted and mode = 'ShareLock' and objsubid = 2
      and database = (select oid from pg_database where datname = current_database())
      and classid::bigint = ${VERSIONS} and objid::bigint < ${numberOf(migration)}
    limit 1`.execute(db)
  return rows.length > 0
}

/** Prevents versions without this migration from running until the commit. Returns false if one runs. */
export const lockOutOlder = async <T>(
  tx: Kysely<T>,
  migration: string,
  names: readonly string[],
): Promise<boolean> => {
  const older = names.map(numberOf).filter((number) => number < numberOf(migration))
  const { rows } = await sql<{ isFree: boolean | null }>`
    select bool_and(pg_try_advisory_xact_lock(${sql.lit(VERSIONS)}, number)) as "isFree"
    from unnest(${older}::int[]) as number`.execute(tx)
  return rows[0]?.isFree !== false
}
