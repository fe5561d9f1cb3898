import type { Insertable, Selectable, Updateable } from 'kysely'
import { ALL_ACCOUNTS } from '../../database/all-accounts.ts'
import type { Db } from '../../database/db.ts'
import type { CommitmentMailRow, CommitmentRow } from '../../database/tables/commitments.ts'
import { versionedRows } from '../../platform/resources.ts'

export type CommitmentRecord = Selectable<CommitmentRow>
export type NewCommitment = Insertable<CommitmentRow>
export type CommitmentUpdate = Updateable<CommitmentRow>

export const commitmentRows = versionedRows('commitments', 'commitment')

export interface CommitmentFilter {
  direction?: CommitmentRow['direction'] | undefined
  status?: CommitmentRow['status'] | undefined
  address?: string | undefined
  /** Upper limit of `place`, exclusive. */
  below?: number | undefined
  /** Only those that were overdue at this instant. */
  lateAt?: string | undefined
}

export const listCommitments = (
  db: Db,
  userId: number,
  { direction, status, address, below, lateAt }: CommitmentFilter,
  page: { after: { place: number; id: number } | undefined; limit: number },
): Promise<CommitmentRecord[]> => {
  let query = commitmentRows.select(db, userId)
  if (direction !== undefined) query = query.where('direction', '=', direction)
  if (status !== undefined) query = query.where('status', '=', status)
  if (address !== undefined) query = query.where('personAddress', '=', address)
  if (below !== undefined) query = query.where('place', '<', below)
  if (lateAt !== undefined) query = query.where('lateAt', '<=', lateAt)
  const { after } = page
  if (after !== undefined)
    query = query.where((row) => row(row.refTuple('place', 'id'), '>', row.tuple(after.place, after.id)))
  return query
    .orderBy('place')
    .orderBy('id')
    .limit(page.limit + 1)
    .execute()
}

/** Lists the newest open promises from or to one of these people. */
export const listOpenWith = async (
  tx: Db,
  userId: number,
  addresses: readonly string[],
  limit: number,
): Promise<CommitmentRecord[]> => {
  const found: CommitmentRecord[] = []
  for (const address of addresses)
    found.push(
      ...(await commitmentRows
        .select(tx, userId)
        .where('personAddress', '=', address)
        .where('status', '=', 'open')
        .orderBy('place')
        .orderBy('id')
        .limit(limit)
        .execute()),
    )
  return found
}

/** Takes the promises of all accounts whose reminder is due. Each is returned once. */
export const takeDueCommitments = async (
  tx: Db,
  now: string,
  limit: number,
): Promise<{ row: CommitmentRecord; remindAt: string }[]> => {
  const due = await tx
    .selectFrom('commitments')
    .selectAll()
    .where('remindAt', 'is not', null)
    .where('remindAt', '<=', now)
    .orderBy('remindAt')
    .limit(limit)
    .modifyEnd(ALL_ACCOUNTS)
    .execute()
  const taken: { row: CommitmentRecord; remindAt: string }[] = []
  for (const row of due) {
    // Two servers can run the job at once. Only one of them clears the time.
    const { numUpdatedRows } = await tx
      .updateTable('commitments')
      .set({ remindAt: null })
      .where('userId', '=', row.userId)
      .where('id', '=', row.id)
      .where('remindAt', '=', row.remindAt)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows > 0n) taken.push({ row, remindAt: row.remindAt as string })
  }
  return taken
}

export const listOfTask = (tx: Db, userId: number, taskId: number): Promise<CommitmentRecord[]> =>
  commitmentRows.select(tx, userId).where('taskId', '=', taskId).execute()

export const hasCommitmentsOf = async (tx: Db, userId: number, emailId: number): Promise<boolean> =>
  (await tx
    .selectFrom('commitments')
    .select('id')
    .where('userId', '=', userId)
    .where('emailId', '=', emailId)
    .limit(1)
    .executeTakeFirst()) !== undefined

/** Lists open promises whose due date is a day. */
export const listDueOnDay = (tx: Db, userId: number): Promise<CommitmentRecord[]> =>
  commitmentRows.select(tx, userId).where('status', '=', 'open').where('dueDay', 'is not', null).execute()

/** Writes the end of the due day, which an export does not contain. The version stays. */
export const setLateAt = async (tx: Db, userId: number, id: number, lateAt: string | null): Promise<void> => {
  await tx
    .updateTable('commitments')
    .set({ lateAt })
    .where('userId', '=', userId)
    .where('id', '=', id)
    .execute()
}

/** Maps addresses to the contacts that have them. */
export const findContactIds = async (
  db: Db,
  userId: number,
  addresses: readonly string[],
): Promise<Map<string, number>> => {
  if (addresses.length === 0) return new Map()
  const rows = await db
    .selectFrom('contact_addresses')
    .select(['address', 'contactId'])
    .where('userId', '=', userId)
    .where('address', 'in', [...new Set(addresses)])
    .where('contactId', 'is not', null)
    .execute()
  return new Map(rows.map(({ address, contactId }) => [address, contactId as number]))
}

/* The queue of emails to read. */

export const queueMail = async (tx: Db, row: CommitmentMailRow): Promise<void> => {
  await tx
    .insertInto('commitment_mails')
    .values(row)
    .onConflict((conflict) => conflict.column('emailId').doNothing())
    .execute()
}

/** Lists the oldest queued emails, of one account or of all. */
export const listQueued = (
  db: Db,
  userId: number | undefined,
  limit: number,
): Promise<CommitmentMailRow[]> => {
  const query = db.selectFrom('commitment_mails').selectAll().orderBy('emailId').limit(limit)
  return userId === undefined
    ? query.modifyEnd(ALL_ACCOUNTS).execute()
    : query.where('userId', '=', userId).execute()
}

/** Takes an email from the queue. Returns false if another process has taken it. */
export const takeQueued = async (tx: Db, { userId, emailId }: CommitmentMailRow): Promise<boolean> => {
  const { numDeletedRows } = await tx
    .deleteFrom('commitment_mails')
    .where('userId', '=', userId)
    .where('emailId', '=', emailId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/* Emails, as far as promises need them. */

const MAIL_COLUMNS = [
  'id',
  'threadId',
  'position',
  'folder',
  'fromName',
  'fromAddress',
  'to',
  'cc',
  'subject',
  'date',
  'attachments',
  'listId',
  'unreadable',
] as const

export const findMail = (db: Db, userId: number, id: number) =>
  db
    .selectFrom('emails')
    .select(MAIL_COLUMNS)
    .where('userId', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()

export type MailRecord = NonNullable<Awaited<ReturnType<typeof findMail>>>

/** Lists the emails of a thread after a position, oldest first, with their texts. */
export const listLaterMails = (
  db: Db,
  userId: number,
  { threadId, position }: { threadId: number; position: number },
  limit: number,
) =>
  db
    .selectFrom('emails')
    .innerJoin('email_bodies', 'email_bodies.emailId', 'emails.id')
    .select(MAIL_COLUMNS)
    .select('email_bodies.text')
    .where('emails.userId', '=', userId)
    .where('emails.threadId', '=', threadId)
    .where('emails.position', '>', position)
    .orderBy('emails.position')
    .limit(limit)
    .execute()
