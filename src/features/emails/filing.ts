import type { Db } from '../../database/db.ts'
import type { FullText } from '../../database/full-text/full-text.ts'
import type { Folder } from '../../database/tables/mail.ts'
import type { StagedBlob } from '../../platform/blobs/blob-place.ts'
import type { Blobs } from '../../platform/blobs/blobs.ts'
import type { Changes } from '../../platform/changes.ts'
import type { Clock } from '../../platform/clock.ts'
import { type Random, randomId } from '../../platform/random.ts'
import { insertAttachments, listAttachments } from './attachment-store.ts'
import { type Content, contentOf, searchTextsOf } from './content.ts'
import type { Address } from './mime/addresses.ts'
import type { MailingList } from './mime/list-fields.ts'
import { type ParsedMessage, readMessage } from './mime/message.ts'
import { subjectKeyOf } from './mime/subjects.ts'
import { insertBody } from './placing-store.ts'
import { saveNew } from './saving.ts'
import { tagKeyOf } from './search.ts'
import { deleteEmail, type EmailRecord, replaceTags, type WholeEmail } from './store.ts'
import { joinThread, rejoinThread } from './threads.ts'
import type { AttachmentView } from './view.ts'

/** An attachment whose bytes lie ready, or are kept already (an upload). */
export interface FiledAttachment extends AttachmentView {
  contentId: string | null
  blob: StagedBlob | null
}

/** Everything about an e-mail that is not yet one. */
export interface Draft {
  accountId: string | null
  messageId: string | null
  folder: Folder
  from: Address | null
  to: Address[]
  cc: Address[]
  bcc: Address[]
  replyTo: Address[]
  subject: string
  inReplyTo: string | null
  references: string[]
  date: string
  mailingList: MailingList | null
  tags: string[]
  read: boolean
  starred: boolean
  content: Content
  attachments: FiledAttachment[]
  raw: StagedBlob | null
}

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
  random: Random
  changes: Changes
}

export const attachmentsJson = (attachments: readonly AttachmentView[]): string =>
  JSON.stringify(
    attachments.map(({ id, filename, contentType, size }) => ({ id, filename, contentType, size })),
  )

export const fieldsOf = (draft: Draft) => ({
  fromName: draft.from?.name ?? '',
  fromAddress: draft.from?.address ?? '',
  to: JSON.stringify(draft.to),
  cc: JSON.stringify(draft.cc),
  bcc: JSON.stringify(draft.bcc),
  replyTo: JSON.stringify(draft.replyTo),
  subject: draft.subject,
  subjectKey: subjectKeyOf(draft.subject),
  inReplyTo: draft.inReplyTo,
  snippet: draft.content.snippet,
  date: draft.date,
  attachments: attachmentsJson(draft.attachments),
  hasAttachments: draft.attachments.length > 0 ? 1 : 0,
})

export const tagsJson = (tags: readonly string[]): string => JSON.stringify(tags)
export const tagKeys = (tags: readonly string[]): string[] => [...new Set(tags.map(tagKeyOf))]

export type Filing = ReturnType<typeof createFiling>

/** How e-mails come into being and go: every way in and out leads through here. */
export const createFiling = ({ blobs, fullText, clock, random, changes }: FilingDeps) => {
  /** Stands for the number of an e-mail that has none yet. */
  const newMark = (): string => `~${randomId(random)}~`

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
      },
    })

  return {
    contentOf: (
      given: { text: string | null; html: string | null },
      attachments: readonly FiledAttachment[],
    ) => contentOf(given, attachments, newMark()),

    /** Reads a message and puts its bytes on the disk. What comes of it is filed in a transaction, or discarded. */
    async stage(raw: Buffer): Promise<StagedMessage> {
      const message = await readMessage(raw)
      const staged: StagedBlob[] = []
      const discard = async (): Promise<void> => {
        for (const blob of staged) await blob.discard()
      }
      try {
        const attachments: FiledAttachment[] = []
        for (const { content, filename, contentType, contentId } of message.attachments) {
          const blob = await blobs.stage(content)
          staged.push(blob)
          attachments.push({ id: randomId(random), filename, contentType, contentId, size: blob.size, blob })
        }
        const whole = await blobs.stage(raw)
        staged.push(whole)
        return {
          // Their bytes lie on the disk by now: a mailbox that is fetched has many messages in its hands at once.
          message: { ...message, attachments: [] },
          attachments,
          raw: whole,
          content: contentOf(message, attachments, newMark()),
          discard,
        }
      } catch (error) {
        await discard()
        throw error
      }
    },

    async insert(tx: Db, draft: Draft): Promise<WholeEmail> {
      const { attachments, content, raw } = draft
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
      if (draft.folder === 'inbox') await announce(tx, email)
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
