import { sql } from 'kysely'
import type { Db } from '../../database/db.ts'
import type { EmailRecord } from './store.ts'

const MOST_CANDIDATES = 50

/** The conversations in which any of these messages is, or is spoken of. */
export const findLinkedThreads = async (tx: Db, messageIds: readonly string[]): Promise<number[]> => {
  if (messageIds.length === 0) return []
  const rows = await tx
    .selectFrom('email_links')
    .innerJoin('emails', 'emails.id', 'email_links.emailId')
    .select('emails.threadId')
    .where('email_links.messageId', 'in', messageIds)
    .execute()
  return [...new Set(rows.map((row) => row.threadId))]
}

/** E-mails with the subject of this one, from around the same time, the newest first. */
export const listBySubject = (tx: Db, email: EmailRecord, window: number): Promise<EmailRecord[]> =>
  tx
    .selectFrom('emails')
    .selectAll()
    .where('subjectKey', '=', email.subjectKey)
    .where('position', '>', email.position - window)
    .where('position', '<', email.position + window)
    .where('id', '!=', email.id)
    .orderBy('position', 'desc')
    .limit(MOST_CANDIDATES)
    .execute()

/** Whoever knows an e-mail by its version hears that its conversation has become another. */
export const mergeThreads = async (tx: Db, threadIds: readonly number[], into: number): Promise<void> => {
  if (threadIds.length > 0)
    await tx
      .updateTable('emails')
      .set((row) => ({ threadId: into, version: row('version', '+', 1) }))
      .where('threadId', 'in', threadIds)
      .execute()
}

export const setThread = async (tx: Db, id: number, threadId: number): Promise<void> => {
  await tx.updateTable('emails').set({ threadId }).where('id', '=', id).execute()
}

export const insertLinks = async (tx: Db, emailId: number, messageIds: readonly string[]): Promise<void> => {
  if (messageIds.length > 0)
    await tx
      .insertInto('email_links')
      .values(messageIds.map((messageId) => ({ messageId, emailId })))
      .onConflict((known) => known.doNothing())
      .execute()
}

/** The e-mail is alone again, and speaks of no other. */
export const clearThread = async (tx: Db, id: number): Promise<void> => {
  await tx.deleteFrom('email_links').where('emailId', '=', id).execute()
  await tx.updateTable('emails').set({ threadId: sql`id` }).where('id', '=', id).execute()
}
