import { createDayPattern } from './day-pattern.ts'
import { createDayTimes } from './day-times.ts'
import { DAY, newYearOf } from './days.ts'
import { createPositions } from './positions.ts'
import { type Frequency, isWithinDay, type Rule } from './rule.ts'
import { createSteps, type Steps, spend } from './steps.ts'

/** RFC 5545 writes years with four digits. */
const LAST_YEAR = 9999

/**
 * Goes through a rule's recurrences batch by batch: those of a day, or those that BYSETPOS picks from a period. A
 * batch is counted without being looked at one by one, which makes long ways short.
 */
export interface Cursor {
  /** To the next batch that is not empty; false at the end. */
  advance(): boolean
  /** Passes over whole years after the start's, before a wall-clock time and with less than `most`, and counts. */
  passYears(before: number, most?: number): number
  size(): number
  /** A wall-clock time of the batch, ascending with the index. */
  at(index: number): number
}

const NOTHING: Cursor = { advance: () => false, passYears: () => 0, size: () => 0, at: () => Number.NaN }

/** The most days that BYSETPOS may count through. */
const LONGEST_PERIOD: Partial<Record<Frequency, number>> = { WEEKLY: 7, MONTHLY: 31, YEARLY: 371 }

/**
 * The batches that hold anything from `from` on; no year is opened that begins after `until`. The rule is taken to have
 * ended when `steps` are used up.
 */
export const createCursor = (
  rule: Rule,
  start: number,
  from: number,
  until: number,
  steps: Steps = createSteps(),
): Cursor => {
  const startDay = Math.floor(start / DAY)
  const fromDay = Math.floor(from / DAY)
  const pattern = createDayPattern(rule, start, steps)
  const times = createDayTimes(rule, start, steps)
  // Within a day or an hour, what BYSETPOS picks is always the same, and the times already are what was picked.
  const longest = LONGEST_PERIOD[rule.frequency]
  const positions = longest && rule.byPosition ? createPositions(rule.byPosition) : undefined
  if (times.never || positions?.((longest ?? 0) * times.on(startDay).size).length === 0) return NOTHING

  const stepsWithinDay = isWithinDay(rule)
  let year = pattern.yearFor(fromDay)
  let newYear = 0
  let silentYears = 0
  let batches: readonly (readonly number[])[] = []
  let nextBatch = 0
  let days: readonly number[] = []
  let nextDay = 0
  let dayTimes = times.on(startDay)
  let indices: readonly number[] = []

  /** A year that is told by its weeks begins up to six days before or after New Year. */
  const openYear = (): boolean => {
    newYear = newYearOf(year)
    if (year > LAST_YEAR || (newYear - 7) * DAY >= until || ++silentYears > pattern.patience) return false
    if (!spend(steps, 1)) return false
    batches = pattern.batchesIn(year)
    nextBatch = 0
    year = pattern.yearAfter(year)
    return true
  }

  const openBatch = (): boolean => {
    while (nextBatch === batches.length) if (!openYear()) return false
    if (!spend(steps, 1)) return false
    days = batches[nextBatch++] as readonly number[]
    return true
  }

  const advanceByPeriod = (pick: (size: number) => readonly number[]): boolean => {
    do {
      if (!openBatch()) return false
      indices = pick(days.length * dayTimes.size)
    } while (indices.length === 0)
    silentYears = 0
    return true
  }

  const advanceByDay = (): boolean => {
    do {
      while (nextDay === days.length) {
        if (!openBatch()) return false
        nextDay = 0
        while (nextDay < days.length && newYear + (days[nextDay] as number) < fromDay) nextDay++
      }
      dayTimes = times.on(newYear + (days[nextDay++] as number))
      // A recurrence that somebody asked for costs nothing; one that is only counted does.
      const isAsked = dayTimes.size > 0 && rule.count === undefined
      if (!isAsked && !spend(steps, 1)) return false
      silentYears = 0
    } while (dayTimes.size === 0)
    return true
  }

  const passYears = (before: number, most = Number.POSITIVE_INFINITY): number => {
    let passed = 0
    const isBetweenYears = nextBatch === batches.length && (positions || nextDay === days.length)
    if (!isBetweenYears || stepsWithinDay || (newYearOf(year) - 7) * DAY <= start) return passed
    for (; year <= LAST_YEAR && (newYearOf(year + 1) + 7) * DAY < before; year = pattern.yearAfter(year)) {
      let inYear = 0
      const batches = pattern.batchesIn(year)
      if (!spend(steps, 1 + batches.length)) break
      for (const batch of batches) {
        const size = batch.length * dayTimes.size
        inYear += positions ? positions(size).length : size
      }
      if (passed + inYear >= most) break
      passed += inYear
    }
    return passed
  }

  return positions
    ? {
        advance: () => advanceByPeriod(positions),
        passYears,
        size: () => indices.length,
        at: (index) => {
          const picked = indices[index] as number
          const day = newYear + (days[Math.floor(picked / dayTimes.size)] as number)
          return day * DAY + dayTimes.at(picked % dayTimes.size)
        },
      }
    : {
        advance: advanceByDay,
        passYears,
        size: () => dayTimes.size,
        at: (index) => (newYear + (days[nextDay - 1] as number)) * DAY + dayTimes.at(index),
      }
}

/** How many of the batch come before a wall-clock time. */
export const sizeBefore = (cursor: Cursor, wall: number): number => {
  let low = 0
  let high = cursor.size()
  if (cursor.at(0) >= wall) return 0
  if (cursor.at(high - 1) < wall) return high
  while (low < high) {
    const middle = (low + high) >> 1
    if (cursor.at(middle) < wall) low = middle + 1
    else high = middle
  }
  return low
}
