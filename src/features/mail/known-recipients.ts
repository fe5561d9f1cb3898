import { sql } from 'kysely'
import type { Db } from '../../database/db.ts'

/** The number of sent emails to search, newest first. */
const MAX_SEARCHED = 5000

/** Returns whether the user has sent an email to this address. Reads the latest sent emails by their index. */
export const hasSentTo = async (db: Db, userId: number, address: string): Promise<boolean> => {
  if (address === '') return false
  const named = JSON.stringify({ address: address.toLowerCase() }).slice(1, -1)
  const pattern = `%${named.replaceAll(/[\\%_]/g, '\\$&')}%`
  const found = await db
    .selectFrom((query) =>
      query
        .selectFrom('emails')
        .select(['to', 'cc', 'bcc'])
        .where('userId', '=', userId)
        .where('folder', '=', 'sent')
        .orderBy('position', 'desc')
        .limit(MAX_SEARCHED)
        .as('sent'),
    )
    .select(sql<number>`1`.as('one'))
    .where(sql<boolean>`lower("to" || cc || bcc) like ${pattern} escape '\\'`)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
