import Type, { type Static } from 'typebox'
import { madeFields } from '../made-schema.ts'
import { ModelField } from '../models/schema.ts'

export const GenerateWish = Type.Object(
  {
    prompt: Type.String({
      minLength: 1,
      maxLength: 400_000,
      pattern: '\\S',
      examples: ['Write two friendly lines that decline an invitation.'],
    }),
    model: Type.Optional(ModelField),
    system: Type.Optional(
      Type.String({ maxLength: 100_000, examples: ['Answer in German.'], description: 'How to answer' }),
    ),
    maxTokens: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, examples: [500] })),
  },
  { additionalProperties: false },
)
export type GenerateWish = Static<typeof GenerateWish>

const Generated = Type.Object(
  {
    text: Type.String({ examples: ['Thank you for thinking of me. I cannot come this time.'] }),
    truncated: Type.Boolean({ examples: [false], description: 'Whether it was cut at `maxTokens`' }),
    ...madeFields,
  },
  { title: 'Generated' },
)

/** JSON, or events when `Accept` asks for them. */
export const GeneratedAnswer = {
  content: {
    'application/json': { schema: Generated },
    'text/event-stream': {
      schema: {
        type: 'string',
        description:
          'Events `delta` `{text}`, then `done` with the whole answer, or `error` `{code, detail}`',
      },
      example: 'event: delta\ndata: {"text":"Thank you"}\n\n',
    },
  },
}
