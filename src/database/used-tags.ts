import { sql } from 'kysely'
import type { Db } from './db.ts'

const TABLES = {
  emails: { tags: 'email_tags', id: 'emailId', order: sql`position desc` },
  tasks: { tags: 'task_tags', id: 'taskId', order: sql`place` },
} as const

/** A tag as it is compared, and all tags of one thing that has it, as they are spelled there. */
export interface UsedTagRow {
  key: string
  spelled: string[]
}

/**
 * Each tag of a kind of thing once, at most `limit` of them. From one to the next is a step in an index, so that a
 * million rows with a dozen tags cost a dozen steps.
 */
export const readUsedTags = async (db: Db, of: 'emails' | 'tasks', limit: number): Promise<UsedTagRow[]> => {
  const { tags: name, id, order } = TABLES[of]
  const tags = sql.table(name)
  const { rows } = await sql<{ key: string; spelled: string }>`
    with recursive used(tag) as (
      select (select min(tag) from ${tags})
      union all
      select (select min(tag) from ${tags} where tag > used.tag) from used where used.tag is not null
    )
    select used.tag as key, (
      select things.tags from ${sql.table(of)} as things where things.id = (
        select ${sql.ref(id)} from ${tags} as own where own.tag = used.tag order by ${order} limit 1
      )
    ) as spelled
    from used where used.tag is not null limit ${limit}`.execute(db)
  return rows.map(({ key, spelled }) => ({ key, spelled: JSON.parse(spelled) as string[] }))
}

/** Each as the thing spells it that comes first in the lists. */
export const spellingsOf = (rows: readonly UsedTagRow[], keyOf: (tag: string) => string): string[] =>
  rows.map(({ key, spelled }) => spelled.find((tag) => keyOf(tag) === key) ?? key)
