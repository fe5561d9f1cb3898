import { describe, expect, it } from 'vitest'
import { type Check, formatTable, toRow } from '../bench/table.ts'

const judge = (...checks: Check[]) => toRow({ group: 'limit', work: 'list', checks }).holds

describe('table of the benchmarks', () => {
  it('a promise holds if the median of the rounds keeps the bound', () => {
    expect(judge({ values: [0.1, 0.8, 0.9], atLeast: 0.7 })).toBe('yes')
    expect(judge({ values: [150, 200, 900], atMost: 200 })).toBe('yes')
  })

  it('a promise fails only by more than half the interquartile range', () => {
    expect(judge({ values: [50, 60, 70, 80, 90], atLeast: 80 })).toBe('within noise')
    expect(judge({ values: [50, 60, 70, 80, 90], atLeast: 81 })).toBe('no')
    expect(judge({ values: [201], atMost: 200 })).toBe('no')
  })

  it('every check of a row must hold', () => {
    expect(judge({ values: [1], atLeast: 0.7 }, { values: [1], atLeast: 2 })).toBe('no')
  })

  it('a value that could not be measured fails, and a figure without a bound is no promise', () => {
    expect(judge({ values: [], atMost: 20 })).toBe('no')
    expect(judge({ values: [1] })).toBeUndefined()
  })

  it('prints the rows of each promise together', () => {
    const rows = [
      toRow({ group: 'console', work: 'open', checks: [{ values: [120], atMost: 200, unit: ' ms' }] }),
      toRow({ group: 'limit', work: 'list', ratioByCpu: 0.8, checks: [{ values: [0.8], atLeast: 0.7 }] }),
    ]
    expect(formatTable(rows)).toMatchInlineSnapshot(`
      "| work | ours   | limit | throughput | CPU  | noise | promise  | holds |
      |------|--------|-------|------------|------|-------|----------|-------|
      | **Lists, one item, durable create, me and search, beside the plain server** |  |  |  |  |  |  |  |
      | list | 0.80   |       |            | 0.80 |       | ≥ 0.7    | yes   |
      | **Console with a large mailbox in Chromium** |  |  |  |  |  |  |  |
      | open | 120 ms |       |            |      |       | ≤ 200 ms | yes   |"
    `)
  })
})
