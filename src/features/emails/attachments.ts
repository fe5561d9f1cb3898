import type { Readable } from 'node:stream'
import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Blobs } from '../../platform/blobs/blobs.ts'
import type { Clock } from '../../platform/clock.ts'
import { invalidField, notFound } from '../../platform/errors.ts'
import { type Random, randomId } from '../../platform/random.ts'
import {
  type AttachmentRecord,
  attach,
  deleteAttachments,
  findAttachment,
  findOldUploads,
  findUploads,
  insertAttachments,
} from './attachment-store.ts'
import { tidyFilename } from './mime/filenames.ts'
import type { AttachmentView } from './view.ts'

/** How long an upload waits for the e-mail it is meant for. */
const UPLOAD_KEPT_MS = 24 * 3_600_000
const AT_ONCE = 200

export const viewOf = ({ id, filename, contentType, size }: AttachmentRecord): AttachmentView => ({
  id,
  filename,
  contentType,
  size,
})

/** What a browser would run or render as a page is handed over as plain bytes. */
const HARMLESS =
  /^(?:image\/(?:png|jpeg|gif|webp|avif|bmp)|audio\/[\w.+-]+|video\/[\w.+-]+|application\/(?:pdf|zip|gzip|json)|text\/(?:plain|csv|calendar))$/

export interface OpenedAttachment {
  filename: string
  /** What it may be called on its way to a browser. */
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
}

export type Attachments = ReturnType<typeof createAttachments>

export const createAttachments = ({ db, blobs, clock, random }: AttachmentsDeps) => ({
  /** Takes in a file for an e-mail to come. */
  async upload(file: { filename: string; contentType: string; content: Buffer }): Promise<AttachmentView> {
    const staged = await blobs.stage(file.content)
    try {
      const row: AttachmentRecord = {
        id: randomId(random),
        emailId: null,
        filename: tidyFilename(file.filename, file.contentType, 1),
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
      return viewOf(row)
    } catch (error) {
      await staged.discard()
      throw error
    }
  },

  async getUpload(id: string): Promise<AttachmentView> {
    const [upload] = await findUploads(db, [id])
    if (!upload) throw notFound('upload')
    return viewOf(upload)
  },

  /** The uploads that are to go with an e-mail, in the order asked for. */
  async getUploads(view: Db, ids: readonly string[], given = ids): Promise<AttachmentRecord[]> {
    const found = new Map((await findUploads(view, ids)).map((upload) => [upload.id, upload]))
    return [...new Set(ids)].map((id) => {
      const upload = found.get(id)
      if (!upload) throw invalidField(`attachmentIds.${given.indexOf(id)}`, 'is not an upload, or no longer')
      return upload
    })
  },

  async attach(tx: Db, emailId: number, uploads: readonly AttachmentRecord[]): Promise<void> {
    const ids = uploads.map(({ id }) => id)
    if (!(await attach(tx, emailId, ids)))
      throw invalidField('attachmentIds', 'has one that went with another e-mail')
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
    if (!(await blobs.has(view, blob))) throw new Error(`The bytes of attachment ${id} are missing.`)
    return {
      filename,
      contentType: HARMLESS.test(contentType) ? contentType : 'application/octet-stream',
      size,
      hash: blob,
      content: blobs.read(view, blob),
    }
  },

  /** Removes uploads that nobody came for. */
  async prune(): Promise<void> {
    const before = new Date(clock.now().getTime() - UPLOAD_KEPT_MS).toISOString()
    for (;;) {
      const old = await findOldUploads(db, before, AT_ONCE)
      if (old.length > 0)
        await inTransaction(db, async (tx) => {
          // Whatever has gone with an e-mail since then stays.
          const still = await findUploads(
            tx,
            old.map(({ id }) => id),
          )
          await this.detach(tx, still)
        })
      if (old.length < AT_ONCE) return
    }
  },
})
