import Type from 'typebox'
import { Nullable } from '../../platform/http/shapes.ts'
import { EngineField, ModelField } from './catalog/schema.ts'
import { PROVIDERS } from './language-models.ts'
import { FALLBACK_REASONS } from './model-router.ts'
import { CostUsd } from './usage/schema.ts'

/** Fields that describe how an AI answer was produced. */
export const answerMetaFields = {
  engine: EngineField,
  model: ModelField,
  provider: Type.Enum([...PROVIDERS, 'builtin'], { type: 'string', examples: ['anthropic'] }),
  usage: Type.Object(
    { inputTokens: Type.Integer({ examples: [412] }), outputTokens: Type.Integer({ examples: [96] }) },
    { title: 'AiTokens' },
  ),
  costUsd: CostUsd,
  because: Nullable(
    Type.Enum([...FALLBACK_REASONS], {
      type: 'string',
      examples: ['no_key'],
      description:
        'Why the built-in engine answered; null if a model answered. `private`: the email is tagged private; `not_needed`: no model was needed or requested',
    }),
  ),
}
