import type { Generated } from 'kysely'
import type { TableKeys } from './keys.ts'

export type Folder = 'inbox' | 'sent' | 'drafts' | 'archive' | 'trash'

/** What a list shows of an e-mail, and what it is found by; its bodies lie apart, so that lists stay dense. */
export interface EmailRow {
  id: Generated<number>
  /** Its place in time: the date in milliseconds times 2048, and a count among those of one millisecond. Unique. */
  position: number
  accountId: string | null
  /** Without its angle brackets. */
  messageId: string | null
  /** The id of the e-mail that began the conversation, also after that one is gone. */
  threadId: number
  folder: Folder
  fromName: string
  fromAddress: string
  /** JSON of `{name, address}`, here and in the next three. */
  to: string
  cc: string
  bcc: string
  replyTo: string
  subject: string
  /** The subject without what answering and forwarding put in front, folded. */
  subjectKey: string
  inReplyTo: string | null
  /** JSON of message ids, the oldest first. */
  references: string
  snippet: string
  date: string
  /** JSON; `email_tags` is what they are found by. */
  tags: string
  read: number
  starred: number
  /** JSON of `{id, filename, contentType, size}`. */
  attachments: string
  hasAttachments: number
  /** JSON. */
  analysis: string | null
  urgency: string | null
  deliveryStatus: string | null
  deliveryError: string | null
  /** When it goes out, or was to; null for what was not sent from here. */
  deliveryAt: string | null
  /** The message as it came, byte by byte. */
  rawBlob: string | null
  /** The mailing list that it came by. */
  listId: string | null
  /** JSON of `{id, name, unsubscribe}`. */
  mailingList: string | null
  /** JSON of `{reason, hasRaw}` when the message could not be read; its text then says so. */
  unreadable: string | null
  /** The version of the service that could not read it. Another version tries again. */
  readerVersion: string | null
  /** How often reading it again has begun without a result. */
  readAttempts: Generated<number>
  /** The JSON that lists show, from the message id on. */
  shown: string
  version: number
  createdAt: string
  updatedAt: string
}

export interface EmailBodyRow {
  emailId: number
  text: string
  /** Sanitised. */
  html: string | null
}

export interface EmailTagRow {
  tag: string
  position: number
  emailId: number
}

/** Every message id that an e-mail has or names: what ties conversations together, in whatever order they arrive. */
export interface EmailLinkRow {
  messageId: string
  emailId: number
}

/** A mailing list that was left from here. */
export interface UnsubscriptionRow {
  listId: string
  at: string
  by: 'one-click' | 'mail'
  /** The host or the address that was told. */
  toldTo: string
  /** The e-mail that told it, while it is kept. */
  emailId: number | null
}

/** What is done with mail that arrives and fits. */
export interface MailRuleRow {
  id: Generated<number>
  name: string
  enabled: number
  /** The condition, as it is typed into a search. */
  q: string
  /** JSON of `{tags, folder, read, starred, task}`. */
  does: string
  version: number
  createdAt: string
  updatedAt: string
}

export interface AttachmentRow {
  id: string
  /** Null while it is uploaded and not yet part of an e-mail. */
  emailId: number | null
  filename: string
  contentType: string
  size: number
  blob: string
  /** What `cid:` names it by. */
  contentId: string | null
  createdAt: string
}

/** Bytes that are kept once however many hold them. Where they lie is platform/blobs's business. */
export interface BlobRow {
  /** SHA-256 of the bytes, in hex. */
  hash: string
  size: number
  /** Since when nothing holds it: it is on its way out. */
  unusedSince: string | null
}

/** PostgreSQL only: the bytes themselves. The one place that holds something else than numbers and text. */
export interface BlobChunkRow {
  hash: string
  number: number
  content: Buffer
}

/** The index of words: made from the e-mails, and made anew after a restore. */
export interface EmailWordsRow {
  rowid: number
}

/** What is to be added to a number that nobody wants to count each time. Many rows of a name are made one at times. */
export interface TallyRow {
  id: Generated<number>
  name: string
  amount: number
}

export interface MailTables {
  tallies: TallyRow
  email_words: EmailWordsRow
  blobs: BlobRow
  blob_chunks: BlobChunkRow
  emails: EmailRow
  email_bodies: EmailBodyRow
  email_tags: EmailTagRow
  email_links: EmailLinkRow
  unsubscriptions: UnsubscriptionRow
  mail_rules: MailRuleRow
  attachments: AttachmentRow
}

export const mailKeys: TableKeys<MailTables> = {
  tallies: ['id'],
  email_words: null,
  blobs: ['hash'],
  blob_chunks: null,
  emails: ['id'],
  email_bodies: ['emailId'],
  email_tags: ['tag', 'position'],
  email_links: ['messageId', 'emailId'],
  unsubscriptions: ['listId'],
  mail_rules: ['id'],
  attachments: ['id'],
}
