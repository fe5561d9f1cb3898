import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db } from '../../database/db.ts'
import type { NotificationMailRow } from '../../database/tables/notifications.ts'

export type MailRecord = Selectable<NotificationMailRow>

export const insertMail = async (tx: Db, row: Insertable<NotificationMailRow>): Promise<number> => {
  const { id } = await tx
    .insertInto('notification_mails')
    .values(row)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export const findMail = (db: Db, id: number): Promise<MailRecord | undefined> =>
  db.selectFrom('notification_mails').selectAll().where('id', '=', id).executeTakeFirst()

/** Changes it if it is still in that state (and in that attempt); of any number that try at once, one succeeds. */
export const advanceMail = async (
  tx: Db,
  id: number,
  from: { state: MailRecord['state']; attempt?: string },
  change: Updateable<NotificationMailRow>,
): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('notification_mails')
    .set(change)
    .where('id', '=', id)
    .where('state', '=', from.state)
    .$if(from.attempt !== undefined, (query) => query.where('attempt', '=', from.attempt as string))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Which of these e-mails are mail of ours that came home: of them nobody is told, or it would never end. */
export const listOwnMail = async (tx: Db, emailIds: readonly number[]): Promise<Set<number>> => {
  const rows = await tx
    .selectFrom('emails')
    .innerJoin('notification_mails', 'notification_mails.messageId', 'emails.messageId')
    .select('emails.id')
    .where('emails.id', 'in', emailIds)
    .execute()
  return new Set(rows.map(({ id }) => id))
}
