/** What is measured day by day. */
export const MEASURES = ['aiRequests', 'aiTokens', 'aiCostUsd', 'storageBytes', 'messagesSynced'] as const
export type Measure = (typeof MEASURES)[number]

export const UNITS = {
  aiRequests: 'requests',
  aiTokens: 'tokens',
  aiCostUsd: 'usd',
  storageBytes: 'bytes',
  messagesSynced: 'messages',
} as const satisfies Readonly<Record<Measure, string>>

const NANO = 1_000_000_000

/** Amounts are kept as whole numbers: dollars in thousand-millionths. */
export const toWhole = (measure: Measure, value: number): number =>
  measure === 'aiCostUsd' ? Math.round(value * NANO) : value
export const fromWhole = (measure: Measure, amount: number): number =>
  measure === 'aiCostUsd' ? amount / NANO : amount

/** Sums of dollars, without the dust that adding fractions leaves. */
export const cleanDollars = (value: number): number => Math.round(value * NANO) / NANO
