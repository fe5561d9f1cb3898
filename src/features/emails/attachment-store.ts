import type { Selectable } from 'kysely'
import type { Db } from '../../database/db.ts'
import { prepareWrite } from '../../database/prepared.ts'
import type { AttachmentRow } from '../../database/tables/mail.ts'

export type AttachmentRecord = Selectable<AttachmentRow>

const insertAttachment = prepareWrite<AttachmentRow, unknown>((db, parameter) =>
  db.insertInto('attachments').values({
    id: parameter('id'),
    emailId: parameter('emailId'),
    filename: parameter('filename'),
    contentType: parameter('contentType'),
    size: parameter('size'),
    blob: parameter('blob'),
    contentId: parameter('contentId'),
    createdAt: parameter('createdAt'),
  }),
)

export const insertAttachments = async (tx: Db, rows: readonly AttachmentRow[]): Promise<void> => {
  for (const row of rows) await insertAttachment(tx, row)
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

/** What the attachments of some e-mails say they are. */
export const listAttachmentTypes = async (
  db: Db,
  emailIds: readonly number[],
): Promise<{ emailId: number; contentType: string; filename: string }[]> =>
  emailIds.length === 0
    ? []
    : db
        .selectFrom('attachments')
        .select(['emailId', 'contentType', 'filename'])
        .where('emailId', 'in', emailIds)
        .$narrowType<{ emailId: number }>()
        .execute()

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
