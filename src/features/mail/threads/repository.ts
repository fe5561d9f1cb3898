import { sql } from 'kysely'
import type { Db } from '../../../database/db.ts'
import type { FullText, WordQuery } from '../../../database/full-text/full-text.ts'
import { FLAG_COLUMNS } from '../../../database/tables/mail.ts'
import type { EmailRecord } from '../messages/email-repository.ts'

const MEMBER_COLUMNS = [
  'id',
  'threadId',
  'position',
  'accountId',
  'folder',
  'folderId',
  'otherFolders',
  'fromName',
  'fromAddress',
  'tags',
  ...FLAG_COLUMNS,
  'hasAttachments',
  'urgency',
  'listId',
  'snoozedUntil',
  'followUpAt',
  'pinned',
  'returnedPosition',
] as const
/** An email of a thread, without the columns that only its newest email shows. */
export type ThreadMember = Pick<EmailRecord, (typeof MEMBER_COLUMNS)[number]>

/** The newest emails of a thread that are counted. */
export const MAX_MEMBERS = 100
const THREADS_PER_QUERY = 100

/** Lists the newest emails of each thread, newest first. A limit for each thread bounds the time of a page of long threads. */
export const listMembers = async (
  db: Db,
  userId: number,
  threadIds: readonly number[],
): Promise<ThreadMember[]> => {
  const columns = sql.join(MEMBER_COLUMNS.map((name) => sql.ref(`emails.${name}`)))
  const found: ThreadMember[] = []
  for (let at = 0; at < threadIds.length; at += THREADS_PER_QUERY) {
    const values = threadIds.slice(at, at + THREADS_PER_QUERY).map((id) => sql`(cast(${id} as bigint))`)
    // The cross join fixes the join order, so that SQLite reads one index range for each thread.
    const { rows } = await sql<ThreadMember>`with threads (thread) as (values ${sql.join(values)})
      select ${columns} from threads cross join emails
      where emails."userId" = ${userId} and emails."threadId" = thread and emails.position >= coalesce((
        select oldest.position from emails as oldest
        where oldest."userId" = ${userId} and oldest."threadId" = thread
        order by oldest.position desc limit 1 offset ${sql.lit(MAX_MEMBERS - 1)}), 0)`.execute(db)
    found.push(...rows)
  }
  return found.sort((a, b) => b.position - a.position)
}

/** Lists the senders of the newest emails, the latest first. */
export const listRecentSenders = (
  db: Db,
  userId: number,
  count: number,
): Promise<Pick<EmailRecord, 'fromName' | 'fromAddress'>[]> =>
  db
    .selectFrom(
      db
        .selectFrom('emails')
        .select(['fromName', 'fromAddress', 'position'])
        .where('userId', '=', userId)
        .orderBy('position', 'desc')
        .limit(count)
        .as('newest'),
    )
    .select(['fromName', 'fromAddress'])
    .groupBy(['fromName', 'fromAddress'])
    .orderBy(({ fn }) => fn.max('position'), 'desc')
    .execute()

/** Returns which of these positions match the words. */
export const filterByWords = async (
  db: Db,
  fullText: FullText,
  { userId, words }: { userId: number; words: WordQuery },
  positions: readonly number[],
): Promise<Set<number>> => {
  if (positions.length === 0) return new Set()
  if (words.all.length === 0) {
    const lacking = await db
      .selectFrom('emails')
      .select('emails.position')
      .where('emails.userId', '=', userId)
      .where('emails.position', 'in', positions)
      .where(fullText.lacks(fullText.textOfAny(words.none), sql.ref('emails.position')))
      .execute()
    return new Set(lacking.map(({ position }) => position))
  }
  const rowid = sql<number>`email_words.rowid`
  // A position is a bigint, because SQLite's word index does not use a REAL as a bound.
  const found = await db
    .selectFrom('email_words')
    .select(rowid.as('position'))
    .where(fullText.matches(userId, words))
    .where(rowid, '>=', BigInt(Math.min(...positions)) as unknown as number)
    .where(rowid, '<=', BigInt(Math.max(...positions)) as unknown as number)
    .where(fullText.isAmong(positions))
    .execute()
  return new Set(found.map(({ position }) => Number(position)))
}

/** Lists the emails of some threads for a change, with one more than `limit` if there are more. */
export const listForChange = (
  tx: Db,
  userId: number,
  threadIds: readonly number[],
  limit: number,
): Promise<EmailRecord[]> =>
  tx
    .selectFrom('emails')
    .selectAll()
    .where('userId', '=', userId)
    .where('threadId', 'in', threadIds)
    .limit(limit + 1)
    .execute()

/**
 * Every change of an email of the thread raises `version`. An email that is deleted lowers it, so that `extra` identifies
 * the emails. Undefined if the thread does not exist.
 */
export const findThreadVersion = async (
  db: Db,
  userId: number,
  threadId: number,
): Promise<{ version: number; extra: string } | undefined> => {
  const { version, count, last } = await db
    .selectFrom('emails')
    .select(({ fn }) => [
      fn.sum<number | null>('version').as('version'),
      fn.countAll<number>().as('count'),
      fn.max('id').as('last'),
    ])
    .where('userId', '=', userId)
    .where('threadId', '=', threadId)
    .executeTakeFirstOrThrow()
  return version === null ? undefined : { version: Number(version), extra: `${count}.${last}` }
}
