import type { Selectable } from 'kysely'
import { ALL_ACCOUNTS } from '../../../database/all-accounts.ts'
import type { Db } from '../../../database/db.ts'
import { prepare } from '../../../database/prepared.ts'
import type { AttachmentRow } from '../../../database/tables/mail.ts'

export type AttachmentRecord = Selectable<AttachmentRow>

export const insertAttachment = prepare<AttachmentRow>((db, row) => db.insertInto('attachments').values(row))

export const findAttachment = (
  db: Db,
  userId: number,
  emailId: number,
  id: string,
): Promise<AttachmentRecord | undefined> =>
  db
    .selectFrom('attachments')
    .selectAll()
    .where('id', '=', id)
    .where('emailId', '=', emailId)
    .where('userId', '=', userId)
    .executeTakeFirst()

export const listAttachments = (db: Db, userId: number, emailId: number): Promise<AttachmentRecord[]> =>
  db
    .selectFrom('attachments')
    .selectAll()
    .where('emailId', '=', emailId)
    .where('userId', '=', userId)
    .execute()

/** Lists the attachments of some emails. */
export const listAttachmentsOf = (
  db: Db,
  userId: number,
  emailIds: readonly number[],
): Promise<AttachmentRecord[]> =>
  db
    .selectFrom('attachments')
    .selectAll()
    .where('userId', '=', userId)
    .where('emailId', 'in', emailIds)
    .execute()

/** Finds uploads that are not attached to an email yet. */
export const findUploads = (db: Db, userId: number, ids: readonly string[]): Promise<AttachmentRecord[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('attachments')
        .selectAll()
        .where('id', 'in', ids)
        .where('userId', '=', userId)
        .where('emailId', 'is', null)
        .execute()

/** Lists all uploads of an account that are not attached to an email. */
export const listUploads = (db: Db, userId: number): Promise<AttachmentRecord[]> =>
  db.selectFrom('attachments').selectAll().where('userId', '=', userId).where('emailId', 'is', null).execute()

/** Attaches uploads to an email. Returns false if another email took one of them at the same time. */
export const attach = async (
  tx: Db,
  userId: number,
  emailId: number,
  ids: readonly string[],
): Promise<boolean> => {
  if (ids.length === 0) return true
  const { numUpdatedRows } = await tx
    .updateTable('attachments')
    .set({ emailId })
    .where('id', 'in', ids)
    .where('userId', '=', userId)
    .where('emailId', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === BigInt(ids.length)
}

export const deleteAttachments = async (tx: Db, userId: number, ids: readonly string[]): Promise<void> => {
  if (ids.length > 0)
    await tx.deleteFrom('attachments').where('id', 'in', ids).where('userId', '=', userId).execute()
}

/** Finds expired uploads of all accounts. */
export const findOldUploads = (db: Db, before: string, limit: number): Promise<AttachmentRecord[]> =>
  db
    .selectFrom('attachments')
    .selectAll()
    .where('emailId', 'is', null)
    .where('createdAt', '<', before)
    .orderBy('createdAt')
    .limit(limit)
    .modifyEnd(ALL_ACCOUNTS)
    .execute()
