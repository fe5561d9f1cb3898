import { addMonths, dayOf, mondayOf, ymdOf } from '../calendar.ts'
import { type Rule, type RuleMatch, rules } from '../chart.ts'
import { mergeTimes } from '../clocks.ts'
import type { Order } from '../formats.ts'
import { mergeDates, type Now } from '../resolve.ts'
import type {
  Bound,
  Clock,
  ClockRange,
  DatePart,
  DayPart,
  Days,
  Edge,
  PartName,
  TimePart,
  Unit,
  When,
} from '../values.ts'

export type Word = Unit | 'fortnight' | 'night'

export const days = (from: number, to: number, grain: Unit, more: Partial<Days> = {}): Days => ({
  is: 'days',
  from,
  to,
  grain,
  ...more,
})
export const day = (from: number): Days => days(from, from + 1, 'day')

/** Returns the unit that contains a day, or a neighboring one: a step of 1 is the next unit. */
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

export const unitFromNow = (
  { context }: RuleMatch<Context>,
  step: number,
  word: Word,
): DatePart | undefined => unitAround(context.now.day, word, step)

/** The input of the rules besides the tokens. */
export interface Context {
  now: Now
  order: Order
  /** The number of tokens in the text. A text of digits alone is more likely a time than digits in prose. */
  words: number
  /** The text is a quick-capture line. */
  terse: boolean
}

type Definition = Parameters<typeof rules<Context>>

/** Compiles a list of rule definitions. */
export const define = (...definitions: Definition[]): Rule<Context>[] =>
  definitions.flatMap((definition) => rules<Context>(...definition))

/** Merges two adjacent expressions. Returns undefined if they contradict. */
export const mergeWhens = (a: When, b: When): When | undefined => {
  if (a.to && b.to) return undefined
  if ((a.to || b.to) && a.date && b.date) return undefined
  const date = a.date && b.date ? mergeDates(a.date, b.date) : (a.date ?? b.date)
  const time = a.time && b.time ? mergeTimes(a.time, b.time) : (a.time ?? b.time)
  if (!date && (a.date || b.date)) return undefined
  if (!time && (a.time || b.time)) return undefined
  if (a.bound && b.bound) return undefined
  if (a.zone && b.zone) return undefined
  if ((a.shift && b.date) || (b.shift && a.date)) return undefined
  const { bound } = a.bound ? a : b
  const zone = a.zone ?? b.zone
  const to = a.to ?? b.to
  const shift = a.shift ?? b.shift
  return {
    ...(date ? { date } : {}),
    ...(time ? { time } : {}),
    ...(to ? { to } : {}),
    ...(bound ? { bound } : {}),
    ...(zone ? { zone } : {}),
    ...(shift ? { shift } : {}),
    ...(a.around || b.around ? { around: true as const } : {}),
  }
}

export const hasDay = ({ date }: When): boolean =>
  date !== undefined &&
  (date.is === 'days' ? date.grain === 'day' && !date.count : date.d !== undefined || date.dow !== undefined)

/** Joins a day and a time. A month or a year has no time of day. */
export const joinWhens = (_: RuleMatch<Context>, a: When, b: When): When | undefined => {
  const dated = [a, b].filter((when) => when.date)
  const timed = [a, b].filter((when) => when.time)
  if (dated.length === 1 && timed.length === 1 && dated[0] !== timed[0] && !hasDay(dated[0] as When))
    return undefined
  if (a.weak && b.weak) return undefined
  return mergeWhens(a, b)
}

export const dated = (date: DatePart): When => ({ date })
export const timed = (time: TimePart): When => ({ time })

export const part = (name: PartName, edge?: Edge): DayPart => ({
  is: 'part',
  name,
  ...(edge ? { edge } : {}),
})

export const bounded =
  (bound: Bound) =>
  (_: RuleMatch<Context>, when: When): When | undefined =>
    when.bound || when.to || when.time?.is === 'range' ? undefined : { ...when, bound }

export const range = (_: RuleMatch<Context>, a: Clock, b: Clock): ClockRange => ({ is: 'range', a, b })
