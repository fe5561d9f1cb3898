import type { ListedEmail } from './list-store.ts'
import type { Address } from './mime/addresses.ts'
import type { WholeEmail } from './store.ts'

export interface AttachmentView {
  id: string
  filename: string
  contentType: string
  size: number
}

const parse = <T>(json: string): T => (json === '[]' ? ([] as T) : (JSON.parse(json) as T))

/** What a list shows of an e-mail. */
export const summaryOf = (row: ListedEmail) => ({
  id: row.id,
  messageId: row.messageId,
  threadId: row.threadId,
  accountId: row.accountId,
  folder: row.folder,
  from:
    row.fromName === '' && row.fromAddress === '' ? null : { name: row.fromName, address: row.fromAddress },
  to: parse<Address[]>(row.to),
  cc: parse<Address[]>(row.cc),
  subject: row.subject,
  snippet: row.snippet,
  date: row.date,
  tags: parse<string[]>(row.tags),
  read: row.read === 1,
  starred: row.starred === 1,
  attachments: parse<AttachmentView[]>(row.attachments),
  analysis: row.analysis === null ? null : (JSON.parse(row.analysis) as Record<string, unknown>),
  delivery:
    row.deliveryStatus === null
      ? null
      : {
          status: row.deliveryStatus as 'queued' | 'sent' | 'failed' | 'uncertain' | 'cancelled',
          error: row.deliveryError,
        },
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
})

/** All of it; `version` becomes the ETag and goes no further. */
export const emailOf = (row: WholeEmail) => ({
  ...summaryOf(row),
  bcc: parse<Address[]>(row.bcc),
  replyTo: parse<Address[]>(row.replyTo),
  inReplyTo: row.inReplyTo,
  text: row.text,
  html: row.html,
  version: row.version,
})
export type EmailView = ReturnType<typeof emailOf>
