import type { Db } from '../../database/db.ts'
import type { FullText } from '../../database/full-text/full-text.ts'
import { addToTally } from '../../database/tallies.ts'
import type { Blobs } from '../../platform/blobs/blobs.ts'
import type { StagedBlob } from '../../platform/blobs/storage.ts'
import type { Changes } from '../../platform/changes.ts'
import type { Clock } from '../../platform/clock.ts'
import { type Content, searchTextsOf } from './content.ts'
import {
  type Draft,
  type FiledAttachment,
  tagKeys,
  toNewRow,
  toReceivedChange,
  type WholeEmail,
} from './email.ts'
import {
  deleteEmail,
  type EmailRecord,
  insertAttachments,
  insertBody,
  insertEmail,
  listAttachments,
  replaceTags,
  TALLY,
} from './email-repository.ts'
import type { MailReader } from './mail-reader.ts'
import type { ParsedMessage } from './mime/message.ts'
import type { RuleEngine } from './rules/rule-engine.ts'
import { joinThread, rejoinThread } from './threads.ts'

/** A parsed message with its bytes staged on disk. */
export interface StagedMessage {
  message: ParsedMessage
  content: Content
  attachments: FiledAttachment[]
  raw: StagedBlob
  discard(): Promise<void>
}

export interface FilingDeps {
  blobs: Blobs
  fullText: FullText
  clock: Clock
  reader: MailReader
  changes: Changes
  rules: RuleEngine
}

export type Filing = ReturnType<typeof createFiling>

/** Creates and deletes emails. All code paths use these functions. */
export const createFiling = ({ blobs, fullText, clock, reader, changes, rules }: FilingDeps) => {
  const recordReceived = (tx: Db, email: EmailRecord): Promise<void> =>
    changes.record(tx, {
      type: 'email.received',
      subject: String(email.id),
      data: toReceivedChange(email),
    })

  return {
    prepareContent: reader.prepareContent,
    contentOf: reader.toPlainContent,

    /** Parses a message and stages its bytes on disk. File the result in a transaction, or discard it. */
    async stage(raw: Buffer): Promise<StagedMessage> {
      const { message, content, ids } = await reader.read(raw)
      const staged: StagedBlob[] = []
      const discard = async (): Promise<void> => {
        for (const blob of staged) await blob.discard()
      }
      try {
        const attachments: FiledAttachment[] = []
        for (const [index, part] of message.attachments.entries()) {
          const { filename, contentType, contentId } = part
          const blob = await blobs.stage(part.content)
          staged.push(blob)
          attachments.push({
            id: ids[index] as string,
            filename,
            contentType,
            contentId,
            size: blob.size,
            blob,
          })
        }
        const whole = await blobs.stage(raw)
        staged.push(whole)
        // Drop the attachment bytes, which are on disk now. A sync holds many messages in memory.
        return { message: { ...message, attachments: [] }, attachments, raw: whole, content, discard }
      } catch (error) {
        await discard()
        throw error
      }
    },

    /** Inserts an email. Rules apply to mail that arrives in the inbox with an `arrivedAt`. */
    async insert(tx: Db, given: Draft, arrivedAt: string | null = null): Promise<WholeEmail> {
      const { attachments, content, raw } = given
      const arrives = given.folder === 'inbox'
      const ruleChanges = arrives && arrivedAt !== null ? await rules.judge(tx, given, arrivedAt) : undefined
      const draft: Draft = ruleChanges
        ? { ...given, ...ruleChanges.marks, tags: [...ruleChanges.marks.tags] }
        : given
      const now = clock.now().toISOString()
      for (const { blob } of attachments) if (blob) await blobs.keep(tx, blob)
      if (raw) await blobs.keep(tx, raw)
      const inserted = await insertEmail(tx, toNewRow(draft, now))
      await addToTally(tx, TALLY, 1)
      const body = { text: content.text, html: content.htmlOf(inserted.id) }
      await insertBody(tx, inserted.id, body)
      await insertAttachments(
        tx,
        attachments.flatMap(({ id, filename, contentType, contentId, size, blob }) =>
          blob
            ? [
                {
                  id,
                  emailId: inserted.id,
                  filename,
                  contentType,
                  contentId,
                  size,
                  blob: blob.hash,
                  createdAt: now,
                },
              ]
            : [],
        ),
      )
      if (draft.tags.length > 0) await replaceTags(tx, inserted, tagKeys(draft.tags))
      const threadId = await joinThread(tx, inserted)
      const email = { ...inserted, ...body, threadId }
      await fullText.put(tx, email.position, searchTextsOf(email))
      if (arrives) await recordReceived(tx, email)
      if (ruleChanges) await rules.conclude(tx, email, given, ruleChanges)
      return email
    },

    /** Updates the thread after the ids that the email refers to have changed. */
    relink: (tx: Db, email: EmailRecord): Promise<number> => rejoinThread(tx, email),

    /** Deletes the email with its search words, bodies, tags, attachments and their blobs. */
    async erase(tx: Db, email: EmailRecord): Promise<void> {
      const attachments = await listAttachments(tx, email.id)
      await fullText.remove(tx, email.position)
      await deleteEmail(tx, email.id)
      await blobs.release(tx, [
        ...attachments.map(({ blob }) => blob),
        ...(email.rawBlob === null ? [] : [email.rawBlob]),
      ])
    },
  }
}
