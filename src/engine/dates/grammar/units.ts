import { addMonths, dayOf, mondayOf, ymdOf } from '../calendar.ts'
import type { Place } from '../chart.ts'
import type { DatePart, Days, Unit } from '../values.ts'
import type { Context } from './context.ts'

export type Word = Unit | 'fortnight' | 'night'

export const days = (from: number, to: number, grain: Unit, more: Partial<Days> = {}): Days => ({
  is: 'days',
  from,
  to,
  grain,
  ...more,
})
export const day = (from: number): Days => days(from, from + 1, 'day')

/** The unit that holds a day, and its neighbours: 1 is the next one. */
export const unitAround = (at: number, word: Word, step: number): DatePart | undefined => {
  const { y, m } = ymdOf(at)
  switch (word) {
    case 'day':
      return day(at + step)
    case 'week':
      return days(mondayOf(at) + step * 7, mondayOf(at) + step * 7 + 7, 'week')
    case 'fortnight':
      return days(
        mondayOf(at) + step * 14 - (step > 0 ? 7 : 0),
        mondayOf(at) + step * 14 + (step > 0 ? 7 : 14),
        'week',
      )
    case 'weekend': {
      const saturday = mondayOf(at) + 5 + step * 7
      return days(saturday, saturday + 2, 'weekend')
    }
    case 'month': {
      const { y: year, m: month } = ymdOf(addMonths(dayOf(y, m, 1), step))
      return { is: 'fields', y: year, m: month }
    }
    case 'quarter': {
      const start = addMonths(dayOf(y, m - ((m - 1) % 3), 1), step * 3)
      return days(start, addMonths(start, 3), 'quarter')
    }
    case 'year':
      return { is: 'fields', y: y + step }
    case 'decade': {
      const start = Math.floor(y / 10) * 10 + step * 10
      return days(dayOf(start, 1, 1), dayOf(start + 10, 1, 1), 'decade')
    }
    case 'century': {
      const start = Math.floor(y / 100) * 100 + step * 100
      return days(dayOf(start, 1, 1), dayOf(start + 100, 1, 1), 'century')
    }
    default:
      return undefined
  }
}

export const unitFromNow = ({ context }: Place<Context>, step: number, word: Word): DatePart | undefined =>
  unitAround(context.now.day, word, step)
