import Type, { type Static } from 'typebox'
import { Instant, NextCursor, Nullable } from '../../../platform/http/shapes.ts'
import { PROVIDERS } from '../providers.ts'

const ProviderName = Type.Enum([...PROVIDERS], { type: 'string', examples: ['anthropic'] })

export const Key = Type.Object(
  {
    keyId: Type.String({ examples: ['anthropic'] }),
    provider: ProviderName,
    configured: Type.Boolean({ examples: [true] }),
    source: Type.Enum(['runtime', 'environment', 'none'], { type: 'string', examples: ['runtime'] }),
    hint: Type.String({
      examples: ['…abcd'],
      description: 'The last four characters, of keys that are long enough',
    }),
    baseUrl: Nullable(
      Type.String({ examples: ['http://127.0.0.1:11434/v1'], description: "Null for the provider's own" }),
    ),
    verified: Nullable(
      Type.Boolean({
        examples: [true],
        description: 'Whether the provider took it when it was last asked; null when it was not',
      }),
    ),
    reason: Nullable(
      Type.String({ examples: ['Anthropic refused the key (401).'], description: 'Why it is not verified' }),
    ),
    updatedAt: Nullable(Instant),
  },
  { title: 'AiKey', description: 'How it stands with the key of one provider; never the key' },
)

export const KeyList = Type.Object({ keys: Type.Array(Key), nextCursor: NextCursor }, { title: 'AiKeyList' })

export const NewKey = Type.Object(
  {
    provider: ProviderName,
    key: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        pattern: '^[\\x21-\\x7e]+$',
        examples: ['sk-example-0123456789'],
        description: 'Only a server of the kind `openai-compatible` may do without one',
      }),
    ),
    baseUrl: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        examples: ['http://127.0.0.1:11434/v1'],
        description: 'Another address for the provider. The key goes to this one and to no other',
      }),
    ),
  },
  { additionalProperties: false, examples: [{ provider: 'anthropic', key: 'sk-example-0123456789' }] },
)
export type NewKey = Static<typeof NewKey>

export const KeyPath = Type.Object(
  { keyId: Type.String({ minLength: 1, maxLength: 100, examples: ['anthropic'] }) },
  { additionalProperties: false },
)
