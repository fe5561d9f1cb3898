import Type, { type Static } from 'typebox'
import { Instant, NextCursor, Nullable, strict } from '../../../platform/http/shapes.ts'
import { EmailId, mailingListFields, UnsubscribeMethod } from '../messages/email.ts'

const Recipient = Type.String({
  examples: ['news.example.org'],
  description: 'The host or address that receives the request',
})
const By = Type.Enum(['one-click', 'mail'], { type: 'string', examples: ['one-click'] })

const Unsubscription = Type.Object(
  {
    at: Instant,
    by: By,
    to: Recipient,
    status: Type.Enum(['accepted', 'queued', 'sent', 'failed', 'uncertain', 'cancelled'], {
      type: 'string',
      examples: ['accepted'],
      description:
        '`accepted`: the list’s server accepted the request. The other values are the delivery status of the unsubscribe email',
    }),
    emailId: Nullable(EmailId),
  },
  { title: 'Unsubscription', description: 'The unsubscribe request that was sent from here, and its status' },
)
export type Unsubscription = Static<typeof Unsubscription>

export const UnsubscribeOptions = Type.Object(
  {
    ...mailingListFields,
    ways: Type.Array(
      Type.Object({
        by: UnsubscribeMethod,
        to: Recipient,
        url: Nullable(
          Type.String({
            examples: ['https://news.example.org/leave'],
            description: 'The page to open, for the method `page`',
          }),
        ),
      }),
      { description: 'In order of preference' },
    ),
    refusal: Nullable(
      Type.String({
        examples: ['Your mail server marked this email as spam'],
        description:
          'Why no request is sent to this list. A reply to spam or phishing would only confirm the address',
      }),
    ),
    refusalCode: Nullable(
      Type.Enum(['spam', 'phishing'], {
        type: 'string',
        examples: ['spam'],
        description: 'The reason of `refusal`, for programs that show their own text',
      }),
    ),
    unsubscribed: Nullable(Unsubscription),
  },
  { title: 'UnsubscribeOptions' },
)
export type UnsubscribeOptions = Static<typeof UnsubscribeOptions>

export const UnsubscribeBody = Type.Object(
  {
    by: Type.Optional(UnsubscribeMethod),
    again: Type.Optional(
      Type.Boolean({
        examples: [false],
        description:
          'Send a request even if one was sent before. Otherwise the response is the previous result',
      }),
    ),
  },
  { ...strict, title: 'Unsubscribe' },
)
export type UnsubscribeBody = Static<typeof UnsubscribeBody>

export const UnsubscribeResponse = Type.Object(
  {
    ...Unsubscription.properties,
    at: Nullable(Instant),
    by: UnsubscribeMethod,
    status: Type.Enum(['accepted', 'queued', 'sent', 'failed', 'uncertain', 'cancelled', 'page'], {
      type: 'string',
      examples: ['accepted'],
      description: '`page`: no request was sent. Open `url` to unsubscribe there',
    }),
    url: Nullable(Type.String({ examples: [null] })),
  },
  { title: 'UnsubscribeAnswer' },
)
export type UnsubscribeResponse = Static<typeof UnsubscribeResponse>

export const MailingList = Type.Object(
  {
    ...mailingListFields,
    from: Type.Object({
      name: Type.String({ examples: ['Example News'] }),
      address: Type.String({ examples: ['news@example.org'] }),
    }),
    emails: Type.Integer({ examples: [34], description: 'Number of emails in the last 90 days' }),
    unread: Type.Integer({ examples: [20], description: 'Number of unread emails among them' }),
    lastReceivedAt: Instant,
    lastEmailId: EmailId,
    unsubscribed: Nullable(Unsubscription),
  },
  { title: 'MailingList' },
)
export type MailingList = Static<typeof MailingList>
export const MailingListList = Type.Object(
  { mailingLists: Type.Array(MailingList), nextCursor: NextCursor },
  { title: 'MailingListList' },
)
export type MailingListList = Static<typeof MailingListList>

export const MoveBody = Type.Object(
  {
    id: Type.String({ minLength: 1, maxLength: 255, examples: ['news.example.org'] }),
    folder: Type.Enum(['archive', 'trash'], { type: 'string', examples: ['archive'] }),
  },
  { ...strict, title: 'MoveMailingList' },
)
export type MoveBody = Static<typeof MoveBody>
export const MoveResponse = Type.Object(
  {
    moved: Type.Integer({ examples: [34] }),
    more: Type.Boolean({
      examples: [false],
      description: 'Whether there are more emails. Repeat the request',
    }),
    actionId: Nullable(
      Type.Integer({
        examples: [12],
        description: 'The action to revert with `POST /api/actions/{id}/undo`',
      }),
    ),
  },
  { title: 'MailingListMoved' },
)
export type MoveResponse = Static<typeof MoveResponse>
