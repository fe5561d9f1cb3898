import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../../database/db.ts'
import type { AttachmentRow } from '../../database/tables/mail.ts'

export type AttachmentRecord = Selectable<AttachmentRow>

export const insertAttachments = async (
  tx: Db,
  rows: readonly Insertable<AttachmentRow>[],
): Promise<void> => {
  if (rows.length > 0) await tx.insertInto('attachments').values(rows).execute()
}

export const findAttachment = (db: Db, emailId: number, id: string): Promise<AttachmentRecord | undefined> =>
  db
    .selectFrom('attachments')
    .selectAll()
    .where('id', '=', id)
    .where('emailId', '=', emailId)
    .executeTakeFirst()

export const listAttachments = (db: Db, emailId: number): Promise<AttachmentRecord[]> =>
  db.selectFrom('attachments').selectAll().where('emailId', '=', emailId).execute()

/** Uploaded, and not yet part of an e-mail. */
export const findUploads = (db: Db, ids: readonly string[]): Promise<AttachmentRecord[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : db.selectFrom('attachments').selectAll().where('id', 'in', ids).where('emailId', 'is', null).execute()

/** Of two that want the same upload, one gets it: false for the other. */
export const attach = async (tx: Db, emailId: number, ids: readonly string[]): Promise<boolean> => {
  if (ids.length === 0) return true
  const { numUpdatedRows } = await tx
    .updateTable('attachments')
    .set({ emailId })
    .where('id', 'in', ids)
    .where('emailId', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === BigInt(ids.length)
}

export const deleteAttachments = async (tx: Db, ids: readonly string[]): Promise<void> => {
  if (ids.length > 0) await tx.deleteFrom('attachments').where('id', 'in', ids).execute()
}

export const findOldUploads = (db: Db, before: string, limit: number): Promise<AttachmentRecord[]> =>
  db
    .selectFrom('attachments')
    .selectAll()
    .where('emailId', 'is', null)
    .where('createdAt', '<', before)
    .orderBy('createdAt')
    .limit(limit)
    .execute()
