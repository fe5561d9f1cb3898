import type { Db } from '../../database/db.ts'
import type { FullText } from '../../database/full-text/full-text.ts'
import type { StagedBlob } from '../../platform/blobs/blob-place.ts'
import type { Blobs } from '../../platform/blobs/blobs.ts'
import type { Changes } from '../../platform/changes.ts'
import type { Clock } from '../../platform/clock.ts'
import { insertAttachments, listAttachments } from './attachment-store.ts'
import { type Content, searchTextsOf } from './content.ts'
import { type Draft, type FiledAttachment, fieldsOf, tagKeys, tagsJson } from './draft.ts'
import type { MailReader } from './mail-reader.ts'
import type { ParsedMessage } from './mime/message.ts'
import { insertBody } from './placing-store.ts'
import type { RuleApplying } from './rules/applying.ts'
import { saveNew } from './saving.ts'
import { deleteEmail, type EmailRecord, replaceTags, type WholeEmail } from './store.ts'
import { joinThread, rejoinThread } from './threads.ts'

/** A message that was read, with its bytes ready on the disk. */
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
  rules: RuleApplying
}

export type Filing = ReturnType<typeof createFiling>

/** How e-mails come into being and go: every way in and out leads through here. */
export const createFiling = ({ blobs, fullText, clock, reader, changes, rules }: FilingDeps) => {
  const announce = (tx: Db, email: EmailRecord): Promise<void> =>
    changes.record(tx, {
      type: 'email.received',
      subject: String(email.id),
      data: {
        id: email.id,
        threadId: email.threadId,
        accountId: email.accountId,
        from: { name: email.fromName, address: email.fromAddress },
        subject: email.subject,
        date: email.date,
        folder: email.folder,
        tags: JSON.parse(email.tags) as string[],
        read: email.read === 1,
        starred: email.starred === 1,
      },
    })

  return {
    prepareContent: reader.prepareContent,
    contentOf: reader.contentOf,

    /** Reads a message and puts its bytes on the disk. What comes of it is filed in a transaction, or discarded. */
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
        // Their bytes lie on the disk by now: a mailbox that is fetched has many messages in its hands at once.
        return { message: { ...message, attachments: [] }, attachments, raw: whole, content, discard }
      } catch (error) {
        await discard()
        throw error
      }
    },

    /** What arrives in the inbox, at `arrivedAt`, is left as the rules say. */
    async insert(tx: Db, given: Draft, arrivedAt: string | null = null): Promise<WholeEmail> {
      const { attachments, content, raw } = given
      const arrives = given.folder === 'inbox'
      const ruled = arrives && arrivedAt !== null ? await rules.judge(tx, given, arrivedAt) : undefined
      const draft: Draft = ruled ? { ...given, ...ruled.marks, tags: [...ruled.marks.tags] } : given
      const now = clock.now().toISOString()
      for (const { blob } of attachments) if (blob) await blobs.keep(tx, blob)
      if (raw) await blobs.keep(tx, raw)
      const inserted = await saveNew(tx, {
        ...fieldsOf(draft),
        accountId: draft.accountId,
        messageId: draft.messageId,
        folder: draft.folder,
        references: JSON.stringify(draft.references),
        tags: tagsJson(draft.tags),
        read: draft.read ? 1 : 0,
        starred: draft.starred ? 1 : 0,
        analysis: null,
        urgency: null,
        deliveryStatus: null,
        deliveryError: null,
        deliveryAt: null,
        rawBlob: raw?.hash ?? null,
        listId: draft.mailingList?.id ?? null,
        mailingList: draft.mailingList && JSON.stringify(draft.mailingList),
        version: 1,
        createdAt: now,
        updatedAt: now,
      })
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
      if (arrives) await announce(tx, email)
      if (ruled) await rules.conclude(tx, email, given, ruled)
      return email
    },

    /** For an e-mail whose own words about where it belongs have changed. */
    relink: (tx: Db, email: EmailRecord): Promise<number> => rejoinThread(tx, email),

    /** Removes every trace: the words it was found by, its bodies and tags, its attachments and what they held. */
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
