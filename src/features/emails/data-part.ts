import { Readable } from 'node:stream'
import type { Db } from '../../database/db.ts'
import type { Blobs } from '../../platform/blobs/blobs.ts'
import type { DataPart } from '../settings/data/parts.ts'
import { listAttachments } from './attachment-store.ts'
import type { Composing } from './composing.ts'
import type { Emails } from './emails.ts'
import { sampleMails } from './sample-mails.ts'
import { everyEmail } from './store.ts'
import { emailOf } from './view.ts'

async function* jsonLines(view: Db): AsyncGenerator<string> {
  for await (const email of everyEmail(view)) {
    const { version: _, ...shown } = emailOf(email)
    yield `${JSON.stringify(shown)}\n`
  }
}

/** Mail in what is done with all data at once: each e-mail as JSON, as a message where it came as one, its files beside. */
export const createEmailsPart = (deps: { emails: Emails; composing: Composing; blobs: Blobs }): DataPart => {
  const { emails, composing, blobs } = deps
  return {
    async addToExport(zip, view) {
      zip.addReadStream(Readable.from(jsonLines(view)), 'mail/emails.jsonl')
      for await (const { id, rawBlob } of everyEmail(view)) {
        // Opened when their turn comes: there may be more than a process may have open.
        if (rawBlob !== null)
          zip.addReadStreamLazy(`mail/messages/${id}.eml`, (done) => done(null, blobs.read(view, rawBlob)))
        else
          for (const { id: fileId, filename, blob } of await listAttachments(view, id))
            zip.addReadStreamLazy(
              `mail/attachments/${id}/${fileId}-${filename.replace(/[\\/:]/g, '_')}`,
              (done) => done(null, blobs.read(view, blob)),
            )
      }
    },

    wipe: (tx) => emails.wipe(tx),

    async fillSample(tx, { now, mark }) {
      for (const mail of sampleMails(now)) {
        const { id } = await composing.create(tx, mail)
        await mark('email', id)
      }
    },

    async removeSample(tx, marked) {
      for (const id of await marked('email')) await emails.remove(tx, Number(id))
    },
  }
}
