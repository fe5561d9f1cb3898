import { sql } from 'kysely'
import type { Db } from '../../../database/db.ts'
import type { Folder, UnsubscriptionRow } from '../../../database/tables/mail.ts'

export type UnsubscriptionRecord = UnsubscriptionRow & { deliveryStatus: string | null }

/** Includes the delivery status of the unsubscribe emails. */
export const listUnsubscriptions = (
  db: Db,
  userId: number,
  listIds: readonly string[],
): Promise<UnsubscriptionRecord[]> =>
  db
    .selectFrom('unsubscriptions')
    .leftJoin('emails', 'emails.id', 'unsubscriptions.emailId')
    .selectAll('unsubscriptions')
    .select('emails.deliveryStatus')
    .where('unsubscriptions.userId', '=', userId)
    .where('unsubscriptions.listId', 'in', listIds)
    .execute()

/** Saves the row, unless another request has saved one since `seenAt`. Returns whether the row was saved. */
export const saveUnsubscription = async (
  tx: Db,
  row: UnsubscriptionRow,
  seenAt: string | undefined,
): Promise<boolean> => {
  const saved = await tx
    .insertInto('unsubscriptions')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['userId', 'listId'])
        .doUpdateSet(row)
        .where('unsubscriptions.at', '=', seenAt ?? ''),
    )
    .returning('listId')
    .executeTakeFirst()
  return saved !== undefined
}

export const setUnsubscriptionMail = async (
  tx: Db,
  { userId, listId }: Pick<UnsubscriptionRow, 'userId' | 'listId'>,
  emailId: number,
): Promise<void> => {
  await tx
    .updateTable('unsubscriptions')
    .set({ emailId })
    .where('userId', '=', userId)
    .where('listId', '=', listId)
    .execute()
}

interface ListCounts {
  listId: string
  emails: number
  unread: number
  /** Position of the newest email. */
  last: number
}

/** Limit for the emails that are counted, newest first. Enough for three months of mail. */
const MAX_COUNTED = 20_000

/** Counts emails per list since a position, most frequent lists first. */
export const countByList = async (
  db: Db,
  userId: number,
  since: number,
  page: { limit: number; after: readonly [emails: number, last: number] | undefined },
): Promise<ListCounts[]> => {
  const count = sql<number>`count(*)`
  const newest = sql<number>`max(position)`
  const rows = await db
    .selectFrom(
      db
        .selectFrom('emails')
        .select(['listId', 'read', 'position'])
        .where('userId', '=', userId)
        .where('listId', 'is not', null)
        .$narrowType<{ listId: string }>()
        .where('position', '>=', since)
        .orderBy('position', 'desc')
        .limit(MAX_COUNTED)
        .as('mail'),
    )
    .select(['listId', count.as('emails'), sql<number>`sum(1 - read)`.as('unread'), newest.as('last')])
    .groupBy('listId')
    .$if(page.after !== undefined, (query) => {
      const [emails, last] = page.after as [number, number]
      return query.having(({ or, and, eb }) =>
        or([eb(count, '<', emails), and([eb(count, '=', emails), eb(newest, '<', last)])]),
      )
    })
    .orderBy(count, 'desc')
    .orderBy(newest, 'desc')
    .limit(page.limit + 1)
    .execute()
  return rows.map((row) => ({
    listId: row.listId,
    emails: Number(row.emails),
    unread: Number(row.unread),
    last: Number(row.last),
  }))
}

export const listByPositions = (db: Db, userId: number, positions: readonly number[]) =>
  db
    .selectFrom('emails')
    .select(['id', 'position', 'date', 'fromName', 'fromAddress', 'mailingList'])
    .where('userId', '=', userId)
    .where('position', 'in', positions)
    .execute()

/** The newest emails of a list in a folder. */
export const listInFolder = (
  tx: Db,
  userId: number,
  listId: string,
  folder: Folder,
  limit: number,
): Promise<{ id: number; folder: Folder }[]> =>
  tx
    .selectFrom('emails')
    .select(['id', 'folder'])
    .where('userId', '=', userId)
    .where('listId', '=', listId)
    .where('folder', '=', folder)
    .orderBy('position', 'desc')
    .limit(limit)
    .execute()

/** Filters the ids by the current folders of the emails. */
export const listStillIn = async (
  tx: Db,
  userId: number,
  ids: readonly number[],
  folder: Folder,
): Promise<Set<number>> => {
  const rows = await tx
    .selectFrom('emails')
    .select('id')
    .where('userId', '=', userId)
    .where('id', 'in', ids)
    .where((email) =>
      email.or([
        email('folder', '=', folder),
        email.exists(
          email
            .selectFrom('email_folders')
            .select('emailId')
            .whereRef('emailId', '=', 'emails.id')
            .where('email_folders.userId', '=', userId)
            .where('email_folders.folder', '=', folder),
        ),
      ]),
    )
    .execute()
  return new Set(rows.map(({ id }) => id))
}
