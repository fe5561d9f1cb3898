import { describe, expect, it } from 'vitest'
import { DAY, dateOf, dayOf, firstWeekOf, kindOfYear, newYearOf, weekdayOf, weekYearOf } from './days.ts'

const MONDAY = 0
const SUNDAY = 6

describe('integer calendar', () => {
  it('agrees with Date on every day of two 400-year cycles', () => {
    for (let day = dayOf(1599, 1, 1); day <= dayOf(2400, 12, 31); day++) {
      const date = new Date(day * DAY)
      const { year, month, date: ofMonth } = dateOf(day)
      const known = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()]
      if (known.join() !== [year, month, ofMonth].join()) expect([year, month, ofMonth]).toEqual(known)
      if (weekdayOf(day) !== (date.getUTCDay() + 6) % 7) expect(weekdayOf(day)).toBe(date.getUTCDay())
      if (dayOf(year, month, ofMonth) !== day) expect(dayOf(year, month, ofMonth)).toBe(day)
    }
  })

  it.each([
    [2021, 1, 3, 2020, 53],
    [2021, 1, 4, 2021, 1],
    [2024, 12, 30, 2025, 1],
    [1983, 1, 2, 1982, 52],
    [1998, 12, 31, 1998, 53],
  ])('assigns %i-%i-%i to the ISO 8601 year %i, week %i', (year, month, date, weekYear, week) => {
    const day = dayOf(year, month, date)
    expect(weekYearOf(day, MONDAY)).toBe(weekYear)
    expect(Math.floor((day - firstWeekOf(weekYear, MONDAY)) / 7) + 1).toBe(week)
  })

  it('gives the first week at least four days for every first day of the week', () => {
    for (let year = 1970; year < 2000; year++)
      for (let weekStart = MONDAY; weekStart <= SUNDAY; weekStart++) {
        const first = firstWeekOf(year, weekStart)
        expect(weekdayOf(first)).toBe(weekStart)
        expect(first).toBeGreaterThan(newYearOf(year) - 4)
        expect(first).toBeLessThanOrEqual(newYearOf(year) + 3)
      }
  })

  it('distinguishes few kinds of years, and all of them occur in one cycle', () => {
    const kinds = (from: number) =>
      new Set(Array.from({ length: 400 }, (_, index) => kindOfYear(from + index)))
    expect(kinds(1970).size).toBeLessThan(40)
    expect([...kinds(1600)].sort()).toEqual([...kinds(9000)].sort())
  })
})
