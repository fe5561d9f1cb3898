import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db } from '../../../database/db.ts'
import type { OutboxRow } from '../../../database/tables/mail.ts'

export type OutboxRecord = Selectable<OutboxRow>

export const insertOutbox = async (tx: Db, row: Insertable<OutboxRow>): Promise<void> => {
  await tx.insertInto('outbox').values(row).execute()
}

export const findOutbox = (db: Db, emailId: number): Promise<OutboxRecord | undefined> =>
  db.selectFrom('outbox').selectAll().where('emailId', '=', emailId).executeTakeFirst()

/**
 * Changes the row only if it is still in the expected state and attempt. Only one of several concurrent calls
 * succeeds.
 */
export const advanceOutbox = async (
  tx: Db,
  emailId: number,
  from: { state: OutboxRow['state']; attempt?: string },
  change: Updateable<OutboxRow>,
): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('outbox')
    .set(change)
    .where('emailId', '=', emailId)
    .where('state', '=', from.state)
    .$if(from.attempt !== undefined, (query) => query.where('attempt', '=', from.attempt as string))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The messages of an account that wait for another attempt. */
export const listOverdue = (db: Db, accountId: string, now: string): Promise<{ emailId: number }[]> =>
  db
    .selectFrom('outbox')
    .select('emailId')
    .where('accountId', '=', accountId)
    .where('state', '=', 'queued')
    .where('sendAt', '<=', now)
    .orderBy('sendAt')
    .orderBy('emailId')
    .execute()

export const deleteOutbox = async (tx: Db, emailId: number): Promise<void> => {
  await tx.deleteFrom('outbox').where('emailId', '=', emailId).execute()
}

interface Original {
  messageId: string | null
  inReplyTo: string | null
  references: string
}

/** The ids that a reply needs to join the conversation. */
export const findOriginal = (
  db: Db,
  userId: number,
  reference: number | string,
): Promise<Original | undefined> =>
  db
    .selectFrom('emails')
    .select(['messageId', 'inReplyTo', 'references'])
    .where('userId', '=', userId)
    .$if(typeof reference === 'number', (query) => query.where('id', '=', reference as number))
    .$if(typeof reference === 'string', (query) => query.where('messageId', '=', reference as string))
    .limit(1)
    .executeTakeFirst()
