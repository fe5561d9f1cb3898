import Type, { type Static } from 'typebox'
import { Instant, NextCursor, Nullable } from '../../../platform/http/shapes.ts'
import { EmailId, mailingListFields, WayOut } from '../schema.ts'

const strict = { additionalProperties: false }

const ToldTo = Type.String({
  examples: ['news.example.org'],
  description: 'The host or the address that hears of it',
})
const By = Type.Enum(['one-click', 'mail'], { type: 'string', examples: ['one-click'] })

const Unsubscription = Type.Object(
  {
    at: Instant,
    by: By,
    to: ToldTo,
    status: Type.Enum(['accepted', 'queued', 'sent', 'failed', 'uncertain', 'cancelled'], {
      type: 'string',
      examples: ['accepted'],
      description: '`accepted` by the list’s server; the others say how far the mail to it went',
    }),
    emailId: Nullable(EmailId),
  },
  { title: 'Unsubscription', description: 'That the list was left from here, and what became of it' },
)
export type Unsubscription = Static<typeof Unsubscription>

export const WaysOut = Type.Object(
  {
    ...mailingListFields,
    ways: Type.Array(
      Type.Object({
        by: WayOut,
        to: ToldTo,
        url: Nullable(
          Type.String({
            examples: ['https://news.example.org/leave'],
            description: 'Of a page, to be opened',
          }),
        ),
      }),
      { description: 'The best first' },
    ),
    refusal: Nullable(
      Type.String({
        examples: [null],
        description: 'Why nothing is sent to this list: an answer would only help whoever wrote this mail',
      }),
    ),
    unsubscribed: Nullable(Unsubscription),
  },
  { title: 'WaysOut' },
)
export type WaysOut = Static<typeof WaysOut>

export const UnsubscribeBody = Type.Object(
  {
    by: Type.Optional(WayOut),
    again: Type.Optional(
      Type.Boolean({
        examples: [false],
        description: 'Also when the list was left before: otherwise that is the answer, and nothing is sent',
      }),
    ),
  },
  { ...strict, title: 'Unsubscribe' },
)
export type UnsubscribeBody = Static<typeof UnsubscribeBody>

export const UnsubscribeAnswer = Type.Object(
  {
    ...Unsubscription.properties,
    at: Nullable(Instant),
    by: WayOut,
    status: Type.Enum(['accepted', 'queued', 'sent', 'failed', 'uncertain', 'cancelled', 'page'], {
      type: 'string',
      examples: ['accepted'],
      description: '`page`: nothing was sent; open `url` and leave the list there',
    }),
    url: Nullable(Type.String({ examples: [null] })),
  },
  { title: 'UnsubscribeAnswer' },
)
export type UnsubscribeAnswer = Static<typeof UnsubscribeAnswer>

export const MailingList = Type.Object(
  {
    ...mailingListFields,
    from: Type.Object({
      name: Type.String({ examples: ['Example News'] }),
      address: Type.String({ examples: ['news@example.org'] }),
    }),
    emails: Type.Integer({ examples: [34], description: 'How many came in the last 90 days' }),
    unread: Type.Integer({ examples: [20], description: 'How many of these have not been read' }),
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
export const MoveAnswer = Type.Object(
  {
    moved: Type.Integer({ examples: [34] }),
    more: Type.Boolean({ examples: [false], description: 'There are others: ask again' }),
    actionId: Nullable(
      Type.Integer({ examples: [12], description: 'By which `POST /api/actions/{id}/undo` takes it back' }),
    ),
  },
  { title: 'MailingListMoved' },
)
export type MoveAnswer = Static<typeof MoveAnswer>
