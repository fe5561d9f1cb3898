import type { Folder } from '../../database/tables/mail.ts'
import type { Address } from './mime/addresses.ts'
import type { MailingList } from './mime/list-fields.ts'

export interface AttachmentView {
  id: string
  filename: string
  contentType: string
  size: number
}

/** Why the message behind an e-mail could not be read. */
export interface Unreadable {
  reason: string
  /** Whether the message as it came is kept, to be downloaded. */
  hasRaw: boolean
}

/** All of an e-mail; `shown-email.ts` writes it. */
export interface EmailView {
  id: number
  threadId: number
  mailingList: MailingList | null
  unreadable: Unreadable | null
  messageId: string | null
  accountId: string | null
  folder: Folder
  from: Address | null
  to: Address[]
  cc: Address[]
  subject: string
  snippet: string
  date: string
  tags: string[]
  read: boolean
  starred: boolean
  attachments: AttachmentView[]
  analysis: Record<string, unknown> | null
  delivery: {
    status: 'queued' | 'sent' | 'failed' | 'uncertain' | 'cancelled'
    error: string | null
    sendAt: string | null
  } | null
  createdAt: string
  updatedAt: string
  bcc: Address[]
  replyTo: Address[]
  inReplyTo: string | null
  text: string
  html: string | null
  version: number
}
