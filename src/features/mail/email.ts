import type { EmailBodyRow, EmailRow, Folder } from '../../database/tables/mail.ts'
import type { StagedBlob } from '../../platform/blobs/storage.ts'
import { invalidField } from '../../platform/errors.ts'
import type { Content } from './content.ts'
import { type Address, readAddresses, toSubjectKey } from './mime/addresses.ts'
import type { MailingList } from './mime/list-fields.ts'
import { tagKeyOf } from './search.ts'

/*
 * The list entry of an email is rendered as JSON once, when the email is saved, and stored in `shown`. Lists
 * are then concatenated from text, without parsing any field. Four properties come first and are added on
 * output: `id`, `threadId`, `mailingList` and `unreadable`. The id is unknown before the insert, and rows of
 * earlier versions lack the others.
 */

type Kept = Omit<
  EmailRow,
  | 'id'
  | 'position'
  | 'threadId'
  | 'listId'
  | 'mailingList'
  | 'unreadable'
  | 'readerVersion'
  | 'readAttempts'
  | 'shown'
>

/** Renders the JSON from `messageId` on, without the closing brace. JSON columns are inserted unchanged. */
export const keptTextOf = (row: Kept): string => {
  const text = JSON.stringify
  const from =
    row.fromName === '' && row.fromAddress === ''
      ? 'null'
      : `{"name":${text(row.fromName)},"address":${text(row.fromAddress)}}`
  const delivery =
    row.deliveryStatus === null
      ? 'null'
      : `{"status":${text(row.deliveryStatus)},"error":${text(row.deliveryError)},"sendAt":${text(row.deliveryAt)}}`
  return (
    `"messageId":${text(row.messageId)},"accountId":${text(row.accountId)},"folder":"${row.folder}",` +
    `"from":${from},"to":${row.to},"cc":${row.cc},"subject":${text(row.subject)},"snippet":${text(row.snippet)},` +
    `"date":"${row.date}","tags":${row.tags},"read":${row.read === 1},"starred":${row.starred === 1},` +
    `"attachments":${row.attachments},"analysis":${row.analysis},"delivery":${delivery},` +
    `"createdAt":"${row.createdAt}","updatedAt":"${row.updatedAt}"`
  )
}

export interface Listed {
  id: number
  threadId: number
  /** JSON. */
  mailingList: string | null
  /** JSON. */
  unreadable: string | null
  shown: string
}

/** Renders the list entry of an email. `more` is appended if given. */
export const summaryTextOf = ({ id, threadId, mailingList, unreadable, shown }: Listed, more = ''): string =>
  `{"id":${id},"threadId":${threadId},"mailingList":${mailingList},"unreadable":${unreadable},${shown}${more}}`

/** The columns needed to render an email. */
export type Whole = Listed &
  Pick<EmailRow, 'bcc' | 'replyTo' | 'inReplyTo' | 'version'> &
  Pick<EmailBodyRow, 'text' | 'html'>

export const emailTextOf = (row: Whole): string =>
  summaryTextOf(
    row,
    `,"bcc":${row.bcc},"replyTo":${row.replyTo},"inReplyTo":${JSON.stringify(row.inReplyTo)},` +
      `"text":${JSON.stringify(row.text)},"html":${JSON.stringify(row.html)}`,
  )

/** A rendered email. `id` and `version` make up its ETag. */
export interface EmailJson {
  id: number
  version: number
  text: string
}

export const renderEmail = (row: Whole): EmailJson => ({
  id: row.id,
  version: row.version,
  text: emailTextOf(row),
})

/** Parses a rendered email for other modules. `version` is for the ETag and is not sent to clients. */
export const viewOf = (row: Whole): EmailView => ({
  ...(JSON.parse(emailTextOf(row)) as Omit<EmailView, 'version'>),
  version: row.version,
})

export interface AttachmentView {
  id: string
  filename: string
  contentType: string
  size: number
}

/** The reason why the message of an email could not be read. */
export interface Unreadable {
  reason: string
  /** Whether the original message is stored and can be downloaded. */
  hasRaw: boolean
}

/** An email with all its properties, as `viewOf` returns it. */
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

type AddressGiven = string | { name?: string | null; address: string }

/** The local part may be quoted (RFC 5322 section 3.4.1). Servers reject brackets inside the quotes. */
const ADDRESS = /^(?:[^\s@<>,;"()]+|"(?:[^"\\<>\p{Cc}]|\\[^<>\p{Cc}])+")@[^\s@<>,;"()]+$/u

/** Removes line breaks, which would inject a header field when the email is sent. */
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** Reads `Name <a@b>`, `a@b` or `{name, address}`. Rejects invalid addresses. */
export const readAddress = (path: string, given: AddressGiven): Address => {
  if (typeof given !== 'string') {
    const address = given.address.trim()
    if (!ADDRESS.test(address))
      throw invalidField(`${path}.address`, 'must be an address such as ana@example.org')
    return { name: oneLine(given.name ?? ''), address }
  }
  // The parser expects bytes as characters, as in a message.
  const [address, ...more] = readAddresses(Buffer.from(given, 'utf8').toString('latin1'))
  if (!address || more.length > 0 || !ADDRESS.test(address.address))
    throw invalidField(path, 'must be one address, such as ana@example.org or Ana Ruiz <ana@example.org>')
  return { name: oneLine(address.name), address: address.address }
}

/** Reads an address for analysis. A missing address is allowed, because no mail is sent to it. */
export const readGivenAddress = (path: string, given: AddressGiven | null | undefined): Address =>
  given === null || given === undefined ? { name: '', address: '' } : readAddress(path, given)

export const readAddressList = (path: string, given: readonly AddressGiven[] = []): Address[] =>
  given.map((each, index) => readAddress(`${path}.${index}`, each))

/** Returns the id without angle brackets, as it is compared. */
export const readMessageId = (path: string, given: string | null | undefined): string | null => {
  if (given === null || given === undefined) return null
  const id = given.trim().replace(/^<|>$/g, '')
  if (id === '' || /[\s<>]/.test(id))
    throw invalidField(path, 'must be a message id, such as 4711@example.org')
  return id
}

export const readSubject = (given: string): string => oneLine(given)

/** An attachment whose bytes are staged, or stored already (an upload). */
export interface FiledAttachment extends AttachmentView {
  contentId: string | null
  blob: StagedBlob | null
}

/** The fields of an email before it is inserted. */
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
  /** Set if the message could not be read. */
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
  subjectKey: toSubjectKey(draft.subject),
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
