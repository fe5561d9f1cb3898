import Type from 'typebox'
import { NextCursor, Nullable } from '../../../platform/http/shapes.ts'
import { MODEL_NAMES, PROVIDERS } from '../language-models.ts'

export const ModelField = Type.Enum([...MODEL_NAMES], { type: 'string', examples: ['model_a'] })
export const ProviderField = Type.Enum([...PROVIDERS], { type: 'string', examples: ['anthropic'] })
export const EngineField = Type.Enum(['llm', 'builtin'], {
  type: 'string',
  examples: ['llm'],
  description: '`llm`: a language model answers; `builtin`: the built-in engine answers',
})

const modelFields = {
  model: ModelField,
  provider: ProviderField,
  providerModel: Type.String({
    examples: ['claude-sonnet-4-5'],
    description: 'Name of the model at its provider',
  }),
  ready: Type.Boolean({ examples: [true], description: 'Whether its provider is configured' }),
  engine: EngineField,
}

export const ActiveModel = Type.Object(
  { ...modelFields, allowed: Type.Array(Type.String(), { examples: [[...MODEL_NAMES]] }) },
  { title: 'ActiveModel' },
)

export const ModelChoice = Type.Object({ model: ModelField }, { additionalProperties: false })

export const ModelList = Type.Object(
  {
    models: Type.Array(
      Type.Object(
        {
          ...modelFields,
          active: Type.Boolean({ examples: [true] }),
          contextTokens: Nullable(
            Type.Integer({
              examples: [200_000],
              description: 'Size of the context window; null if unknown',
            }),
          ),
          price: Nullable(
            Type.Object(
              {
                input: Type.Number({ examples: [3], description: 'US dollars per million input tokens' }),
                output: Type.Number({ examples: [15], description: 'US dollars per million output tokens' }),
                source: Type.Enum(['configured', 'listed'], {
                  type: 'string',
                  examples: ['listed'],
                  description:
                    '`configured`: from `AI_PRICES`; `listed`: from the built-in list, which may be out of date',
                }),
              },
              { title: 'AiPrice', description: 'Null if unknown' },
            ),
          ),
        },
        { title: 'AiModel' },
      ),
    ),
    nextCursor: NextCursor,
  },
  { title: 'AiModelList' },
)
