import type { Shape } from '../../api/client.ts'

export const RANGES = ['7d', '30d', '90d', '12m'] as const
export type Range = (typeof RANGES)[number]
export type Interval = Shape<'StatsHistory'>['interval']

const DEFAULT_RANGE: Range = '30d'
const DAYS = { '7d': 7, '30d': 30, '90d': 90 } as const
const MONTHS = 12

/** Reads the range of the URL. */
export const readRange = (search: string): Range => {
  const given = new URLSearchParams(search).get('range')
  return RANGES.find((range) => range === given) ?? DEFAULT_RANGE
}

export const rangeHref = (range: Range): string =>
  range === DEFAULT_RANGE ? '/insights' : `/insights?range=${range}`

/** The days of a range that ends today, and the length of its intervals. */
export const toQuery = (range: Range, today: string): { from: string; to: string; interval: Interval } => {
  const first = new Date(`${today}T00:00:00Z`)
  if (range === '12m') first.setUTCMonth(first.getUTCMonth() - (MONTHS - 1), 1)
  else first.setUTCDate(first.getUTCDate() - (DAYS[range] - 1))
  const interval = range === '12m' ? 'month' : range === '90d' ? 'week' : 'day'
  return { from: first.toISOString().slice(0, 10), to: today, interval }
}
