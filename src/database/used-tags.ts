import { sql } from 'kysely'
import type { Db } from './db.ts'

/**
 * Each tag of the table once, at most `limit` of them. From one to the next is a step in an index, so that a million
 * rows with a dozen tags cost a dozen steps.
 */
export const readUsedTags = async (
  db: Db,
  table: 'email_tags' | 'task_tags',
  limit: number,
): Promise<string[]> => {
  const tags = sql.table(table)
  const { rows } = await sql<{ tag: string }>`
    with recursive used(tag) as (
      select (select min(tag) from ${tags})
      union all
      select (select min(tag) from ${tags} where tag > used.tag) from used where used.tag is not null
    )
    select tag from used where tag is not null limit ${limit}`.execute(db)
  return rows.map(({ tag }) => tag)
}
