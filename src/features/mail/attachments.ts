import type { Readable } from 'node:stream'
import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Blobs } from '../../platform/blobs/blobs.ts'
import type { Clock } from '../../platform/clock.ts'
import { invalidField, notFound } from '../../platform/errors.ts'
import { type Random, randomId } from '../../platform/random.ts'
import type { SystemMail } from '../system-mail/recognition.ts'
import { type Attachment, toAttachment } from './email.ts'
import {
  type AttachmentRecord,
  attach,
  deleteAttachments,
  findAttachment,
  findOldUploads,
  findUploads,
  insertAttachments,
} from './email-repository.ts'
import { toSafeFilename } from './mime/parts.ts'

/** An upload that is not attached within this time is deleted. */
const UPLOAD_TTL_MS = 24 * 3_600_000
const BATCH_SIZE = 200

/** Browsers might execute or render other types as a page. They are served as application/octet-stream. */
const SAFE_CONTENT_TYPE =
  /^(?:image\/(?:png|jpeg|gif|webp|avif|bmp)|audio\/[\w.+-]+|video\/[\w.+-]+|application\/(?:pdf|zip|gzip|json)|text\/(?:plain|csv|calendar))$/

export interface OpenedAttachment {
  filename: string
  /** The content type that is safe to serve to a browser. */
  contentType: string
  size: number
  hash: string
  content: Readable
}

export interface AttachmentsDeps {
  db: Db
  blobs: Blobs
  clock: Clock
  random: Random
  systemMail: SystemMail
}

export type Attachments = ReturnType<typeof createAttachments>

export const createAttachments = ({ db, blobs, clock, random, systemMail }: AttachmentsDeps) => ({
  /** Stores a file for an email that is created later. */
  async upload(file: { filename: string; contentType: string; content: Buffer }): Promise<Attachment> {
    await systemMail.refuse(file.content)
    const staged = await blobs.stage(file.content)
    try {
      const row: AttachmentRecord = {
        id: randomId(random),
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
        await insertAttachments(tx, [row])
      })
      return toAttachment(row)
    } catch (error) {
      await staged.discard()
      throw error
    }
  },

  async getUpload(id: string): Promise<Attachment> {
    const [upload] = await findUploads(db, [id])
    if (!upload) throw notFound('upload')
    return toAttachment(upload)
  },

  /** Returns the uploads for an email in the requested order. */
  async getUploads(view: Db, ids: readonly string[], given = ids): Promise<AttachmentRecord[]> {
    const found = new Map((await findUploads(view, ids)).map((upload) => [upload.id, upload]))
    return [...new Set(ids)].map((id) => {
      const upload = found.get(id)
      if (!upload)
        throw invalidField(`attachmentIds.${given.indexOf(id)}`, 'is not an upload, or has expired')
      return upload
    })
  },

  async attach(tx: Db, emailId: number, uploads: readonly AttachmentRecord[]): Promise<void> {
    const ids = uploads.map(({ id }) => id)
    if (!(await attach(tx, emailId, ids)))
      throw invalidField('attachmentIds', 'contains an upload that belongs to another email')
  },

  async detach(tx: Db, attachments: readonly AttachmentRecord[]): Promise<void> {
    const ids = attachments.map(({ id }) => id)
    await deleteAttachments(tx, ids)
    await blobs.release(
      tx,
      attachments.map(({ blob }) => blob),
    )
  },

  async open(view: Db, emailId: number, id: string): Promise<OpenedAttachment> {
    const attachment = await findAttachment(view, emailId, id)
    if (!attachment) throw notFound('attachment')
    const { filename, contentType, size, blob } = attachment
    if (!(await blobs.has(view, blob))) throw new Error(`The content of attachment ${id} is missing.`)
    return {
      filename,
      contentType: SAFE_CONTENT_TYPE.test(contentType) ? contentType : 'application/octet-stream',
      size,
      hash: blob,
      content: blobs.read(view, blob),
    }
  },

  /** Deletes expired uploads that belong to no email. */
  async prune(): Promise<void> {
    const before = new Date(clock.now().getTime() - UPLOAD_TTL_MS).toISOString()
    for (;;) {
      const old = await findOldUploads(db, before, BATCH_SIZE)
      if (old.length > 0)
        await inTransaction(db, async (tx) => {
          // Keep uploads that were attached meanwhile.
          const unattached = await findUploads(
            tx,
            old.map(({ id }) => id),
          )
          await this.detach(tx, unattached)
        })
      if (old.length < BATCH_SIZE) return
    }
  },
})
