import type { Selectable } from 'kysely'
import type { Db } from '../../../database/db.ts'
import type { MailPushRow } from '../../../database/tables/mail-accounts.ts'

export type PushRecord = Selectable<MailPushRow>

export const insertPush = async (
  tx: Db,
  push: { accountId: string; kind: MailPushRow['kind']; emailId: number; wish: unknown; createdAt: string },
): Promise<void> => {
  await tx
    .insertInto('mail_pushes')
    .values({ ...push, wish: JSON.stringify(push.wish), attempts: 0 })
    .execute()
}

export const listPushes = (db: Db, accountId: string, limit: number): Promise<PushRecord[]> =>
  db
    .selectFrom('mail_pushes')
    .selectAll()
    .where('accountId', '=', accountId)
    .orderBy('id')
    .limit(limit)
    .execute()

/** Which of these e-mails have something that the server does not know yet. */
export const findPushed = async (db: Db, emailIds: readonly number[]): Promise<Set<number>> => {
  const found = new Set<number>()
  for (let start = 0; start < emailIds.length; start += 500) {
    const part = emailIds.slice(start, start + 500)
    const rows = await db.selectFrom('mail_pushes').select('emailId').where('emailId', 'in', part).execute()
    for (const { emailId } of rows) found.add(emailId)
  }
  return found
}

export const deletePush = async (tx: Db, id: number): Promise<void> => {
  await tx.deleteFrom('mail_pushes').where('id', '=', id).execute()
}

export const deletePushesOf = async (tx: Db, emailId: number): Promise<void> => {
  await tx.deleteFrom('mail_pushes').where('emailId', '=', emailId).execute()
}

export const countAttempt = async (tx: Db, id: number): Promise<void> => {
  await tx
    .updateTable('mail_pushes')
    .set((push) => ({ attempts: push('attempts', '+', 1) }))
    .where('id', '=', id)
    .execute()
}
