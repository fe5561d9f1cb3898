import Type from 'typebox'
import { Nullable } from '../../../platform/http/shapes.ts'
import { ModelField } from '../catalog/schema.ts'

export const CostUsd = Nullable(
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
