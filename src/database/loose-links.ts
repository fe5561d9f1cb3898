import { sql } from 'kysely'
import type { Db } from './db.ts'

/**
 * Cuts links to what is not there, of many rows that came from elsewhere: triggers see to what goes later. The row's JSON
 * is kept text and is written along; a quote within a text is escaped there, so that only the field itself can read so.
 */
export const cutLooseLinks = async (
  tx: Db,
  { from, column, to }: { from: 'tasks' | 'events'; column: string; to: 'emails' | 'events' },
): Promise<void> => {
  const link = sql.ref(`${from}.${column}`)
  await sql`
    update ${sql.table(from)}
    set ${sql.ref(column)} = null,
      shown = replace(
        shown,
        ${sql.lit(`"${column}":`)} || cast(${link} as text) || ',',
        ${sql.lit(`"${column}":null,`)}
      )
    where ${link} is not null
      and not exists (select 1 from ${sql.table(to)} as named where named.id = ${link})`.execute(tx)
}
