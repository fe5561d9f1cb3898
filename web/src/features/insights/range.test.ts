import { describe, expect, it } from 'vitest'
import { RANGES, rangeHref, readRange, toQuery } from './range.ts'

describe('the range of the insights', () => {
  it('is in the address, and 30 days without one', () => {
    for (const range of RANGES) {
      const { search } = new URL(rangeHref(range), 'http://console')
      expect(readRange(search)).toBe(range)
    }
    expect(rangeHref('30d')).toBe('/insights')
    expect(readRange('?range=1y')).toBe('30d')
  })

  it.each([
    ['7d', '2026-02-24', 'day'],
    ['30d', '2026-02-01', 'day'],
    ['90d', '2025-12-03', 'week'],
    ['12m', '2025-04-01', 'month'],
  ] as const)('of %s begins on %s', (range, from, interval) => {
    expect(toQuery(range, '2026-03-02')).toEqual({ from, to: '2026-03-02', interval })
  })
})
