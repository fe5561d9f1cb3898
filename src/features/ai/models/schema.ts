import Type from 'typebox'
import { NextCursor, Nullable } from '../../../platform/http/shapes.ts'
import { MODEL_NAMES, PROVIDERS } from '../providers.ts'

export const ModelField = Type.Enum([...MODEL_NAMES], { type: 'string', examples: ['model_a'] })
export const ProviderField = Type.Enum([...PROVIDERS], { type: 'string', examples: ['anthropic'] })
export const EngineField = Type.Enum(['llm', 'builtin'], {
  type: 'string',
  examples: ['llm'],
  description: 'What answers: a language model, or the built-in engine',
})

const modelFields = {
  model: ModelField,
  provider: ProviderField,
  providerModel: Type.String({ examples: ['claude-sonnet-4-5'], description: "The provider's name for it" }),
  ready: Type.Boolean({ examples: [true], description: 'Whether its provider can be asked' }),
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
              description: 'How much it takes in; null when it is not known',
            }),
          ),
          price: Nullable(
            Type.Object(
              {
                input: Type.Number({ examples: [3], description: 'Dollars for a million tokens read' }),
                output: Type.Number({ examples: [15], description: 'Dollars for a million tokens written' }),
                source: Type.Enum(['configured', 'listed'], {
                  type: 'string',
                  examples: ['listed'],
                  description:
                    '`configured`: by `AI_PRICES`; `listed`: by the built-in list, which may be out of date',
                }),
              },
              { title: 'AiPrice', description: 'Null when it is not known' },
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
