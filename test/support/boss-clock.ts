import { sql } from 'kysely'
import type { Db } from '../../src/database/db.ts'

/** PostgreSQL has a clock of its own, but pg-boss reads the time from this one function: there it can be moved. */
export const moveBossClock = async (db: Db, aheadMs: number): Promise<void> => {
  await sql
    .raw(
      `create or replace function pgboss.job_now() returns timestamptz language sql stable
       as $$ select pg_catalog.now() + interval '${aheadMs} milliseconds' $$`,
    )
    .execute(db)
}
