import Type from 'typebox'
import { Instant, Nullable } from '../../../platform/http/shapes.ts'
import { mailGiven, modelWished } from '../intelligence/schema.ts'
import { madeFields } from '../made-schema.ts'

const strict = { additionalProperties: false }

const Tone = Type.Enum(['formal', 'friendly', 'brief'], { type: 'string', examples: ['friendly'] })

/** How an answer is wished for. */
const wishes = {
  tone: Type.Optional(Tone),
  language: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
      maxLength: 35,
      examples: ['en'],
      description: 'The language of the mail unless told; without a model, English and German',
    }),
  ),
  instructions: Type.Optional(
    Type.String({
      maxLength: 4000,
      examples: ['accept, and ask for the agenda'],
      description: 'What to say. Without a model yes and no are understood, and the rest is left as a gap',
    }),
  ),
}
export const ReplyWish = Type.Object(
  { ...wishes, ...modelWished },
  {
    ...strict,
    title: 'ReplyWish',
    examples: [{ tone: 'friendly', instructions: 'accept, and ask for the agenda' }],
  },
)
export type ReplyWish = Type.Static<typeof ReplyWish>

const { html: _, ...given } = mailGiven
export const ResponseWish = Type.Object(
  { ...given, ...wishes, ...modelWished },
  {
    ...strict,
    title: 'ResponseWish',
    description: 'An `emailId`, or a `text` with what else is known of it.',
    examples: [
      {
        from: 'Ben Okafor <ben@example.org>',
        subject: 'The figures',
        text: 'Could you send the figures by Friday?',
        tone: 'formal',
      },
    ],
  },
)

const Address = Type.Object(
  {
    name: Type.String({ examples: ['Ben Okafor'] }),
    address: Type.String({ examples: ['ben@example.org'] }),
  },
  { title: 'ReplyAddress' },
)

/** What any answer to a mail has. */
const reply = {
  subject: Type.String({ examples: ['Re: The figures'] }),
  text: Type.String({
    examples: ['Hi Ben,\n\nThanks for your message.\n\n[your reply]\n\nBest,\nAna'],
    description: 'What only you know stands in [brackets]',
  }),
  html: Type.String({ examples: ['<p>Hi Ben,</p>'] }),
  tone: Tone,
  language: Type.String({ examples: ['en'] }),
  answerable: Type.Boolean({
    examples: [true],
    description: 'False: it came from a machine, and an answer would reach no person',
  }),
  gaps: Type.Array(Type.String({ examples: ['[your answer]'] }), {
    description: 'What is left for you to say, as it stands in the text',
  }),
  slots: Type.Array(Type.Object({ start: Instant, end: Instant }, { title: 'ProposedSlot' }), {
    description: 'Times that it proposes: free in your calendar, in your working hours',
  }),
  notices: Type.Array(Type.String({ examples: ['It is a newsletter, sent to many.'] })),
  ...madeFields,
}

export const ReplyDraft = Type.Object(
  {
    ...reply,
    to: Type.Array(Address, { description: 'Where the mail asks to be answered' }),
    inReplyTo: Nullable(
      Type.String({
        examples: ['4711@example.org'],
        description: 'The message id that it answers; `POST /api/emails/send` takes it',
      }),
    ),
    accountId: Nullable(
      Type.String({ examples: ['q3vYw1y0T2uJf0b2nq8XVA'], description: 'The mail account it came to' }),
    ),
  },
  { title: 'ReplyDraft' },
)

export const EmailResponse = Type.Object(reply, { title: 'EmailResponse' })
