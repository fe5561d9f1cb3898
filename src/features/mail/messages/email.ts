import type { Selectable } from 'kysely'
import Type, { type Static, type TSchema } from 'typebox'
import { columns, flag, json } from '../../../database/entity.ts'
import { instantAt } from '../../../database/positions.ts'
import {
  type EmailBodyRow,
  type EmailRow,
  FLAG_COLUMNS,
  type FlagColumn,
} from '../../../database/tables/mail.ts'
import type { StagedBlob } from '../../../platform/blobs/storage.ts'
import { invalidField } from '../../../platform/errors.ts'
import { Instant, Nullable, OpaqueId } from '../../../platform/http/shapes.ts'
import { FolderId } from '../folders/folder.ts'
import { isOnServer, listPlaces, type MainPlace } from '../folders/places.ts'
import { type Address, readAddresses, toSubjectKey } from '../mime/addresses.ts'
import { EmailSecurity } from './email-security.ts'
import { FOLDERS, tagKeyOf } from './search.ts'

/** Sanitized bodies. The HTML needs the email id, which is known only after the insert. */
export interface Content {
  text: string
  snippet: string
  htmlOf(emailId: number): string | null
}

/* The definition of an email: its fields, their API schema, and their columns. */

export const EmailId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [4711] })

export const AddressSchema = Type.Object(
  {
    name: Type.String({ examples: ['Ana Ruiz'], description: 'Empty if there is no name' }),
    address: Type.String({ examples: ['ana@example.org'] }),
  },
  { title: 'Address' },
)

export const Folder = Type.Enum([...FOLDERS], { type: 'string', examples: ['inbox'] })
/** The limit for the tags of an email. */
export const MAX_TAGS = 50
export const Tags = Type.Array(Type.String({ minLength: 1, maxLength: 50, pattern: '\\S' }), {
  maxItems: MAX_TAGS,
  examples: [['work', 'invoices']],
})
export const Subject = Type.String({ maxLength: 2000, examples: ['Lunch on Thursday?'] })
export const AccountId = Nullable(
  Type.String({ minLength: 1, maxLength: 100, examples: ['q3vYw1y0T2uJf0b2nq8XVA'] }),
)
export const MessageId = Type.String({
  minLength: 1,
  maxLength: 500,
  examples: ['20260301.4711@example.org'],
})

export const Attachment = Type.Object(
  {
    id: OpaqueId,
    filename: Type.String({ examples: ['menu.pdf'] }),
    contentType: Type.String({ examples: ['application/pdf'] }),
    size: Type.Integer({ examples: [52_144] }),
  },
  { title: 'Attachment' },
)
export type Attachment = Static<typeof Attachment>

const Delivery = Nullable(
  Type.Object(
    {
      status: Type.Enum(['queued', 'sent', 'failed', 'uncertain', 'cancelled'], { type: 'string' }),
      error: Nullable(Type.String({ examples: ['550 No such mailbox'] })),
      sendAt: Nullable(
        Type.String({
          format: 'date-time',
          examples: ['2026-03-02T08:00:00.000Z'],
          description: 'Scheduled time. Sending can be cancelled until then',
        }),
      ),
    },
    { title: 'Delivery', description: 'Delivery status. Null for emails that were not sent from here' },
  ),
)

/**
 * `one-click`: this service sends one request. `mail`: it sends an email from the account. `page`: the user
 * opens a web page.
 */
export const UnsubscribeMethod = Type.Enum(['one-click', 'mail', 'page'], {
  type: 'string',
  examples: ['one-click'],
})
export const mailingListFields = {
  id: Type.String({
    examples: ['news.example.org'],
    description: 'The List-Id, or the sender’s address if there is none',
  }),
  name: Type.String({ examples: ['Example News'], description: 'Empty if there is no name' }),
  unsubscribe: Nullable(UnsubscribeMethod),
}
const EmailMailingList = Nullable(
  Type.Object(mailingListFields, {
    title: 'MailingListOfEmail',
    description:
      'The mailing list of the email, and its best unsubscribe method (`POST /api/emails/{id}/unsubscribe`)',
  }),
)

const Unreadable = Nullable(
  Type.Object(
    {
      reason: Type.String({ examples: ['The reader failed on its contents.'] }),
      hasRaw: Type.Boolean({
        examples: [true],
        description: 'Whether the original message can be downloaded (`GET /api/emails/{id}/raw`)',
      }),
    },
    {
      title: 'UnreadableEmail',
      description:
        'Set if the message could not be parsed. `text` then contains an explanation. A later version of the service tries again',
    },
  ),
)

const EmailInvitation = Nullable(
  Type.Object(
    {
      method: Type.String({ examples: ['REQUEST'], description: 'iTIP method (RFC 5546)' }),
      uid: Type.String({ examples: ['design-review@example.org'] }),
      start: Nullable({ ...Instant, description: 'Null for a cancellation without a time' }),
      end: Nullable(Instant),
      title: Type.String({ examples: ['Design review'] }),
      status: Type.Enum(['confirmed', 'tentative', 'cancelled'], { type: 'string', examples: ['confirmed'] }),
    },
    {
      title: 'InvitationOfEmail',
      description:
        'The meeting in the calendar part of the email. `GET /api/calendar/invitations/{emailId}` compares it with the calendar',
    },
  ),
)

/** The flags that an email shares with its copies on a mail server. */
export const EmailFlags = Type.Object({
  read: Type.Boolean({ examples: [false] }),
  starred: Type.Boolean({ examples: [false] }),
} satisfies Record<FlagColumn, TSchema>)
export type EmailFlags = Static<typeof EmailFlags>

export const ReturnReason = Type.Enum(['snooze', 'follow-up'], { type: 'string', examples: ['snooze'] })

/** The fields that decide when an email is listed in the inbox. They are not synced with the mail server. */
export const reminderFields = {
  snoozedUntil: Nullable({
    ...Instant,
    description: 'The inbox does not list the email until then. A new email of the conversation ends it',
  }),
  followUpAt: Nullable({
    ...Instant,
    description: 'If nobody answers this sent email until then, it returns to the top of the inbox',
  }),
  pinned: Type.Boolean({ examples: [false] }),
  returned: Nullable(
    Type.Object(
      {
        at: Instant,
        reason: ReturnReason,
      },
      {
        title: 'ReturnedEmail',
        description: 'Set if the email returned to the top of the inbox. A move clears it',
      },
    ),
  ),
}

const summaryFields = {
  id: EmailId,
  threadId: Type.Integer({ examples: [4711], description: 'The same for all emails of a thread' }),
  mailingList: EmailMailingList,
  unreadable: Unreadable,
  messageId: Nullable(MessageId),
  accountId: AccountId,
  folder: Folder,
  folderId: Nullable({
    ...FolderId,
    description: 'The folder on the mail server (`GET /api/folders`). Null without a copy on a server',
  }),
  folders: Type.Array(Type.Object({ id: FolderId, role: Folder }, { title: 'FolderOfEmail' }), {
    description:
      'All folders of its mail server that contain the email. `folder` and `folderId` are the one of the list, or the inbox, or the first',
  }),
  from: Nullable(AddressSchema),
  to: Type.Array(AddressSchema),
  cc: Type.Array(AddressSchema),
  subject: Subject,
  snippet: Type.String({
    examples: ['Are you free at noon?'],
    description: 'The beginning of the text, without quoted replies',
  }),
  date: Instant,
  tags: Tags,
  ...EmailFlags.properties,
  ...reminderFields,
  attachments: Type.Array(Attachment),
  invitation: EmailInvitation,
  analysis: Nullable(
    Type.Unsafe<Record<string, unknown>>(
      Type.Object({}, { additionalProperties: true, title: 'EmailAnalysis' }),
    ),
  ),
  delivery: Delivery,
  createdAt: Instant,
  updatedAt: Instant,
}

/** An email in a list, without its bodies. */
export const EmailSummary = Type.Object(summaryFields)
export type EmailSummary = Static<typeof EmailSummary>

export const Email = Type.Object(
  {
    ...summaryFields,
    bcc: Type.Array(AddressSchema),
    replyTo: Type.Array(AddressSchema),
    inReplyTo: Nullable(MessageId),
    security: Nullable(EmailSecurity),
    text: Type.String({ examples: ['Are you free at noon?'] }),
    html: Nullable(
      Type.String({
        examples: ['<p>Are you free at noon?</p>'],
        description: 'Sanitized. The URL of a remote image is in `data-src`, so that the image is not loaded',
      }),
    ),
  },
  { title: 'Email' },
)
export type Email = Static<typeof Email>

/** An email as other modules get it. `version` is for the ETag and is not sent to clients. */
export type EmailView = Email & { version: number }

type EmailRecord = Selectable<EmailRow>

const flagEncodings = { read: flag, starred: flag }

/** Maps all fields that have one column. */
export const emailColumns = columns(Email, {
  mailingList: json,
  unreadable: json,
  to: json,
  cc: json,
  bcc: json,
  replyTo: json,
  security: json,
  tags: json,
  attachments: json,
  analysis: json,
  pinned: flag,
  ...flagEncodings,
})

/** The columns of the fields that have more than one. */
const GROUPED_COLUMNS = {
  from: ['fromName', 'fromAddress'],
  delivery: ['deliveryStatus', 'deliveryError', 'deliveryAt'],
  returned: ['returnedPosition', 'returnReason'],
  folders: ['otherFolders'],
  /** The calendar part is read for a response. */
  invitation: [],
} as const
type GroupedField = keyof typeof GROUPED_COLUMNS

/** The fields that are stored in one column of the email. */
export const ColumnFields = Type.Omit(Email, [
  ...(Object.keys(GROUPED_COLUMNS) as GroupedField[]),
  'text',
  'html',
])

type SummaryColumn =
  | Exclude<keyof EmailSummary, GroupedField>
  | (typeof GROUPED_COLUMNS)[GroupedField][number]

/** The columns that a list reads. */
export const SUMMARY_COLUMNS = Object.keys(summaryFields).flatMap(
  (name) => GROUPED_COLUMNS[name as GroupedField] ?? [name],
) as SummaryColumn[]

type SummaryRow = Pick<EmailRecord, SummaryColumn>
export type WholeEmail = EmailRecord & Pick<EmailBodyRow, 'text' | 'html'>

/** Adds the fields that have more than one column. A spread would copy each email of a list again. */
const addGroupedFields = (email: Email, row: SummaryRow): Email => {
  email.from =
    row.fromName === '' && row.fromAddress === '' ? null : { name: row.fromName, address: row.fromAddress }
  email.delivery =
    row.deliveryStatus === null
      ? null
      : {
          status: row.deliveryStatus as NonNullable<Email['delivery']>['status'],
          error: row.deliveryError,
          sendAt: row.deliveryAt,
        }
  email.returned = toReturned(row)
  email.folders = listPlaces(row).filter(isOnServer)
  email.invitation = null
  return email
}

export const toReturned = ({
  returnedPosition,
  returnReason,
}: Pick<EmailRecord, 'returnedPosition' | 'returnReason'>): Email['returned'] =>
  returnedPosition === null ? null : { at: instantAt(returnedPosition), reason: returnReason ?? 'snooze' }

export const toSummaries = (rows: readonly SummaryRow[]): EmailSummary[] =>
  emailColumns.fromRows(rows).map((email, index) => addGroupedFields(email, rows[index] as SummaryRow))

/** Shows the email in another of its folders. */
export const showIn = <E extends Pick<Email, 'folder' | 'folderId' | 'folders'>>(
  email: E,
  isVisible: (place: MainPlace) => boolean,
): E => {
  const place = isVisible({ id: email.folderId, role: email.folder })
    ? undefined
    : email.folders.find(isVisible)
  return place ? Object.assign(email, { folder: place.role, folderId: place.id }) : email
}

export const toEmail = (row: WholeEmail): EmailView =>
  Object.assign(addGroupedFields(emailColumns.fromRow(row), row), { version: row.version })

/** Maps the flags of an email, or of its copy on a mail server. */
const flagColumns = columns(EmailFlags, flagEncodings)
export const toFlags = (row: Record<FlagColumn, number>): EmailFlags => flagColumns.fromRow(row)
export const toFlagColumns = <F extends Partial<EmailFlags>>(flags: F) =>
  flagColumns.toRow(flags) as { [K in FlagColumn & keyof F]: number }

/** Builds an object with one value per flag. */
export const mapFlags = <V>(toValue: (name: FlagColumn) => V) =>
  Object.fromEntries(FLAG_COLUMNS.map((name) => [name, toValue(name)])) as Record<FlagColumn, V>

export const NO_FLAGS: EmailFlags = mapFlags(() => false)

/** Picks the flags that are set or cleared. */
export const pickFlags = <F extends Partial<EmailFlags>>(from: F) =>
  Object.fromEntries(
    FLAG_COLUMNS.filter((name) => from[name] !== undefined).map((name) => [name, from[name]]),
  ) as Pick<F, FlagColumn & keyof F>

/** Returns the flags that differ, with their new values. */
export const findChangedFlags = (before: EmailFlags, after: EmailFlags): Partial<EmailFlags> =>
  Object.fromEntries(
    FLAG_COLUMNS.filter((name) => before[name] !== after[name]).map((name) => [name, after[name]]),
  )

export const ReceivedFields = Type.Pick(Email, [
  'id',
  'threadId',
  'accountId',
  'subject',
  'date',
  'folder',
  'tags',
  ...FLAG_COLUMNS,
  'snoozedUntil',
  'pinned',
])
const receivedColumns = columns(ReceivedFields, { tags: json, pinned: flag, ...flagEncodings })

/** The payload of the change `email.received`. */
export const toReceivedChange = (email: EmailRecord) => ({
  ...receivedColumns.fromRow(email),
  from: { name: email.fromName, address: email.fromAddress },
})

/** The payload of the change `email.due`: the email returned to the inbox. */
export const toDueChange = (email: EmailRecord) => ({
  ...toReceivedChange(email),
  to: JSON.parse(email.to) as Address[],
  returned: toReturned(email),
})

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
export interface FiledAttachment extends Attachment {
  contentId: string | null
  blob: StagedBlob | null
}

/** The fields that a message, or the editor of a draft, determines. */
export interface DraftContent
  extends Pick<Email, 'from' | 'to' | 'cc' | 'bcc' | 'replyTo' | 'subject' | 'inReplyTo' | 'date'> {
  content: Content
  attachments: FiledAttachment[]
  raw: StagedBlob | null
  /** Identifies bodies and attachments of a message. */
  contentHash?: string | null
  /** Set if the message could not be read. */
  unreadable?: { reason: string; readerVersion: string }
}

/** The reminder fields of an email without reminders. */
export const NO_REMINDERS = { snoozedUntil: null, followUpAt: null, pinned: false } as const

/** The columns of an email that is listed at its date. */
export const NOT_RETURNED = { snoozedUntil: null, returnedPosition: null, returnReason: null } as const

/** The fields of an email before it is inserted. */
export interface Draft
  extends DraftContent,
    EmailFlags,
    Pick<Email, 'accountId' | 'messageId' | 'folder' | 'folderId' | 'mailingList' | 'security' | 'tags'>,
    Pick<Email, keyof typeof NO_REMINDERS> {
  /** The account that the email belongs to. */
  userId: number
  references: string[]
  /** Sent by a program, for example an out-of-office reply. */
  isAutomatic?: boolean
}

export const toAttachment = ({ id, filename, contentType, size }: Attachment): Attachment => ({
  id,
  filename,
  contentType,
  size,
})

export const toContentColumns = (draft: DraftContent) => ({
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
  attachments: JSON.stringify(draft.attachments.map(toAttachment)),
  hasAttachments: draft.attachments.length > 0 ? 1 : 0,
  contentHash: draft.contentHash ?? null,
  unreadable: draft.unreadable
    ? JSON.stringify({ reason: draft.unreadable.reason, hasRaw: draft.raw !== null })
    : null,
  readerVersion: draft.unreadable?.readerVersion ?? null,
})

/** The columns that only the original message determines. */
export const toMessageColumns = ({
  messageId,
  references,
  mailingList,
  security,
}: Pick<Draft, 'messageId' | 'references' | 'mailingList' | 'security'>) => ({
  messageId,
  references: JSON.stringify(references),
  listId: mailingList?.id ?? null,
  mailingList: mailingList && JSON.stringify(mailingList),
  security: security && JSON.stringify(security),
})

/** The columns of an email that is inserted now. */
export const toNewRow = (draft: Draft, now: string) => ({
  ...toContentColumns(draft),
  ...toMessageColumns(draft),
  ...toFlagColumns<EmailFlags>(draft),
  userId: draft.userId,
  accountId: draft.accountId,
  folder: draft.folder,
  folderId: draft.folderId,
  otherFolders: null,
  tags: JSON.stringify(draft.tags),
  analysis: null,
  urgency: null,
  deliveryStatus: null,
  deliveryError: null,
  deliveryAt: null,
  rawBlob: draft.raw?.hash ?? null,
  snoozedUntil: draft.snoozedUntil,
  followUpAt: draft.followUpAt,
  pinned: draft.pinned ? 1 : 0,
  returnedPosition: null,
  returnReason: null,
  version: 1,
  createdAt: now,
  updatedAt: now,
})
export type NewEmailRow = Omit<
  EmailRecord,
  'id' | 'position' | 'threadId' | 'readAttempts' | 'securityVersion'
>

export const tagKeys = (tags: readonly string[]): string[] => [...new Set(tags.map(tagKeyOf))]
