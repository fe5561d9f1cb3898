import Type from 'typebox'
import { Nullable } from '../../platform/http/shapes.ts'
import { BECAUSE } from './asking.ts'
import { EngineField, ModelField } from './models/schema.ts'
import { PROVIDERS } from './providers.ts'
import { CostUsd } from './usage/schema.ts'

/** What every AI answer says of itself. */
export const madeFields = {
  engine: EngineField,
  model: ModelField,
  provider: Type.Enum([...PROVIDERS, 'builtin'], { type: 'string', examples: ['anthropic'] }),
  usage: Type.Object(
    { inputTokens: Type.Integer({ examples: [412] }), outputTokens: Type.Integer({ examples: [96] }) },
    { title: 'AiTokens' },
  ),
  costUsd: CostUsd,
  because: Nullable(
    Type.Enum([...BECAUSE], {
      type: 'string',
      examples: ['no_key'],
      description:
        'Why the built-in engine answered; null when a model did. `private`: the e-mail is tagged so; `not_needed`: there was nothing to ask a model, or nobody asked for one',
    }),
  ),
}
