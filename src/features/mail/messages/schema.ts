import type { Static } from 'typebox'
import Type from 'typebox'
import { Instant, NextCursor, Nullable, OpaqueId, Page, strict } from '../../../platform/http/shapes.ts'
import { FolderId } from '../folders/folder.ts'
import {
  AccountId,
  Email,
  EmailFlags,
  EmailId,
  EmailSummary,
  Folder,
  MessageId,
  ReturnReason,
  reminderFields,
  Subject,
  Tags,
} from './email.ts'
import { createHint, SEARCH_SYNTAX } from './search.ts'

export const MAX_MESSAGE_BYTES = 25 * 1024 * 1024

export const EmailPath = Type.Object({ id: EmailId }, strict)
export const AttachmentPath = Type.Object(
  {
    id: EmailId,
    attachmentId: Type.String({ minLength: 1, maxLength: 100, examples: ['q3vYw1y0T2uJf0b2nq8XVA'] }),
  },
  strict,
)

const AddressInput = Type.Union(
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
const AddressListInput = Type.Array(AddressInput, {
  maxItems: 500,
  examples: [['Ben Okafor <ben@example.org>']],
})

const Text = Type.String({ maxLength: 1_000_000, examples: ['Are you free at noon?'] })
const Html = Nullable(
  Type.String({
    maxLength: 1_000_000,
    examples: ['<p>Are you free at noon?</p>'],
    description:
      'Sanitized. `<img src="cid:ID">` displays the upload `ID` of `attachmentIds`. Without `text`, the service derives it from the HTML',
  }),
)
const Range = Type.Object({ start: Type.Integer({ examples: [0] }), end: Type.Integer({ examples: [5] }) })
const Highlight = Type.Object(
  {
    field: Type.Enum(['subject', 'from.name', 'from.address', 'snippet', 'text'], { type: 'string' }),
    ranges: Type.Array(Range, { description: 'Positions of the matches, in UTF-16 code units' }),
    excerpt: Type.Optional(
      Type.String({
        examples: ['are you free for lunch on Thursday?'],
        description: 'For the field `text`: the excerpt that `ranges` refer to',
      }),
    ),
  },
  { title: 'Highlight' },
)
export type Highlight = Static<typeof Highlight>

export const Highlights = Type.Optional(
  Type.Array(Highlight, { description: 'Only in search results: the positions of the matches' }),
)

const ListedEmail = Type.Object(
  { ...EmailSummary.properties, highlights: Highlights },
  { title: 'EmailSummary', description: 'An email without its bodies' },
)
const SearchHint = Type.Object(
  {
    term: Type.String({ examples: ['is:bogus'] }),
    message: Type.String({
      examples: [createHint('is', 'bogus')?.message],
    }),
  },
  { title: 'SearchHint' },
)
export const SearchHints = Type.Optional(
  Type.Array(SearchHint, {
    description: 'Search terms with a known operator and an invalid value. They were searched as words',
  }),
)
export const EmailList = Type.Object(
  { emails: Type.Array(ListedEmail), nextCursor: NextCursor, hints: SearchHints },
  { title: 'EmailList' },
)
export type EmailList = Static<typeof EmailList>
const Count = (description: string) => Type.Integer({ minimum: 0, maximum: 100, examples: [3], description })
export const EmailCounts = Type.Object(
  {
    inbox: Count('Unread emails in the inbox'),
    archive: Count('Unread emails in the archive'),
    drafts: Count('Drafts'),
    snoozed: Count('Snoozed conversations'),
  },
  { title: 'EmailCounts', description: 'Each is counted up to 100' },
)
export type EmailCounts = Static<typeof EmailCounts>
export const EmailThread = Type.Object(
  { emails: Type.Array(Email), nextCursor: NextCursor },
  { title: 'EmailThread' },
)
export type EmailThread = Static<typeof EmailThread>

const DateInput = Type.String({ maxLength: 40, examples: ['2026-03-01T14:00:00Z'] })

const composeFields = {
  from: Type.Optional(Nullable(AddressInput)),
  to: Type.Optional(AddressListInput),
  cc: Type.Optional(AddressListInput),
  bcc: Type.Optional(AddressListInput),
  replyTo: Type.Optional(AddressListInput),
  subject: Type.Optional(Subject),
  text: Type.Optional(Text),
  html: Type.Optional(Html),
  inReplyTo: Type.Optional(Nullable(MessageId)),
  date: Type.Optional(DateInput),
  attachmentIds: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
      maxItems: 100,
      examples: [[]],
      description: 'Ids of uploads (`POST /api/attachments`)',
    }),
  ),
}
const TimeInput = Type.String({ maxLength: 40, examples: ['2030-03-02T08:00:00Z'] })
/** The reminder fields of a request. */
export const reminderInput = {
  snoozedUntil: Nullable({
    ...TimeInput,
    description:
      'The inbox does not list the email until then. It returns to the top with a notification. Null ends the snooze',
  }),
  followUpAt: Nullable({
    ...TimeInput,
    description:
      'For sent emails and drafts: the email returns to the top of the inbox if nobody answers until then',
  }),
  pinned: reminderFields.pinned,
  returned: Nullable(
    Type.Object(
      { at: TimeInput, reason: ReturnReason },
      {
        ...strict,
        description: 'Null removes the mark of the return, and the email from the top of the inbox',
      },
    ),
  ),
}
const marks = {
  tags: Type.Optional(Tags),
  ...Type.Partial(EmailFlags).properties,
  folder: Type.Optional(Folder),
}
/** The fields that can be changed in any email. */
export const changeableMarks = {
  ...marks,
  folderId: Type.Optional({
    ...FolderId,
    description: 'Moves the email to a folder of its mail account (`GET /api/folders`)',
  }),
  ...Type.Partial(Type.Object(reminderInput)).properties,
}
export const MARKS: readonly string[] = Object.keys(changeableMarks)

export const NewEmail = Type.Object(
  {
    ...composeFields,
    ...marks,
    accountId: Type.Optional(AccountId),
    messageId: Type.Optional(Nullable(MessageId)),
    references: Type.Optional(
      Type.Array(MessageId, { maxItems: 100, examples: [[]], description: 'Oldest first' }),
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
  { ...changeableMarks, ...composeFields },
  {
    ...strict,
    title: 'EmailChange',
    description:
      'Tags, read, starred, pinned, snoozedUntil, followUpAt, and folder or folderId. A move ends a snooze. In a draft, all fields can be changed. The folder `junk` marks the email as spam, also on its server.',
    examples: [{ tags: ['work', 'invoices'], read: true, starred: true }],
  },
)
/** A null folder id: the email has no folder on its server. */
export type EmailChange = Omit<Static<typeof EmailChange>, 'folderId'> & { folderId?: number | null }

export const PlaceQuery = Type.Object(
  {
    folderId: Type.Optional({
      ...FolderId,
      description: 'The folder that a move leaves, and that the response shows if nothing moves',
    }),
  },
  strict,
)

export const Urgency = Type.Enum(['low', 'normal', 'high', 'critical'], { type: 'string' })

export const EmailQuery = Type.Object(
  {
    ...Page.properties,
    q: Type.Optional(
      Type.String({
        maxLength: 1000,
        examples: ['invoice from:ana is:unread -draft'],
        description: SEARCH_SYNTAX,
      }),
    ),
    sort: Type.Optional(
      Type.Enum(['newest', 'best'], {
        type: 'string',
        description: 'Order of search results: newest first, or best match first',
      }),
    ),
    excerpts: Type.Optional(
      Type.Boolean({
        description: 'In search results: include an excerpt of the text if the match is not in another field',
      }),
    ),
    tag: Type.Optional(Type.String({ minLength: 1, maxLength: 50, examples: ['work'] })),
    folder: Type.Optional(Folder),
    folderId: Type.Optional({ ...FolderId, description: 'Only emails in this folder of a mail account' }),
    unread: Type.Optional(Type.Boolean({ description: 'True: only unread emails. False: only read emails' })),
    starred: Type.Optional(Type.Boolean()),
    pinned: Type.Optional(Type.Boolean()),
    snoozed: Type.Optional(
      Type.Boolean({
        description:
          'True: only snoozed emails. Without it, the inbox lists no snoozed emails, and other lists contain them',
      }),
    ),
    urgency: Type.Optional(Urgency),
    accountId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, examples: ['q3vYw1y0T2uJf0b2nq8XVA'] }),
    ),
    threadId: Type.Optional(EmailId),
  },
  strict,
)
export type EmailQuery = Static<typeof EmailQuery>

/** Parameters with which a list may have to read many emails before its page is full. */
export const LONG_PARAMETERS = [
  'q',
  'tag',
  'unread',
  'starred',
  'pinned',
  'snoozed',
  'urgency',
  'accountId',
] as const satisfies readonly (keyof EmailQuery)[]

export const UploadQuery = Type.Object(
  { filename: Type.String({ minLength: 1, maxLength: 255, examples: ['menu.pdf'] }) },
  strict,
)

const { to, cc, bcc, replyTo, subject, text, html, attachmentIds } = NewEmail.properties

export const SendBody = Type.Object(
  {
    accountId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        examples: ['q3vYw1y0T2uJf0b2nq8XVA'],
        description: 'The mail account to send with. Default: the oldest account',
      }),
    ),
    from: Type.Optional({
      ...AddressInput,
      description: 'An identity of the mail account. Default: its own address and sender name',
    }),
    to,
    cc,
    bcc,
    replyTo,
    subject,
    text,
    html,
    attachmentIds,
    inReplyTo: Type.Optional(
      Type.Union([EmailId, Type.String({ minLength: 1, maxLength: 500 }), Type.Null()], {
        examples: [4711],
        description: 'The email to reply to: its id here, or its Message-ID',
      }),
    ),
    sendAt: Type.Optional(
      Type.String({
        maxLength: 40,
        examples: ['2099-03-02T08:00:00Z'],
        description: 'Scheduled time. Default: in ten seconds',
      }),
    ),
    followUpAt: Type.Optional({
      ...TimeInput,
      description: 'The email returns to the top of the inbox if nobody answers until then',
    }),
  },
  {
    additionalProperties: false,
    title: 'SendEmail',
    examples: [
      { to: ['Ben Okafor <ben@example.org>'], subject: 'Lunch on Thursday?', text: 'Are you free at noon?' },
    ],
  },
)

const PendingSend = Type.Object(
  {
    status: Type.Enum(['needs_confirmation'], { type: 'string', examples: ['needs_confirmation'] }),
    actionId: { ...OpaqueId, description: 'The action that the user confirms in the console' },
    emailId: { ...EmailId, description: 'The stored draft. Its `delivery` shows whether it was sent' },
    expiresAt: { ...Instant, description: 'Without a confirmation until then, the email is not sent' },
  },
  {
    title: 'PendingSend',
    description: 'Response for a token with `mail:draft`: a draft that waits for confirmation',
  },
)
export type PendingSend = Type.Static<typeof PendingSend>
export const SendResponse = Type.Union([Email, PendingSend])

export const ResendBody = Type.Object(
  {
    mayArriveTwice: Type.Optional(
      Type.Boolean({
        examples: [true],
        description:
          'Required if the status is `uncertain`: you accept that recipients may receive the email twice',
      }),
    ),
  },
  { additionalProperties: false, title: 'ResendEmail' },
)
