import { describe, expect, it } from 'vitest'
import { dayOf, daysBetween, getVisibleDays, step } from './days.ts'
import { packColumns, packLanes } from './layout.ts'

const MONDAY = { weekStart: 'monday', searching: false } as const
const visible = (...[view, day, options]: [Parameters<typeof step>[0], string, typeof MONDAY?]) => {
  const { first, count } = getVisibleDays(view, dayOf(day), options ?? MONDAY)
  return `${first} ${count}`
}

describe('the days of a view', () => {
  it('are a day, a week or 30 days', () => {
    expect(visible('day', '2026-03-04')).toBe('2026-03-04 1')
    expect(visible('week', '2026-03-04')).toBe('2026-03-02 7')
    expect(visible('agenda', '2026-03-04')).toBe('2026-03-04 30')
  })

  it('of a week begin on the first day that the user has chosen', () => {
    const { first } = getVisibleDays('week', dayOf('2026-03-01'), { weekStart: 'sunday', searching: false })
    expect(String(first)).toBe('2026-03-01')
  })

  it('of a month fill whole weeks', () => {
    expect(visible('month', '2026-02-15')).toBe('2026-01-26 35')
    expect(visible('month', '2027-02-15')).toBe('2027-02-01 28')
  })

  it('of the agenda are a year during a search', () => {
    const { count } = getVisibleDays('agenda', dayOf('2026-03-04'), { weekStart: 'monday', searching: true })
    expect(count).toBe(366)
  })

  it('move by the length of the view, and by whole months', () => {
    expect(String(step('week', dayOf('2026-03-04'), -1))).toBe('2026-02-25')
    expect(String(step('month', dayOf('2026-01-31'), 1))).toBe('2026-02-01')
  })

  it('are counted across a change of the clock', () => {
    expect(daysBetween(dayOf('2026-03-28'), dayOf('2026-03-30'))).toBe(2)
  })
})

describe('events at the same time', () => {
  const columns = (...events: [number, number][]) =>
    packColumns(events.map(([from, to]) => ({ from, to }))).map((event) => `${event.column}/${event.columns}`)

  it('are side by side, and use a column again that is free', () => {
    expect(columns([0, 10], [5, 15], [10, 20])).toEqual(['0/2', '1/2', '0/2'])
  })

  it('take the whole width again after the last one has ended', () => {
    expect(columns([0, 10], [5, 15], [15, 20])).toEqual(['0/2', '1/2', '0/1'])
  })

  it('over several days stay in one lane', () => {
    const lanes = packLanes([
      { from: 0, to: 3 },
      { from: 1, to: 2 },
      { from: 2, to: 4 },
      { from: 3, to: 5 },
    ])
    expect(lanes.map(({ lane }) => lane)).toEqual([0, 1, 1, 0])
  })
})
