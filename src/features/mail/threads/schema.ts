import type { Static } from 'typebox'
import Type from 'typebox'
import { NextCursor, strict } from '../../../platform/http/shapes.ts'
import { FolderId } from '../folders/folder.ts'
import { AddressSchema, EmailFlags, EmailId, EmailSummary, Folder, Tags } from '../messages/email.ts'
import { EmailQuery, Highlights, reminderInput, SearchHints } from '../messages/schema.ts'
import { MAX_MEMBERS } from './repository.ts'

/** The most emails that one request changes or deletes. */
export const MAX_CHANGED = 1_000
const MAX_THREADS = 100

const ThreadId = { ...EmailId, description: 'The `threadId` of its emails' }

export const ThreadQuery = Type.Omit(EmailQuery, ['sort', 'threadId'], strict)
export type ThreadQuery = Static<typeof ThreadQuery>

const { subject, snippet, date, folder, folderId, accountId, tags, starred, delivery, unreadable } =
  EmailSummary.properties
const { snoozedUntil, followUpAt, pinned, returned } = EmailSummary.properties

export const Thread = Type.Object(
  {
    id: ThreadId,
    emailId: { ...EmailId, description: 'The newest email that matches the query' },
    subject,
    snippet,
    date,
    folder: { ...folder, description: 'The folder of the newest email that matches' },
    folderId,
    accountId,
    participants: Type.Array(AddressSchema, {
      description:
        'The last five senders, newest last. The recipients if the newest email is a draft or was sent',
    }),
    messageCount: Type.Integer({
      examples: [3],
      description: `Emails of the thread in this folder, or in all folders except trash and junk. At most ${MAX_MEMBERS}`,
    }),
    unreadCount: Type.Integer({ examples: [1] }),
    hasAttachments: Type.Boolean({ examples: [false] }),
    starred: { ...starred, description: 'True if at least one of its emails is starred' },
    tags: { ...tags, description: 'The tags of all its emails' },
    snoozedUntil,
    followUpAt: { ...followUpAt, description: 'The earliest follow-up of its emails' },
    pinned: { ...pinned, description: 'True if at least one of its emails is pinned' },
    returned,
    delivery,
    unreadable,
    highlights: Highlights,
  },
  { title: 'Thread', description: 'A conversation' },
)
export type Thread = Static<typeof Thread>

export const ThreadList = Type.Object(
  { threads: Type.Array(Thread), nextCursor: NextCursor, hints: SearchHints },
  { title: 'ThreadList' },
)
export type ThreadList = Static<typeof ThreadList>

const selection = {
  threadIds: Type.Array(EmailId, { minItems: 1, maxItems: MAX_THREADS, examples: [[4711]] }),
  folder: Type.Optional({
    ...Folder,
    description: 'Only the emails in this folder. Default: all folders except trash, junk and drafts',
  }),
  folderId: Type.Optional({ ...FolderId, description: 'Only the emails in this folder of a mail account' }),
}

export const ThreadPath = Type.Object({ id: ThreadId }, strict)

export const ThreadChange = Type.Object(
  {
    ...Type.Partial(EmailFlags).properties,
    folder: Type.Optional(Folder),
    folderId: Type.Optional({
      ...FolderId,
      description:
        'Moves the emails to a folder of their mail account (`GET /api/folders`). Emails of other accounts stay',
    }),
    addTags: Type.Optional(Tags),
    removeTags: Type.Optional(Tags),
    ...Type.Partial(Type.Object(reminderInput)).properties,
  },
  { ...strict, minProperties: 1, examples: [{ read: true }] },
)

export const ThreadsChange = Type.Object(
  { ...selection, change: ThreadChange },
  {
    ...strict,
    title: 'ThreadsChange',
    examples: [{ threadIds: [4711], folder: 'inbox', change: { read: true } }],
  },
)
export type ThreadsChange = Static<typeof ThreadsChange>

export const ThreadsDeletion = Type.Object(selection, {
  ...strict,
  title: 'ThreadsDeletion',
  examples: [{ threadIds: [4711], folder: 'trash' }],
})
export type ThreadsDeletion = Static<typeof ThreadsDeletion>

const marks = {
  ...EmailFlags.properties,
  folder: Folder,
  folderId: Type.Optional({ ...FolderId, description: 'Absent without a copy on a mail server' }),
  fromFolderId: Type.Optional({
    ...FolderId,
    description: 'The folder that a move leaves, if the email is in several',
  }),
  fromFolder: Type.Optional({
    ...Folder,
    description: 'The same as `fromFolderId`, for a folder that the mail server does not have yet',
  }),
  tags: Tags,
  ...reminderInput,
}

export const ChangedThreads = Type.Object(
  {
    emails: Type.Array(Type.Object({ id: EmailId, ...marks }), {
      description: 'The changed emails with their previous values. `PATCH /api/emails` restores them',
    }),
  },
  { title: 'ChangedThreads' },
)
export type ChangedThreads = Static<typeof ChangedThreads>

export const EmailsChange = Type.Object(
  {
    emails: Type.Array(Type.Object({ id: EmailId, ...Type.Partial(Type.Object(marks)).properties }, strict), {
      minItems: 1,
      maxItems: MAX_CHANGED,
      examples: [[{ id: 4711, folder: 'inbox' }]],
    }),
  },
  { ...strict, title: 'EmailsChange' },
)
export type EmailsChange = Static<typeof EmailsChange>

export const ChangedEmails = Type.Object(
  { changed: Type.Integer({ examples: [1], description: 'Emails that exist' }) },
  { title: 'ChangedEmails' },
)

export const SuggestionQuery = Type.Object(
  { q: Type.String({ minLength: 1, maxLength: 100, examples: ['ana'] }) },
  strict,
)
export const SearchSuggestions = Type.Object(
  {
    senders: Type.Array(AddressSchema, { description: 'Senders whose name or address starts with `q`' }),
    tags: Type.Array(Type.String({ examples: ['work'] })),
  },
  { title: 'SearchSuggestions' },
)
export type SearchSuggestions = Static<typeof SearchSuggestions>
