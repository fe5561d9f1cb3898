import type { Folder } from '../../database/tables/mail.ts'
import type { StagedBlob } from '../../platform/blobs/blob-place.ts'
import type { Content } from './content.ts'
import type { Address } from './mime/addresses.ts'
import type { MailingList } from './mime/list-fields.ts'
import { subjectKeyOf } from './mime/subjects.ts'
import { tagKeyOf } from './search.ts'
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
  /** For a message that could not be read. */
  unreadable?: { reason: string; readerVersion: string }
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

export const unreadableFieldsOf = ({ unreadable, raw }: Pick<Draft, 'unreadable' | 'raw'>) => ({
  unreadable: unreadable ? JSON.stringify({ reason: unreadable.reason, hasRaw: raw !== null }) : null,
  readerVersion: unreadable?.readerVersion ?? null,
})

export const tagsJson = (tags: readonly string[]): string => JSON.stringify(tags)
export const tagKeys = (tags: readonly string[]): string[] => [...new Set(tags.map(tagKeyOf))]
