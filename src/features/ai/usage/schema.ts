import Type from 'typebox'
import { Nullable } from '../../../platform/http/shapes.ts'
import { ModelField } from '../models/schema.ts'

export const CostUsd = Nullable(
  Type.Number({ examples: [0.0021], description: 'Null when the price of the model is not known' }),
)

const figures = {
  requests: Type.Integer({ examples: [12] }),
  inputTokens: Type.Integer({ examples: [8200] }),
  outputTokens: Type.Integer({ examples: [2100] }),
  costUsd: Type.Number({ examples: [0.0561] }),
  unpriced: Type.Integer({ examples: [0], description: 'Of the requests, those whose price is not known' }),
}
const Day = Type.String({ format: 'date', examples: ['2026-03-01'] })

export const UsageQuery = Type.Object(
  {
    days: Type.Integer({
      minimum: 1,
      maximum: 366,
      default: 30,
      description: 'How many days back, with today',
    }),
  },
  { additionalProperties: false },
)
export const UsageReport = Type.Object(
  {
    timezone: Type.String({ examples: ['Europe/Berlin'] }),
    today: Type.Object({ day: Day, ...figures }, { title: 'AiDay' }),
    models: Type.Array(Type.Object({ model: ModelField, ...figures }), { description: 'Today, by model' }),
    days: Type.Array(Type.Object({ day: Day, ...figures }, { title: 'AiDay' }), {
      description: 'Days on which something was asked, the oldest first',
    }),
    limitUsd: Nullable(
      Type.Number({ examples: [5], description: 'What may be spent in a day; null for no limit' }),
    ),
    countedUsd: Type.Number({
      examples: [0.0561],
      description:
        'What of today counts towards the limit: requests of unknown price as if their model were the dearest that is known',
    }),
    pricesOf: Type.String({
      format: 'date',
      examples: ['2025-11-01'],
      description:
        'When the built-in list of prices was written down: check it against your provider’s, and say in `AI_PRICES` what differs',
    }),
  },
  { title: 'AiUsage' },
)
