import Type from 'typebox'
import { Instant, Nullable } from '../../../platform/http/shapes.ts'

const strict = { additionalProperties: false }

const TONES = ['formal', 'friendly', 'brief']

export const ResponseWish = Type.Object(
  {
    emailId: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        examples: [4711],
        description: 'The e-mail that is answered, when it is kept here',
      }),
    ),
    from: Type.Optional(
      Type.Union([
        Type.String({ minLength: 1, maxLength: 1000, examples: ['Ben Okafor <ben@example.org>'] }),
        Type.Object(
          {
            name: Type.Optional(Nullable(Type.String({ maxLength: 500, examples: ['Ben Okafor'] }))),
            address: Type.String({ minLength: 3, maxLength: 320, examples: ['ben@example.org'] }),
          },
          { ...strict, title: 'AnsweredPerson' },
        ),
      ]),
    ),
    subject: Type.Optional(Type.String({ maxLength: 2000, examples: ['The figures'] })),
    text: Type.Optional(
      Type.String({ maxLength: 500_000, examples: ['Could you send me the figures by Friday?'] }),
    ),
    date: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 40,
        examples: ['2026-03-02T09:00:00+01:00'],
        description: 'When it was written; now unless told',
      }),
    ),
    tone: Type.Optional(Type.Enum(TONES, { type: 'string', examples: ['friendly'] })),
    instructions: Type.Optional(
      Type.String({
        maxLength: 4000,
        examples: ['accept, and ask for the agenda'],
        description: 'What to say. Without a model yes and no are understood, and the rest is left as a gap',
      }),
    ),
    language: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
        maxLength: 35,
        examples: ['en'],
        description: 'The language of the mail unless told; without a model, English and German',
      }),
    ),
  },
  {
    ...strict,
    title: 'ResponseWish',
    description: 'An `emailId`, or a `text` with what else is known of it.',
    minProperties: 1,
    examples: [{ emailId: 4711, tone: 'formal' }],
  },
)

export const EmailResponse = Type.Object(
  {
    subject: Type.String({ examples: ['Re: The figures'] }),
    text: Type.String({
      examples: ['Hi Ben,\n\nThanks for your message.\n\n[your reply]\n\nBest,\nAna'],
      description: 'What only a person knows stands in [brackets]: look at `gaps` before it is sent',
    }),
    html: Type.String({ examples: ['<p>Hi Ben,</p>'] }),
    tone: Type.Enum(TONES, { type: 'string', examples: ['friendly'] }),
    language: Type.String({ examples: ['en'] }),
    answerable: Type.Boolean({
      examples: [true],
      description: 'False: it came from a machine (RFC 3834), and must not be answered by one',
    }),
    gaps: Type.Array(Type.String({ examples: ['[your reply]'] })),
    slots: Type.Array(Type.Object({ start: Instant, end: Instant }, { title: 'OfferedSlot' })),
    notices: Type.Array(Type.String({ examples: ['It is a newsletter, sent to many.'] })),
    engine: Type.Enum(['llm', 'builtin'], { type: 'string', examples: ['builtin'] }),
    model: Type.Enum(['model_a', 'model_b', 'model_c', 'model_d'], { type: 'string', examples: ['model_a'] }),
    provider: Type.String({ examples: ['builtin'] }),
    usage: Type.Object(
      { inputTokens: Type.Integer({ examples: [0] }), outputTokens: Type.Integer({ examples: [0] }) },
      { title: 'ResponseUsage' },
    ),
  },
  { title: 'EmailResponse' },
)
