import { DAY, dateOf, modulo, newYearOf, weekOf, weekYearOf, yearOf } from './days.ts'
import { withStartDay } from './derivation.ts'
import type { Rule } from './rule.ts'
import { type Steps, spend } from './steps.ts'
import { createYearTables, type Period, type YearTable } from './year-table.ts'

/** The days on which a rule recurs, one year at a time. */
export interface DayPattern {
  /** The first year that may hold this day or a later one. */
  yearFor(day: number): number
  yearAfter(year: number): number
  /**
   * The days in order, counted from New Year: those of each period when BYSETPOS picks from it, and otherwise all in
   * one batch.
   */
  batchesIn(year: number): readonly (readonly number[])[]
  /** After so many years without a recurrence there will be none, for the calendar has begun anew. */
  patience: number
}

const CALENDAR_CYCLE = 400

type Batches = (year: number, table: YearTable) => readonly (readonly number[])[]

/** Reading a year asks of each of its days whether the rule names it. */
const STEPS_OF_YEAR = 100
/** Leaving days out is quicker than anything else that is counted. */
const DAYS_OF_STEP = 8

/** Leaves out what INTERVAL leaps over. Whole years and parts of a day are leapt over elsewhere. */
const createBatches = (rule: Rule, startDay: number, steps: Steps): Batches => {
  const { frequency, interval, byPosition, weekStart } = rule
  const together = (periods: readonly Period[]) =>
    byPosition ? periods.map(({ days }) => days) : [periods.flatMap(({ days }) => days)]

  if (interval > 1 && frequency === 'DAILY')
    return (year, { all }) => {
      spend(steps, all.length / DAYS_OF_STEP)
      const sinceStart = newYearOf(year) - startDay
      return [all.filter((day) => (sinceStart + day) % interval === 0)]
    }
  if (interval > 1 && frequency === 'WEEKLY') {
    const startWeek = weekOf(startDay, weekStart)
    return (year, { periods }) => {
      spend(steps, periods.length / DAYS_OF_STEP)
      const sinceStart = newYearOf(year) - startWeek
      return together(periods.filter(({ key }) => ((sinceStart + key) / 7) % interval === 0))
    }
  }
  if (interval > 1 && frequency === 'MONTHLY') {
    const start = dateOf(startDay)
    return (year, { periods }) => {
      const sinceStart = (year - start.year) * 12 - start.month
      return together(periods.filter(({ key }) => (sinceStart + key) % interval === 0))
    }
  }
  return (_, { periods, all }) => (byPosition ? periods.map(({ days }) => days) : [all])
}

export const createDayPattern = (given: Rule, startWall: number, steps: Steps): DayPattern => {
  const rule = withStartDay(given, startWall)
  const startDay = Math.floor(startWall / DAY)
  const { frequency, interval, byWeekNumber, weekStart } = rule
  const yearly = frequency === 'YEARLY'
  const tables = createYearTables(rule, () => spend(steps, STEPS_OF_YEAR))
  const batches = createBatches(rule, startDay, steps)
  const yearHolding = (day: number): number => {
    if (yearly && byWeekNumber) return weekYearOf(day, weekStart)
    return yearOf(frequency === 'WEEKLY' ? weekOf(day, weekStart) : day)
  }
  const startYear = yearHolding(startDay)
  const leaps = frequency === 'DAILY' || frequency === 'WEEKLY' || frequency === 'MONTHLY'
  return {
    yearFor: (day) => {
      const year = yearHolding(day)
      return yearly ? year + modulo(startYear - year, interval) : year
    },
    yearAfter: (year) => year + (yearly ? interval : 1),
    batchesIn: (year) => batches(year, tables(year)),
    patience: CALENDAR_CYCLE * (leaps ? interval : 1),
  }
}
