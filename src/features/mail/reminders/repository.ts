import { sql } from 'kysely'
import { ALL_ACCOUNTS } from '../../../database/all-accounts.ts'
import type { Db } from '../../../database/db.ts'
import { PLACES, positionOf } from '../../../database/positions.ts'
import type { EmailRecord } from '../messages/email-repository.ts'

const MINUTE_MS = 60_000

/**
 * Returns a free list position at this time, counted down from the end of the millisecond. Positions of dates are counted
 * up. So a page never ends between two equal ones.
 */
export const findReturnPosition = async (tx: Db, userId: number, at: string): Promise<number> => {
  const end = positionOf(at) + PLACES
  const row = await tx
    .selectFrom('emails')
    .select(({ fn }) => fn.min('returnedPosition').as('taken'))
    .where('userId', '=', userId)
    .where('returnedPosition', '>', end - PLACES * MINUTE_MS)
    .where('returnedPosition', '<', end)
    .executeTakeFirst()
  return Number(row?.taken ?? end) - 1
}

type ReminderColumn = 'snoozedUntil' | 'followUpAt'

const takeDue = (tx: Db, column: ReminderColumn, now: string) =>
  tx
    .updateTable('emails')
    .set((row) => ({ [column]: null, version: row('version', '+', 1), updatedAt: now }))
    .where(column, '<=', now)
    .returningAll()
    .modifyEnd(ALL_ACCOUNTS)

/** Ends the due snoozes or follow-ups of all accounts, the oldest first, and returns their emails. */
export const takeDueReminders = (
  tx: Db,
  column: ReminderColumn,
  now: string,
  limit: number,
): Promise<EmailRecord[]> =>
  takeDue(tx, column, now)
    .where('id', 'in', (db) =>
      db.selectFrom('emails').select('id').where(column, '<=', now).orderBy(column).limit(limit),
    )
    .execute()

/** Ends the snooze of the other due emails of these conversations, so that each conversation returns once. */
export const takeDueSnoozesOf = (tx: Db, now: string, threadIds: readonly number[]): Promise<EmailRecord[]> =>
  takeDue(tx, 'snoozedUntil', now).where('threadId', 'in', threadIds).execute()

export const setReturned = (
  tx: Db,
  { id, userId }: Pick<EmailRecord, 'id' | 'userId'>,
  returned: Pick<EmailRecord, 'returnedPosition' | 'returnReason'>,
): Promise<EmailRecord> =>
  tx
    .updateTable('emails')
    .set(returned)
    .where('id', '=', id)
    .where('userId', '=', userId)
    .returningAll()
    .executeTakeFirstOrThrow()

const REMINDED_COLUMNS = [
  'id',
  'position',
  'messageId',
  'snoozedUntil',
  'followUpAt',
  'pinned',
  'returnedPosition',
] as const
type RemindedEmail = Pick<EmailRecord, (typeof REMINDED_COLUMNS)[number]>

/** The newest emails of a thread that are checked. */
const MAX_CHECKED = 200

/** Lists the other emails of a thread that are snoozed, followed up, pinned or returned. */
export const listReminded = (
  tx: Db,
  { id, userId, threadId }: Pick<EmailRecord, 'id' | 'userId' | 'threadId'>,
): Promise<RemindedEmail[]> =>
  tx
    .selectFrom('emails')
    .select(REMINDED_COLUMNS)
    .where('userId', '=', userId)
    .where('threadId', '=', threadId)
    .where('id', '!=', id)
    .where((row) =>
      row.or([
        row('snoozedUntil', 'is not', null),
        row('followUpAt', 'is not', null),
        row('returnedPosition', 'is not', null),
        row('pinned', '=', 1),
      ]),
    )
    .orderBy('position', 'desc')
    .limit(sql.lit(MAX_CHECKED))
    .execute()

/** Clears or sets reminder columns of some emails. */
export const updateReminders = async (
  tx: Db,
  userId: number,
  emails: readonly Pick<EmailRecord, 'id'>[],
  change: Partial<
    Pick<EmailRecord, 'snoozedUntil' | 'followUpAt' | 'pinned' | 'returnedPosition' | 'returnReason'>
  >,
  at: string,
): Promise<void> => {
  const ids = emails.map(({ id }) => id)
  if (ids.length > 0)
    await tx
      .updateTable('emails')
      .set((row) => ({ ...change, version: row('version', '+', 1), updatedAt: at }))
      .where('userId', '=', userId)
      .where('id', 'in', ids)
      .execute()
}

/** The addresses of the mail accounts of a user, with their identities, in lower case. */
export const listOwnAddresses = async (db: Db, userId: number): Promise<Set<string>> => {
  const rows = await db
    .selectFrom('mail_accounts')
    .select(['address', 'identities'])
    .where('userId', '=', userId)
    .execute()
  return new Set(
    rows
      .flatMap(({ address, identities }) => [
        address,
        ...(JSON.parse(identities) as { address: string }[]).map((identity) => identity.address),
      ])
      .map((address) => address.toLowerCase()),
  )
}
