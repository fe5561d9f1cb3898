import { sql } from 'kysely'
import type { Db } from './db.ts'

const TABLES = {
  emails: { tags: 'email_tags', id: 'emailId', order: sql`position desc` },
  tasks: { tags: 'task_tags', id: 'taskId', order: sql`place` },
} as const

/** A normalized tag, and all tags of one row that has it, in their original spelling. */
export interface UsedTagRow {
  key: string
  spelled: string[]
}

/**
 * Returns each tag of an account once, at most `limit` of them. Null stands for a table without accounts. Each tag costs one index lookup, so a million rows with a
 * dozen tags cost a dozen lookups.
 */
export const readUsedTags = async (
  db: Db,
  userId: number | null,
  of: 'emails' | 'tasks',
  limit: number,
): Promise<UsedTagRow[]> => {
  const { tags: name, id, order } = TABLES[of]
  const tags = sql.table(name)
  const isOwn = userId === null ? sql`true` : sql`"userId" = ${userId}`
  const { rows } = await sql<{ key: string; spelled: string }>`
    with recursive used(tag) as (
      select (select min(tag) from ${tags} where ${isOwn})
      union all
      select (select min(tag) from ${tags} where ${isOwn} and tag > used.tag) from used where used.tag is not null
    )
    select used.tag as key, (
      select things.tags from ${sql.table(of)} as things where things.id = (
        select ${sql.ref(id)} from ${tags} as own where ${isOwn} and own.tag = used.tag order by ${order} limit 1
      )
    ) as spelled
    from used where used.tag is not null limit ${limit}`.execute(db)
  return rows.map(({ key, spelled }) => ({ key, spelled: JSON.parse(spelled) as string[] }))
}

/** Returns each tag in the spelling of the row that comes first in lists. */
export const spellingsOf = (rows: readonly UsedTagRow[], keyOf: (tag: string) => string): string[] =>
  rows.map(({ key, spelled }) => spelled.find((tag) => keyOf(tag) === key) ?? key)
