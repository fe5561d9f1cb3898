import Type from 'typebox'
import { Instant, NextCursor, Nullable } from '../../platform/http/shapes.ts'
import { MEASURES } from './measures.ts'

const strict = { additionalProperties: false } as const
const Day = Type.String({ format: 'date', examples: ['2026-03-01'] })
const Period = Type.String({ pattern: '^\\d{4}-\\d{2}$', examples: ['2026-03'], description: 'A month' })
const MeasureName = Type.Enum([...MEASURES], { type: 'string' })
const Unit = Type.Enum(['requests', 'tokens', 'usd', 'bytes', 'messages'], { type: 'string' })

const amounts = {
  aiRequests: Type.Integer({ examples: [12] }),
  aiInputTokens: Type.Integer({ examples: [8200] }),
  aiOutputTokens: Type.Integer({ examples: [2100] }),
  aiTokens: Type.Integer({ examples: [10_300] }),
  aiCostUsd: Type.Number({ examples: [0.0561] }),
  aiUnpriced: Type.Integer({ examples: [0], description: 'Of the requests, those whose price is not known' }),
  storageBytes: Type.Integer({
    examples: [73_400_320],
    description: 'Taken on the disk at the end of the time; today as it was last measured',
  }),
  messagesSynced: Type.Integer({ examples: [41], description: 'Messages that came from mail servers' }),
}

export const BillingUsageQuery = Type.Object(
  {
    days: Type.Integer({
      minimum: 1,
      maximum: 366,
      default: 30,
      description: 'How many days back, with today',
    }),
  },
  strict,
)

export const BillingUsage = Type.Object(
  {
    timezone: Type.String({ examples: ['Europe/Berlin'], description: 'Whose days these are' }),
    from: Day,
    to: Day,
    totals: Type.Object(amounts, { title: 'UsageAmounts', description: 'Of all these days' }),
    month: Type.Object(
      { period: Period, from: Day, ...amounts },
      { title: 'UsageMonth', description: 'This month so far: what budgets are measured by' },
    ),
    days: Type.Array(Type.Object({ day: Day, ...amounts }, { title: 'UsageDay' }), {
      description: 'Every day, the oldest first',
    }),
    series: Type.Array(
      Type.Object(
        { measure: MeasureName, unit: Unit, values: Type.Array(Type.Number()) },
        { title: 'UsageSeries' },
      ),
      { description: 'The same to plot: one value for each of the days, in their order' },
    ),
    storageMeasuredAt: Instant,
  },
  { title: 'BillingUsage' },
)

export const Budget = Type.Object(
  {
    measure: MeasureName,
    unit: Unit,
    limit: Type.Number({ examples: [20] }),
    used: Type.Number({ examples: [3.5], description: 'This month so far; storage as it is now' }),
    reachedAt: Nullable(
      Type.String({ format: 'date-time', description: 'When you were told this month; null if not' }),
    ),
    updatedAt: Instant,
  },
  { title: 'Budget' },
)
export const BudgetList = Type.Object({
  period: Period,
  budgets: Type.Array(Budget),
  nextCursor: NextCursor,
})
export const BudgetPath = Type.Object({ measure: MeasureName }, strict)
export const BudgetWish = Type.Object(
  {
    limit: Type.Number({
      minimum: 0,
      maximum: 1_000_000_000_000_000,
      examples: [20],
      description: 'For a month: dollars with cents, everything else in whole numbers',
    }),
  },
  { ...strict, title: 'BudgetWish' },
)
