import Type, { type Static } from 'typebox'
import { answerMetaFields } from '../answer-meta.ts'
import { ModelField } from '../catalog/schema.ts'

export const GenerateInput = Type.Object(
  {
    prompt: Type.String({
      minLength: 1,
      maxLength: 400_000,
      pattern: '\\S',
      examples: ['Write two friendly lines that decline an invitation.'],
    }),
    model: Type.Optional(ModelField),
    system: Type.Optional(
      Type.String({ maxLength: 100_000, examples: ['Answer in German.'], description: 'System prompt' }),
    ),
    maxTokens: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, examples: [500] })),
  },
  { additionalProperties: false },
)
export type GenerateInput = Static<typeof GenerateInput>

const Generated = Type.Object(
  {
    text: Type.String({ examples: ['Thank you for thinking of me. I cannot come this time.'] }),
    truncated: Type.Boolean({
      examples: [false],
      description: 'Whether the answer was cut off at `maxTokens`',
    }),
    ...answerMetaFields,
  },
  { title: 'Generated' },
)

/** JSON, or server-sent events if `Accept` asks for them. */
export const GeneratedAnswer = {
  content: {
    'application/json': { schema: Generated },
    'text/event-stream': {
      schema: {
        type: 'string',
        description:
          'Events: `delta` `{text}`, then `done` with the complete answer, or `error` `{code, detail}`',
      },
      example: 'event: delta\ndata: {"text":"Thank you"}\n\n',
    },
  },
}
