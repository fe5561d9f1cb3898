import { sql } from 'kysely'
import type { Db } from '../../src/database/db.ts'

/** pg-boss reads the time from one SQL function, which a test can replace to move the clock. */
export const moveBossClock = async (db: Db, aheadMs: number): Promise<void> => {
  await sql
    .raw(
      `create or replace function pgboss.job_now() returns timestamptz language sql stable
       as $$ select pg_catalog.now() + interval '${aheadMs} milliseconds' $$`,
    )
    .execute(db)
}
