import Type, { type Static } from 'typebox'
import { Instant, NextCursor, Nullable } from '../../platform/http/shapes.ts'
import { MODEL_NAMES, PROVIDERS } from './language-models.ts'
import { LOCAL_SERVER_NAMES, SEARCH_RESULTS } from './local-servers.ts'

export type FallbackReason = (typeof FALLBACK_REASONS)[number]

/** Reasons why the built-in engine answers. */
const FALLBACK_REASONS = ['no_key', 'spending_limit', 'provider_failed', 'private', 'not_needed'] as const

export const ModelField = Type.Enum([...MODEL_NAMES], { type: 'string', examples: ['model_a'] })
const ProviderField = Type.Enum([...PROVIDERS], { type: 'string', examples: ['anthropic'] })
const EngineField = Type.Enum(['llm', 'builtin'], {
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

export const Key = Type.Object(
  {
    keyId: Type.String({ examples: ['anthropic'] }),
    provider: ProviderField,
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
    model: Nullable(
      Type.String({
        examples: ['qwen3:8b'],
        description: 'Selected model of a local server; null for the model of the configuration',
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
    provider: ProviderField,
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

export const LocalServerList = Type.Object(
  {
    servers: Type.Array(
      Type.Object(
        {
          server: Type.Enum([...LOCAL_SERVER_NAMES], { type: 'string', examples: ['ollama'] }),
          baseUrl: Type.String({ examples: ['http://127.0.0.1:11434/v1'] }),
          result: Type.Enum([...SEARCH_RESULTS], {
            type: 'string',
            examples: ['found'],
            description:
              '`not_running`: nothing answers at the address; `needs_key`: the server requires a key; `no_model_server`: another program answers',
          }),
          models: Type.Array(Type.String(), { examples: [['qwen3:8b']] }),
        },
        { title: 'LocalModelServer' },
      ),
    ),
    nextCursor: NextCursor,
  },
  { title: 'LocalModelServerList' },
)

export const LocalModelChoice = Type.Object(
  {
    baseUrl: Type.String({ minLength: 1, maxLength: 500, examples: ['http://127.0.0.1:11434/v1'] }),
    model: Type.String({ minLength: 1, maxLength: 200, examples: ['qwen3:8b'] }),
  },
  { additionalProperties: false },
)

export const ModelTestInput = Type.Object(
  { model: Type.Optional(ModelField) },
  { additionalProperties: false },
)

export const ModelTestResult = Type.Object(
  {
    model: ModelField,
    provider: ProviderField,
    providerModel: Type.String({ examples: ['qwen3:8b'] }),
    text: Type.String({ examples: ['Today is Monday.'], description: 'Answer of the model' }),
    tools: Type.Enum(['used', 'unused', 'missing'], {
      type: 'string',
      examples: ['used'],
      description:
        '`missing`: the model or its server does not support tools, so the assistant cannot look anything up; `unused`: the model did not call the tool',
    }),
    json: Type.Boolean({ examples: [true], description: 'Whether the model answered with valid JSON' }),
  },
  { title: 'ModelTestResult' },
)

const CostUsd = Nullable(
  Type.Number({ examples: [0.0021], description: 'Null if the price of the model is unknown' }),
)

const figures = {
  requests: Type.Integer({ examples: [12] }),
  inputTokens: Type.Integer({ examples: [8200] }),
  outputTokens: Type.Integer({ examples: [2100] }),
  costUsd: Type.Number({ examples: [0.0561] }),
  unpriced: Type.Integer({ examples: [0], description: 'Number of requests whose price is unknown' }),
}
const Day = Type.String({ format: 'date', examples: ['2026-03-01'] })

export const UsageQuery = Type.Object(
  {
    days: Type.Integer({
      minimum: 1,
      maximum: 366,
      default: 30,
      description: 'Number of days, including today',
    }),
  },
  { additionalProperties: false },
)
export const UsageReport = Type.Object(
  {
    timezone: Type.String({ examples: ['Europe/Berlin'] }),
    today: Type.Object({ day: Day, ...figures }, { title: 'AiDay' }),
    models: Type.Array(Type.Object({ model: ModelField, ...figures }), {
      description: 'Usage of today per model',
    }),
    days: Type.Array(Type.Object({ day: Day, ...figures }, { title: 'AiDay' }), {
      description: 'Days with usage, oldest first',
    }),
    limitUsd: Nullable(
      Type.Number({ examples: [5], description: 'Daily spending limit; null for no limit' }),
    ),
    countedUsd: Type.Number({
      examples: [0.0561],
      description:
        'Cost of today that counts towards the limit. Requests of unknown price count at the highest known price',
    }),
    pricesOf: Type.String({
      format: 'date',
      examples: ['2025-11-01'],
      description:
        'Date of the built-in price list. Compare it with your provider, and override prices in `AI_PRICES`',
    }),
  },
  { title: 'AiUsage' },
)

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
  fallbackReason: Nullable(
    Type.Enum([...FALLBACK_REASONS], {
      type: 'string',
      examples: ['no_key'],
      description:
        'Why the built-in engine answered; null if a model answered. `private`: the email is tagged private; `not_needed`: no model was needed or requested',
    }),
  ),
}

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
      Type.String({ maxLength: 100_000, examples: ['Answer in English.'], description: 'System prompt' }),
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
  { title: 'GeneratedText' },
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
