import Type from 'typebox'
import {
  BulkChange,
  BulkIds,
  closed,
  Deleted,
  Id,
  limitTo,
  listOf,
  MAX_BULK,
  Moment,
  More,
  OrNull,
  oneOf,
  pickFields,
  type ToolContract,
  type ToolSchemas,
  withoutExamples,
} from './contract.ts'

const EmailId = Type.Integer({ ...Id, description: 'Id of an email' })
const ListEmailId = Type.Integer({
  ...Id,
  description: 'Id of an email of the list, such as `lastEmailId`',
})
const Time = Type.String({ maxLength: 40, description: 'RFC 3339 with an offset' })
const Addresses = Type.Array(
  Type.String({ minLength: 1, maxLength: 500, description: 'Name <a@b> or a@b' }),
  { maxItems: 50 },
)
const Tags = Type.Array(Type.String({ minLength: 1, maxLength: 50, pattern: '\\S' }), { maxItems: 20 })
const emailFields = {
  to: Type.Optional(Addresses),
  cc: Type.Optional(Addresses),
  subject: Type.Optional(Type.String({ maxLength: 2000 })),
  text: Type.String({ minLength: 1, maxLength: 100_000 }),
  replyTo: Type.Optional(Type.Integer({ ...Id, description: 'Id of the email that this one replies to' })),
}
const Attachments = Type.Array(Type.Object({ filename: Type.Unknown(), size: Type.Integer() }))

/** The fields of an email in a list. */
export const SUMMARY_FIELDS = [
  'id',
  'threadId',
  'folder',
  'from',
  'to',
  'subject',
  'snippet',
  'date',
  'tags',
  'read',
  'starred',
] as const
export const MARKED_FIELDS = ['id', 'tags', 'read', 'starred', 'folder'] as const
export const SENT_FIELDS = ['id', 'to', 'cc', 'subject', 'delivery'] as const
const REMINDED_FIELDS = ['id', 'threadId', 'subject'] as const

export const createMailContracts = (schemas: ToolSchemas) => {
  const { email, searchSyntax } = schemas
  const summaryFields = pickFields(email, SUMMARY_FIELDS)
  const reminded = pickFields(email, REMINDED_FIELDS)
  return {
    find_emails: {
      description: `Finds emails, newest first. Syntax of \`query\`: ${searchSyntax}`,
      effect: 'read',
      longReads: true,
      scope: 'mail:read',
      input: closed({
        query: Type.Optional(Type.String({ maxLength: 500 })),
        folder: Type.Optional(oneOf(['inbox', 'sent', 'drafts', 'archive', 'trash', 'junk', 'other'])),
        unread: Type.Optional(Type.Boolean()),
        tag: Type.Optional(Type.String({ minLength: 1, maxLength: 50 })),
        urgency: Type.Optional(oneOf(['low', 'normal', 'high', 'critical'])),
        limit: limitTo(25),
      }),
      result: () => listOf('emails', Type.Object(summaryFields)),
    },
    read_email: {
      description: 'Reads one email.',
      effect: 'read',
      scope: 'mail:read',
      input: closed({ id: Id }),
      result: () =>
        Type.Object({ ...summaryFields, ...pickFields(email, ['cc', 'text']), attachments: Attachments }),
    },
    summarize_emails: {
      description: `Summarizes emails: the most important ones with quotes, and how many newsletters there are. Syntax of \`query\`: ${searchSyntax}`,
      effect: 'read',
      longReads: true,
      scope: 'mail:read',
      input: closed({
        id: Type.Optional(
          Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Only this email' }),
        ),
        query: Type.Optional(Type.String({ maxLength: 500 })),
        folder: Type.Optional(
          Type.Enum(['inbox', 'sent', 'archive', 'other'], {
            type: 'string',
            description: 'Default: inbox',
          }),
        ),
        unread: Type.Optional(Type.Boolean({ description: 'true: only unread emails' })),
        limit: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 20, description: 'Emails to quote. Default: 5' }),
        ),
      }),
      result: () =>
        Type.Object({
          total: Type.Integer({ description: 'Number of emails found, at most 200' }),
          more: More,
          emails: Type.Array(
            Type.Object({
              ...summaryFields,
              urgency: oneOf(['low', 'normal', 'high', 'critical']),
              summary: Type.String(),
              quotes: Type.Array(Type.String({ description: 'Word for word from the email' })),
              reservations: Type.Optional(
                Type.Array(schemas.reservation, { description: 'Only in the summary of one email' }),
              ),
            }),
            { description: 'The most important emails first' },
          ),
          others: Type.Integer({ description: 'Emails that are neither quoted nor newsletters' }),
          newsletters: Type.Object({ count: Type.Integer(), senders: Type.Array(Type.String()) }),
        }),
    },
    list_reservations: {
      description:
        'Lists flights, trips, stays, tables, parcels, orders and invoices that were found in emails, by start. An invoice starts when it is due, a parcel when it arrives. Cancelled ones are included. Default: from today on.',
      effect: 'read',
      scope: 'mail:read',
      input: closed({
        types: Type.Optional(
          Type.Array(withoutExamples(schemas.knownReservation.properties.type), {
            maxItems: 12,
            description: 'Default: all types',
          }),
        ),
        status: Type.Optional(withoutExamples(schemas.knownReservation.properties.status)),
        from: Type.Optional(Moment),
        to: Type.Optional(Moment),
        limit: limitTo(50),
      }),
      result: () => listOf('reservations', schemas.knownReservation),
    },
    tag_email: {
      description: 'Adds or removes tags of an email, marks it as read or unread, stars it, or archives it.',
      effect: 'write',
      scope: 'mail:write',
      input: closed({
        id: Id,
        add: Type.Optional(Tags),
        remove: Type.Optional(Tags),
        ...Type.Partial(schemas.emailFlags).properties,
        archived: Type.Optional(
          Type.Boolean({ description: 'true: archive; false: move back to the inbox' }),
        ),
      }),
      returnsOwnText: true,
      result: () => Type.Object(pickFields(email, MARKED_FIELDS)),
      isIdempotent: true,
    },
    delete_email: {
      description: 'Moves an email to the trash. The person must confirm first.',
      effect: 'confirm',
      confirmedBy: 'word',
      scope: 'mail:write',
      input: closed({ id: Id }),
      result: () => Type.Object(pickFields(email, ['id', 'folder'])),
      isDestructive: true,
      isIdempotent: true,
    },
    change_emails: {
      description: `Changes up to ${MAX_BULK} emails at once: archive, trash, read, unread, star, unstar or tag. The person must confirm the number first. One undo restores all of them. Syntax of \`query\`: ${searchSyntax}`,
      effect: 'confirm',
      confirmedBy: 'word',
      longReads: true,
      scope: 'mail:write',
      input: closed({
        change: Type.Enum(['archive', 'trash', 'read', 'unread', 'star', 'unstar', 'tag'], {
          type: 'string',
        }),
        tag: Type.Optional(Type.String({ minLength: 1, maxLength: 50, pattern: '\\S' })),
        query: Type.Optional(Type.String({ maxLength: 500 })),
        folder: Type.Optional(oneOf(['inbox', 'archive', 'other', 'junk', 'trash', 'sent'])),
        unread: Type.Optional(Type.Boolean()),
        ids: BulkIds('The emails themselves, instead of a query'),
      }),
      result: () => BulkChange,
      isDestructive: true,
      isIdempotent: true,
    },
    draft_email: {
      description: 'Writes a draft. Nothing is sent.',
      effect: 'write',
      scope: 'mail:draft',
      input: closed(emailFields),
      composes: ['subject', 'text'],
      result: () => Type.Object(pickFields(email, ['id', 'to', 'cc', 'subject', 'text'])),
    },
    send_email: {
      description: 'Sends an email. The person must confirm first.',
      effect: 'confirm',
      confirmedBy: 'button',
      scope: 'mail:draft',
      input: closed(emailFields),
      result: () => Type.Object(pickFields(email, SENT_FIELDS)),
      isOpenWorld: true,
    },
    send_draft: {
      description: 'Sends a stored draft as it is. The person must confirm first.',
      effect: 'confirm',
      confirmedBy: 'button',
      scope: 'mail:draft',
      input: closed({
        id: Type.Integer({ ...Id, description: 'Id of the draft' }),
        sendAt: Type.Optional(
          Type.String({ maxLength: 40, description: 'RFC 3339 with an offset; without it, sends at once' }),
        ),
      }),
      result: () => Type.Object(pickFields(email, SENT_FIELDS)),
      isOpenWorld: true,
    },
    snooze_email: {
      description:
        'Hides a conversation from the inbox until a time, when it returns to the top. Without `until`, ends the snooze.',
      effect: 'write',
      scope: 'mail:write',
      input: closed({ id: EmailId, until: Type.Optional(Time) }),
      result: () => Type.Object({ ...reminded, ...pickFields(email, ['snoozedUntil']) }),
      isIdempotent: true,
    },
    pin_email: {
      description: 'Pins a conversation to the top of the inbox, or unpins it.',
      effect: 'write',
      scope: 'mail:write',
      input: closed({ id: EmailId, pinned: Type.Optional(Type.Boolean({ default: true })) }),
      result: () => Type.Object({ ...reminded, ...pickFields(email, ['pinned']) }),
      isIdempotent: true,
    },
    remind_if_unanswered: {
      description:
        'Returns a sent email to the top of the inbox if nobody answers it by a time. Without `by`, removes the reminder.',
      effect: 'write',
      scope: 'mail:write',
      input: closed({ id: EmailId, by: Type.Optional(Time) }),
      result: () => Type.Object({ ...reminded, ...pickFields(email, ['followUpAt']) }),
      isIdempotent: true,
    },
    list_mailing_lists: {
      description: 'Lists newsletters and mailing lists with mail in the last 90 days, most frequent first.',
      effect: 'read',
      longReads: true,
      scope: 'mail:read',
      input: closed({ limit: limitTo(100) }),
      result: () => listOf('mailingLists', schemas.mailingList),
    },
    unsubscribe: {
      description: 'Unsubscribes from the mailing list of an email. The person must confirm first.',
      effect: 'confirm',
      confirmedBy: 'button',
      scope: 'mail:write',
      input: closed({ emailId: ListEmailId }),
      result: () => schemas.unsubscribed,
      isIdempotent: true,
      isOpenWorld: true,
    },
    list_mail_rules: {
      description: 'Lists the rules for incoming mail, in the order in which they are applied.',
      effect: 'read',
      scope: 'mail:read',
      input: closed({}),
      returnsOwnText: true,
      result: () => listOf('mailRules', schemas.mailRule),
    },
    list_mail_folders: {
      description: 'Lists the folders of the mail accounts. Mail rules can move mail to them.',
      effect: 'read',
      scope: 'mail:read',
      input: closed({}),
      returnsOwnText: true,
      result: () =>
        listOf(
          'folders',
          Type.Object({
            id: Type.Integer(),
            name: Type.String(),
            path: Type.String(),
            specialUse: OrNull(Type.String()),
            selectable: Type.Boolean(),
          }),
        ),
    },
    create_mail_rule: {
      description: 'Adds a rule for incoming mail. The person must confirm first.',
      effect: 'confirm',
      confirmedBy: 'button',
      longReads: true,
      scope: 'mail:write',
      input: withoutExamples(schemas.newMailRule),
      result: () => schemas.mailRule,
    },
    delete_mail_rule: {
      description: 'Deletes a rule for incoming mail. The person must confirm first.',
      effect: 'confirm',
      confirmedBy: 'button',
      scope: 'mail:write',
      input: closed({ id: Id }),
      result: () => Deleted,
      isDestructive: true,
      isIdempotent: true,
    },
  } satisfies Record<string, ToolContract>
}
