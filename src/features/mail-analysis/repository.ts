import type { Insertable, Selectable } from 'kysely'
import { ALL_ACCOUNTS } from '../../database/all-accounts.ts'
import type { Db } from '../../database/db.ts'
import type { ReservationMailRow, ReservationRow } from '../../database/tables/reservations.ts'

export type ReservationRecord = Selectable<ReservationRow>

/** Emails in other folders are no source: they were sent, are drafts, or were thrown away. */
export const SOURCE_FOLDERS = ['inbox', 'archive', 'other'] as const

/** Locks the rows of some reservations. */
export const lockReservations = async (
  tx: Db,
  userId: number,
  keys: readonly string[],
): Promise<ReservationRecord[]> =>
  keys.length === 0
    ? []
    : tx
        .selectFrom('reservations')
        .selectAll()
        .where('userId', '=', userId)
        .where('key', 'in', keys)
        .forUpdate()
        .execute()

export const deleteReservationsOf = async (tx: Db, userId: number, emailId: number): Promise<void> => {
  await tx.deleteFrom('reservations').where('userId', '=', userId).where('emailId', '=', emailId).execute()
}

export const insertReservation = async (tx: Db, row: Insertable<ReservationRow>): Promise<void> => {
  await tx.insertInto('reservations').values(row).execute()
}

/** Gives all rows of a reservation the same facts. */
export const updateReservation = async (
  tx: Db,
  userId: number,
  key: string,
  facts: Pick<ReservationRow, 'status' | 'startAt' | 'endAt' | 'facts'>,
): Promise<void> => {
  await tx
    .updateTable('reservations')
    .set(facts)
    .where('userId', '=', userId)
    .where('key', '=', key)
    .execute()
}

export interface ReservationFilter {
  type?: string | undefined
  status?: string | undefined
  /** Lower limit of the end, inclusive. `earliest` limits the start, so that an index finds the rows. */
  from?: string | undefined
  earliest?: string | undefined
  /** Upper limit of the start, exclusive. */
  to?: string | undefined
}

/** Lists reservations by start, with the email of each row. */
export const listReservations = (
  db: Db,
  userId: number,
  { type, status, from, earliest, to }: ReservationFilter,
  limit: number,
) => {
  let query = db
    .selectFrom('reservations')
    .innerJoin('emails', 'emails.id', 'reservations.emailId')
    .selectAll('reservations')
    .select(['emails.subject', 'emails.fromName', 'emails.fromAddress'])
    .where('reservations.userId', '=', userId)
    .where('emails.userId', '=', userId)
    .where('emails.folder', 'in', SOURCE_FOLDERS)
  if (type !== undefined) query = query.where('reservations.type', '=', type)
  if (status !== undefined) query = query.where('reservations.status', '=', status)
  if (from !== undefined) query = query.where('reservations.endAt', '>=', from)
  if (earliest !== undefined) query = query.where('reservations.startAt', '>=', earliest)
  if (to !== undefined) query = query.where('reservations.startAt', '<', to)
  return query.orderBy('reservations.startAt').orderBy('reservations.key').limit(limit).execute()
}
export type ListedReservation = Awaited<ReturnType<typeof listReservations>>[number]

/* The queue of emails to read. */

export const queueMail = async (tx: Db, row: ReservationMailRow): Promise<void> => {
  await tx
    .insertInto('reservation_mails')
    .values(row)
    .onConflict((conflict) => conflict.column('emailId').doNothing())
    .execute()
}

/** Lists the newest queued emails, of one account or of all. */
export const listQueued = (
  db: Db,
  userId: number | undefined,
  limit: number,
): Promise<ReservationMailRow[]> => {
  const query = db.selectFrom('reservation_mails').selectAll().orderBy('emailId', 'desc').limit(limit)
  return userId === undefined
    ? query.modifyEnd(ALL_ACCOUNTS).execute()
    : query.where('userId', '=', userId).execute()
}

/** Takes an email from the queue. Returns false if another process has taken it. */
export const takeQueued = async (tx: Db, { userId, emailId }: ReservationMailRow): Promise<boolean> => {
  const { numDeletedRows } = await tx
    .deleteFrom('reservation_mails')
    .where('userId', '=', userId)
    .where('emailId', '=', emailId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export const findMail = (db: Db, userId: number, emailId: number) =>
  db
    .selectFrom('emails')
    .select(['folder', 'date', 'unreadable'])
    .where('userId', '=', userId)
    .where('id', '=', emailId)
    .executeTakeFirst()
