import Type, { type Static } from 'typebox'
import { Instant, NextCursor, Nullable, OpaqueId, Page } from '../../platform/http/shapes.ts'
import { FOLDERS } from './search.ts'

const strict = { additionalProperties: false }
export const LARGEST_MESSAGE = 25 * 1024 * 1024

export const EmailId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [4711] })
export const EmailPath = Type.Object({ id: EmailId }, strict)
export const AttachmentPath = Type.Object(
  {
    id: EmailId,
    attachmentId: Type.String({ minLength: 1, maxLength: 100, examples: ['q3vYw1y0T2uJf0b2nq8XVA'] }),
  },
  strict,
)

const Address = Type.Object(
  {
    name: Type.String({ examples: ['Ana Ruiz'], description: 'Empty when it is not told' }),
    address: Type.String({ examples: ['ana@example.org'] }),
  },
  { title: 'Address' },
)
const AddressGiven = Type.Union(
  [
    Type.String({ minLength: 1, maxLength: 1000 }),
    Type.Object(
      {
        name: Type.Optional(Nullable(Type.String({ maxLength: 500 }))),
        address: Type.String({ minLength: 1, maxLength: 500 }),
      },
      strict,
    ),
  ],
  { examples: ['Ana Ruiz <ana@example.org>'], description: '`Name <a@b>`, `a@b` or `{name, address}`' },
)
const AddressesGiven = Type.Array(AddressGiven, {
  maxItems: 500,
  examples: [['Ben Okafor <ben@example.org>']],
})

const Folder = Type.Enum([...FOLDERS], { type: 'string', examples: ['inbox'] })
export const Tags = Type.Array(Type.String({ minLength: 1, maxLength: 50, pattern: '\\S' }), {
  maxItems: 50,
  examples: [['work', 'invoices']],
})
const Subject = Type.String({ maxLength: 2000, examples: ['Lunch on Thursday?'] })
const Text = Type.String({ maxLength: 1_000_000, examples: ['Are you free at noon?'] })
const Html = Nullable(Type.String({ maxLength: 1_000_000, examples: ['<p>Are you free at noon?</p>'] }))
const AccountId = Nullable(
  Type.String({ minLength: 1, maxLength: 100, examples: ['q3vYw1y0T2uJf0b2nq8XVA'] }),
)
const MessageId = Type.String({ minLength: 1, maxLength: 500, examples: ['20260301.4711@example.org'] })

export const Attachment = Type.Object(
  {
    id: OpaqueId,
    filename: Type.String({ examples: ['menu.pdf'] }),
    contentType: Type.String({ examples: ['application/pdf'] }),
    size: Type.Integer({ examples: [52_144] }),
  },
  { title: 'Attachment' },
)

const Delivery = Nullable(
  Type.Object(
    {
      status: Type.Enum(['queued', 'sent', 'failed', 'uncertain', 'cancelled'], { type: 'string' }),
      error: Nullable(Type.String({ examples: ['550 No such mailbox'] })),
      sendAt: Nullable(
        Type.String({
          format: 'date-time',
          examples: ['2026-03-02T08:00:00.000Z'],
          description: 'When it goes out, or was to: until then it can be taken back',
        }),
      ),
    },
    { title: 'Delivery', description: 'How sending it went; null for what was not sent from here' },
  ),
)

/** How a list is left: asked by us with one request, by mail from the account, or by the person on a page. */
export const WayOut = Type.Enum(['one-click', 'mail', 'page'], { type: 'string', examples: ['one-click'] })
export const mailingListFields = {
  id: Type.String({
    examples: ['news.example.org'],
    description: 'Its List-Id; where it has none, the sender’s address',
  }),
  name: Type.String({ examples: ['Example News'], description: 'Empty when it is not told' }),
  unsubscribe: Nullable(WayOut),
}
const MailingListOfEmail = Nullable(
  Type.Object(mailingListFields, {
    title: 'MailingListOfEmail',
    description:
      'The mailing list that it came by, and how that is left best (`POST /api/emails/{id}/unsubscribe`)',
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
        'Set when the message could not be read. `text` then says so. A later version of the service tries again',
    },
  ),
)

const Range = Type.Object({ start: Type.Integer({ examples: [0] }), end: Type.Integer({ examples: [5] }) })
const Highlight = Type.Object(
  {
    field: Type.Enum(['subject', 'from.name', 'from.address', 'snippet', 'text'], { type: 'string' }),
    ranges: Type.Array(Range, { description: 'Where the words are, counted in UTF-16 units' }),
    excerpt: Type.Optional(
      Type.String({
        examples: ['are you free for lunch on Thursday?'],
        description: 'Of `text`: the part that `ranges` are of',
      }),
    ),
  },
  { title: 'Highlight' },
)

const summaryFields = {
  id: EmailId,
  threadId: Type.Integer({ examples: [4711], description: 'The same for all e-mails of a conversation' }),
  mailingList: MailingListOfEmail,
  unreadable: Unreadable,
  messageId: Nullable(MessageId),
  accountId: AccountId,
  folder: Folder,
  from: Nullable(Address),
  to: Type.Array(Address),
  cc: Type.Array(Address),
  subject: Subject,
  snippet: Type.String({
    examples: ['Are you free at noon?'],
    description: 'How it begins, without quoted history',
  }),
  date: Instant,
  tags: Tags,
  read: Type.Boolean({ examples: [false] }),
  starred: Type.Boolean({ examples: [false] }),
  attachments: Type.Array(Attachment),
  analysis: Nullable(Type.Object({}, { additionalProperties: true, title: 'EmailAnalysis' })),
  delivery: Delivery,
  createdAt: Instant,
  updatedAt: Instant,
}

export const EmailSummary = Type.Object(
  {
    ...summaryFields,
    highlights: Type.Optional(
      Type.Array(Highlight, { description: 'In a search: where the words were found' }),
    ),
  },
  { title: 'EmailSummary', description: 'An e-mail without its bodies: read it to have them' },
)
export const Email = Type.Object(
  {
    ...summaryFields,
    bcc: Type.Array(Address),
    replyTo: Type.Array(Address),
    inReplyTo: Nullable(MessageId),
    text: Type.String({ examples: ['Are you free at noon?'] }),
    html: Nullable(
      Type.String({
        examples: ['<p>Are you free at noon?</p>'],
        description:
          'Sanitised. Pictures that lie elsewhere have their address in `data-src` and are not loaded',
      }),
    ),
  },
  { title: 'Email' },
)
export type Email = Static<typeof Email>
const SearchHint = Type.Object(
  {
    term: Type.String({ examples: ['is:bogus'] }),
    message: Type.String({
      examples: ['is: does not take “bogus”. Use one of unread, read, starred, unstarred.'],
    }),
  },
  { title: 'SearchHint' },
)
export const EmailList = Type.Object(
  {
    emails: Type.Array(EmailSummary),
    nextCursor: NextCursor,
    hints: Type.Optional(
      Type.Array(SearchHint, {
        description:
          'Terms of the search whose operator does not take that value; they were searched for as words',
      }),
    ),
  },
  { title: 'EmailList' },
)
export type EmailList = Static<typeof EmailList>
export const EmailThread = Type.Object(
  { emails: Type.Array(Email), nextCursor: NextCursor },
  { title: 'EmailThread' },
)
export type EmailThread = Static<typeof EmailThread>

const DateGiven = Type.String({ maxLength: 40, examples: ['2026-03-01T14:00:00Z'] })

const composed = {
  from: Type.Optional(Nullable(AddressGiven)),
  to: Type.Optional(AddressesGiven),
  cc: Type.Optional(AddressesGiven),
  bcc: Type.Optional(AddressesGiven),
  replyTo: Type.Optional(AddressesGiven),
  subject: Type.Optional(Subject),
  text: Type.Optional(Text),
  html: Type.Optional(Html),
  inReplyTo: Type.Optional(Nullable(MessageId)),
  date: Type.Optional(DateGiven),
  attachmentIds: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
      maxItems: 100,
      examples: [[]],
      description: 'Of uploads (`POST /api/attachments`)',
    }),
  ),
}
const marks = {
  tags: Type.Optional(Tags),
  read: Type.Optional(Type.Boolean({ examples: [true] })),
  starred: Type.Optional(Type.Boolean({ examples: [false] })),
  folder: Type.Optional(Folder),
}

export const NewEmail = Type.Object(
  {
    ...composed,
    ...marks,
    accountId: Type.Optional(AccountId),
    messageId: Type.Optional(Nullable(MessageId)),
    references: Type.Optional(
      Type.Array(MessageId, { maxItems: 100, examples: [[]], description: 'The oldest first' }),
    ),
  },
  {
    ...strict,
    title: 'NewEmail',
    examples: [
      {
        from: 'Ana Ruiz <ana@example.org>',
        to: ['Ben Okafor <ben@example.org>'],
        subject: 'Lunch on Thursday?',
        text: 'Are you free at noon?',
        tags: ['work'],
      },
    ],
  },
)
export type NewEmail = Static<typeof NewEmail>

export const EmailChange = Type.Object(
  { ...marks, ...composed },
  {
    ...strict,
    title: 'EmailChange',
    description: 'Tags, read, starred and folder. A draft can be changed in full.',
    examples: [{ tags: ['work', 'invoices'], read: true, starred: true }],
  },
)
export type EmailChange = Static<typeof EmailChange>

export const EmailQuery = Type.Object(
  {
    ...Page.properties,
    q: Type.Optional(
      Type.String({
        maxLength: 1000,
        examples: ['invoice from:ana is:unread -draft'],
        description:
          'Words, "phrases", begin* and -without; `from:` `to:` `cc:` `subject:` `tag:` `list:` `is:unread|read|starred` `has:attachment` `in:` `before:` `after:`',
      }),
    ),
    sort: Type.Optional(
      Type.Enum(['newest', 'best'], {
        type: 'string',
        description: 'Of a search: the newest first, or the best match first',
      }),
    ),
    excerpts: Type.Optional(
      Type.Boolean({
        description:
          'Of a search: where the words are not in what is shown, the part of the text they are in',
      }),
    ),
    tag: Type.Optional(Type.String({ minLength: 1, maxLength: 50, examples: ['work'] })),
    folder: Type.Optional(Folder),
    unread: Type.Optional(Type.Boolean({ description: 'Only those; false: only those that were read' })),
    starred: Type.Optional(Type.Boolean()),
    urgency: Type.Optional(Type.Enum(['low', 'normal', 'high', 'critical'], { type: 'string' })),
    accountId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, examples: ['q3vYw1y0T2uJf0b2nq8XVA'] }),
    ),
    threadId: Type.Optional(EmailId),
  },
  strict,
)
export type EmailQuery = Static<typeof EmailQuery>

export const UploadQuery = Type.Object(
  { filename: Type.String({ minLength: 1, maxLength: 255, examples: ['menu.pdf'] }) },
  strict,
)
