import Type, { type Static } from 'typebox'
import { Instant, NextCursor, Nullable } from '../../../platform/http/shapes.ts'
import { PROVIDERS } from '../language-models.ts'

const ProviderName = Type.Enum([...PROVIDERS], { type: 'string', examples: ['anthropic'] })

export const Key = Type.Object(
  {
    keyId: Type.String({ examples: ['anthropic'] }),
    provider: ProviderName,
    configured: Type.Boolean({ examples: [true] }),
    source: Type.Enum(['runtime', 'environment', 'none'], { type: 'string', examples: ['runtime'] }),
    hint: Type.String({
      examples: ['…abcd'],
      description: 'The last four characters of the key, if it is long enough',
    }),
    baseUrl: Nullable(
      Type.String({
        examples: ['http://127.0.0.1:11434/v1'],
        description: 'Null for the default of the provider',
      }),
    ),
    verified: Nullable(
      Type.Boolean({
        examples: [true],
        description: 'Result of the last verification; null if never verified',
      }),
    ),
    reason: Nullable(
      Type.String({
        examples: ['Anthropic refused the key (401).'],
        description: 'Why the verification failed',
      }),
    ),
    updatedAt: Nullable(Instant),
  },
  { title: 'AiKey', description: 'Status of a provider key; never contains the key' },
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
        description: 'Optional only for `openai-compatible`',
      }),
    ),
    baseUrl: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        examples: ['http://127.0.0.1:11434/v1'],
        description: 'Overrides the URL of the provider. The key is sent only to this URL',
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
