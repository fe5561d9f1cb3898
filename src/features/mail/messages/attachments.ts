import { addToStorage } from '../../../database/account-storage.ts'
import type { Db } from '../../../database/db.ts'
import { inTransaction } from '../../../database/transaction.ts'
import type { Blobs } from '../../../platform/blobs/blobs.ts'
import { notFound } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import { randomId } from '../../../platform/random.ts'
import type { SystemMail } from '../../system-mail/recognition.ts'
import { toSafeFilename } from '../mime/parts.ts'
import {
  type AttachmentRecord,
  deleteAttachments,
  findAttachment,
  findOldUploads,
  findUploads,
  insertAttachment,
} from './attachment-repository.ts'
import { type Attachment, toAttachment } from './email.ts'

/** An upload that is not attached within this time is deleted. */
const UPLOAD_TTL_MS = 24 * 3_600_000
const BATCH_SIZE = 200

/** Browsers might execute or render other types as a page. They are served as application/octet-stream. */
const SAFE_CONTENT_TYPE =
  /^(?:image\/(?:png|jpeg|gif|webp|avif|bmp)|audio\/[\w.+-]+|video\/[\w.+-]+|application\/(?:pdf|zip|gzip|json)|text\/(?:plain|csv|calendar))$/

/** Deletes attachments of an account and releases their blobs. */
export const removeAttachments = async (
  tx: Db,
  userId: number,
  blobs: Pick<Blobs, 'release'>,
  attachments: readonly AttachmentRecord[],
): Promise<void> => {
  const ids = attachments.map(({ id }) => id)
  await deleteAttachments(tx, userId, ids)
  await addToStorage(tx, userId, -attachments.reduce((sum, { size }) => sum + size, 0))
  const hashes = attachments.map(({ blob }) => blob)
  await blobs.release(tx, hashes)
}

export type Attachments = ReturnType<typeof createAttachments>

export const createAttachments = (
  { db, blobs, clock, random, quota }: Pick<Platform, 'db' | 'blobs' | 'clock' | 'random' | 'quota'>,
  systemMail: SystemMail,
) => ({
  /** Stores a file for an email that is created later. */
  async upload(
    userId: number,
    file: { filename: string; contentType: string; content: Buffer },
  ): Promise<Attachment> {
    await systemMail.refuse(file.content)
    const staged = await blobs.stage(file.content)
    try {
      const row: AttachmentRecord = {
        id: randomId(random),
        userId,
        emailId: null,
        filename: toSafeFilename(file.filename, file.contentType, 1),
        contentType: file.contentType,
        size: staged.size,
        blob: staged.hash,
        contentId: null,
        createdAt: clock.now().toISOString(),
      }
      await inTransaction(db, async (tx) => {
        await blobs.keep(tx, staged)
        await insertAttachment(tx, row)
        await addToStorage(tx, userId, row.size)
        await quota.requireSpace(tx, userId)
      })
      return toAttachment(row)
    } catch (error) {
      await staged.discard()
      throw error
    }
  },

  async getUpload(userId: number, id: string): Promise<Attachment> {
    const [upload] = await findUploads(db, userId, [id])
    if (!upload) throw notFound('upload')
    return toAttachment(upload)
  },

  /** Opens an attachment. Its content type is safe to serve to a browser. */
  async open(view: Db, userId: number, emailId: number, id: string) {
    const attachment = await findAttachment(view, userId, emailId, id)
    if (!attachment) throw notFound('attachment')
    const { filename, contentType, size, blob } = attachment
    return {
      filename,
      contentType: SAFE_CONTENT_TYPE.test(contentType) ? contentType : 'application/octet-stream',
      size,
      hash: blob,
      content: await blobs.open(view, blob),
    }
  },

  /** Deletes expired uploads that belong to no email. */
  async prune(): Promise<void> {
    const before = new Date(clock.now().getTime() - UPLOAD_TTL_MS).toISOString()
    for (;;) {
      const old = await findOldUploads(db, before, BATCH_SIZE)
      if (old.length > 0)
        await inTransaction(db, async (tx) => {
          for (const userId of new Set(old.map((upload) => upload.userId))) {
            // Keep uploads that were attached meanwhile.
            const ids = old.filter((upload) => upload.userId === userId).map(({ id }) => id)
            await removeAttachments(tx, userId, blobs, await findUploads(tx, userId, ids))
          }
        })
      if (old.length < BATCH_SIZE) return
    }
  },
})
