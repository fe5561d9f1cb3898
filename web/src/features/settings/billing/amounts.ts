export const dollars = (amount: number): string =>
  new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency: 'USD',
    maximumFractionDigits: amount !== 0 && amount < 1 ? 4 : 2,
  }).format(amount)

/** Formats an amount in the smallest unit of its currency. */
export const money = (amount: number, currency: string): string => {
  const format = new Intl.NumberFormat(undefined, { style: 'currency', currency })
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB']

export const bytes = (count: number): string => {
  const step = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, count)) / 3)))
  return `${new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 }).format(count / 1000 ** step)} ${UNITS[step]}`
}

const whole = (count: number): string => new Intl.NumberFormat().format(count)

/** Measures of usage. `typed` is the label of the budget field, `each` the size of one entered unit. */
export const MEASURES = {
  aiCostUsd: { label: 'AI cost', write: dollars, typed: 'Dollars a month', each: 1 },
  aiRequests: { label: 'AI requests', write: whole, typed: 'Requests a month', each: 1 },
  aiTokens: { label: 'AI tokens', write: whole, typed: 'Tokens a month', each: 1 },
  messagesSynced: { label: 'Messages', write: whole, typed: 'Messages a month', each: 1 },
  storageBytes: { label: 'Storage', write: bytes, typed: 'Gigabytes', each: 1e9 },
} as const

export type Measure = keyof typeof MEASURES
export const MEASURE_NAMES = Object.keys(MEASURES) as Measure[]
