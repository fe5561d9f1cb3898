import Type from 'typebox'
import { Instant, Nullable } from '../../../platform/http/shapes.ts'
import { answerMetaFields } from '../../models/answer-meta.ts'
import { mailGiven, modelChoice } from '../schema.ts'

const strict = { additionalProperties: false }

const Tone = Type.Enum(['formal', 'friendly', 'brief'], { type: 'string', examples: ['friendly'] })

const draftOptions = {
  tone: Type.Optional(Tone),
  language: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
      maxLength: 35,
      examples: ['en'],
      description:
        'Language of the reply. Default: the language of the email. Without a model, only English and German',
    }),
  ),
  instructions: Type.Optional(
    Type.String({
      maxLength: 4000,
      examples: ['accept, and ask for the agenda'],
      description:
        'Content of the reply. Without a model, only yes and no are understood, and everything else becomes a gap',
    }),
  ),
}
export const ReplyDraftInput = Type.Object(
  { ...draftOptions, ...modelChoice },
  {
    ...strict,
    title: 'ReplyWish',
    examples: [{ tone: 'friendly', instructions: 'accept, and ask for the agenda' }],
  },
)
export type ReplyDraftInput = Type.Static<typeof ReplyDraftInput>

const { html: _, ...given } = mailGiven
export const ResponseDraftInput = Type.Object(
  { ...given, ...draftOptions, ...modelChoice },
  {
    ...strict,
    title: 'ResponseWish',
    description: 'An `emailId`, or a `text` with optional details.',
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

const reply = {
  subject: Type.String({ examples: ['Re: The figures'] }),
  text: Type.String({
    examples: ['Hi Ben,\n\nThanks for your message.\n\n[your reply]\n\nBest,\nAna'],
    description: 'Text of the reply, with gaps in [brackets]',
  }),
  html: Type.String({ examples: ['<p>Hi Ben,</p>'] }),
  tone: Tone,
  language: Type.String({ examples: ['en'] }),
  answerable: Type.Boolean({
    examples: [true],
    description: 'False if the sender is automated, so that nobody would read a reply',
  }),
  gaps: Type.Array(Type.String({ examples: ['[your answer]'] }), {
    description: 'Gaps to fill in, as they appear in the text',
  }),
  slots: Type.Array(Type.Object({ start: Instant, end: Instant }, { title: 'ProposedSlot' }), {
    description: 'Proposed times: free in your calendar and within your working hours',
  }),
  notices: Type.Array(Type.String({ examples: ['It is a newsletter, sent to many.'] })),
  ...answerMetaFields,
}

export const ReplyDraft = Type.Object(
  {
    ...reply,
    to: Type.Array(Address, { description: 'Reply-To addresses of the email, otherwise its sender' }),
    inReplyTo: Nullable(
      Type.String({
        examples: ['4711@example.org'],
        description: 'Message id of the original email; pass it to `POST /api/emails/send`',
      }),
    ),
    accountId: Nullable(
      Type.String({
        examples: ['q3vYw1y0T2uJf0b2nq8XVA'],
        description: 'Mail account that received the email',
      }),
    ),
  },
  { title: 'ReplyDraft' },
)

export const EmailResponse = Type.Object(reply, { title: 'EmailResponse' })
