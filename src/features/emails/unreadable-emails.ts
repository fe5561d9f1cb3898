import Type from 'typebox'
import type { Db } from '../../database/db.ts'
import type { FullText } from '../../database/full-text/full-text.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Blobs } from '../../platform/blobs/blobs.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Logger } from '../../platform/log.ts'
import { isTemporary } from '../../platform/temporary-failure.ts'
import { toUnreadableReason } from '../../platform/unreadable-reason.ts'
import { insertAttachments } from './attachment-store.ts'
import { searchTextsOf } from './content.ts'
import { fieldsOf, unreadableFieldsOf } from './draft.ts'
import type { Filing, StagedMessage } from './filing.ts'
import { moveInTime } from './placing-store.ts'
import { saveChange } from './saving.ts'
import { type EmailRecord, lockEmail, updateBody } from './store.ts'
import { listUnreadable, setReadAttempts, setUnreadable } from './unreadable-store.ts'

const JOB = 'read-unreadable-mail'
const AT_ONCE = 100
/** Reading that ended so often without a result ends the process: this version does not try again. */
const MOST_ATTEMPTS = 2

export interface UnreadableEmailsDeps {
  db: Db
  blobs: Blobs
  fullText: FullText
  clock: Clock
  filing: Filing
  jobs: Jobs
  log: Logger
  /** Of the service. */
  version: string
}

/** Reads messages again that an earlier version of the service could not read. */
export const createUnreadableEmails = (deps: UnreadableEmailsDeps) => {
  const { db, blobs, fullText, clock, filing, jobs, log, version } = deps

  const isPending = (email: EmailRecord | undefined): email is EmailRecord & { rawBlob: string } =>
    email !== undefined &&
    email.unreadable !== null &&
    email.rawBlob !== null &&
    email.readerVersion !== version

  /** Counts the attempt before the message is read: a process that dies while reading does not try for ever. */
  const beginReading = (id: number): Promise<string | undefined> =>
    inTransaction(db, async (tx) => {
      const email = await lockEmail(tx, id)
      if (!isPending(email)) return undefined
      if (email.readAttempts >= MOST_ATTEMPTS) {
        await setUnreadable(tx, email, { readerVersion: version })
        return undefined
      }
      await setReadAttempts(tx, id, email.readAttempts + 1)
      return email.rawBlob
    })

  /** Puts what was read in the place of the text that said it could not be. Marks, tags and folder stay. */
  const replaceContent = (id: number, { message, content, attachments }: StagedMessage): Promise<void> =>
    inTransaction(db, async (tx) => {
      const email = await lockEmail(tx, id)
      if (!isPending(email)) return
      const now = clock.now().toISOString()
      const date = message.date?.toISOString() ?? email.date
      const body = { text: content.text, html: content.htmlOf(id) }
      await fullText.remove(tx, email.position)
      const position = date === email.date ? email.position : await moveInTime(tx, id, date)
      await updateBody(tx, id, body)
      for (const { id: attachmentId, filename, contentType, contentId, size, blob } of attachments) {
        if (!blob) continue
        await blobs.keep(tx, blob)
        await insertAttachments(tx, [
          {
            id: attachmentId,
            emailId: id,
            filename,
            contentType,
            contentId,
            size,
            blob: blob.hash,
            createdAt: now,
          },
        ])
      }
      const draft = {
        ...message,
        content,
        attachments,
        date,
        accountId: email.accountId,
        folder: email.folder,
        tags: [],
        read: email.read === 1,
        starred: email.starred === 1,
        raw: null,
      }
      const changed = await saveChange(
        tx,
        email,
        {
          ...fieldsOf(draft),
          ...unreadableFieldsOf(draft),
          messageId: message.messageId,
          references: JSON.stringify(message.references),
          listId: message.mailingList?.id ?? null,
          mailingList: message.mailingList && JSON.stringify(message.mailingList),
        },
        now,
      )
      await fullText.put(tx, position, searchTextsOf({ ...changed, text: body.text }))
      await filing.relink(tx, { ...changed, position })
    })

  const noteFailure = (id: number, reason: string): Promise<void> =>
    inTransaction(db, async (tx) => {
      const email = await lockEmail(tx, id)
      if (!isPending(email)) return
      await setUnreadable(tx, email, {
        unreadable: JSON.stringify({ reason, hasRaw: true }),
        readerVersion: version,
      })
    })

  const readAgain = async (id: number): Promise<void> => {
    const rawBlob = await beginReading(id)
    if (rawBlob === undefined) return
    try {
      const staged = await filing.stage(await blobs.readWhole(db, rawBlob))
      try {
        await replaceContent(id, staged)
      } finally {
        // Attachments are kept by now; the message itself was all along.
        await staged.discard()
      }
    } catch (error) {
      if (isTemporary(error)) {
        await setReadAttempts(db, id, 0).catch((err: unknown) =>
          log.warn({ err, emailId: id }, 'an attempt to read a message stays counted'),
        )
        throw error
      }
      log.warn({ err: error, emailId: id }, 'a message still cannot be read')
      await noteFailure(id, toUnreadableReason(error))
    }
  }

  jobs.define({
    name: JOB,
    payload: Type.Object({}),
    async run(_payload, { signal }) {
      for (let after = 0; ; ) {
        const ids = await listUnreadable(db, version, { after, limit: AT_ONCE })
        for (const id of ids) {
          signal.throwIfAborted()
          await readAgain(id)
        }
        const last = ids.at(-1)
        if (last === undefined) return
        after = last
      }
    },
  })

  return {
    /** At the start of the service: what an earlier version could not read is read again in the background. */
    async requestReading(): Promise<void> {
      if ((await listUnreadable(db, version, { after: 0, limit: 1 })).length === 0) return
      await inTransaction(db, (tx) => jobs.enqueue(tx, JOB, {}, { key: version }))
    },
  }
}
