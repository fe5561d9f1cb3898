import { addMonths, mondayOf, nthWeekday, weekdayOf, weekStart, ymdOf } from '../calendar.ts'
import type { Place } from '../chart.ts'
import type { Num } from '../numbers.ts'
import { daysOf } from '../resolve.ts'
import type { DatePart, Days, Duration } from '../values.ts'
import { type Context, define } from './context.ts'
import { day, days, unitFromNow, type Word } from './units.ts'

/** The n-th of a unit within a period; from its end for a negative n. */
const nthOf = (context: Context, n: number, word: Word, part: DatePart): Days | undefined => {
  const whole = daysOf(part, context.now)
  if (!whole || whole.edge || n === 0) return undefined
  const { from, to } = whole
  let start: number
  switch (word) {
    case 'day':
      start = n > 0 ? from + n - 1 : to + n
      return start >= from && start < to ? day(start) : undefined
    case 'week': {
      const { y } = ymdOf(from)
      if (whole.grain === 'year') {
        start = n > 0 ? weekStart(y, n) : weekStart(y + 1, 1) + n * 7
      } else {
        // A week belongs to the month that holds its Thursday.
        const first = mondayOf(from + 3)
        const last = mondayOf(to - 1) + 3 < to ? mondayOf(to - 1) : mondayOf(to - 1) - 7
        start = n > 0 ? first + (n - 1) * 7 : last + (n + 1) * 7
      }
      return days(start, start + 7, 'week')
    }
    case 'month':
      start = n > 0 ? addMonths(from, n - 1) : addMonths(to, n)
      return start >= from && start < to ? days(start, addMonths(start, 1), 'month') : undefined
    case 'quarter':
      start = n > 0 ? addMonths(from, (n - 1) * 3) : addMonths(to, n * 3)
      return start >= from && start < to ? days(start, addMonths(start, 3), 'quarter') : undefined
    default:
      return undefined
  }
}

const ordinalOf =
  (sign: 1 | -1) =>
  ({ context }: Place<Context>, n: number, word: Word, part: DatePart): Days | undefined =>
    nthOf(context, n * sign, word, part)

const severalOf =
  (sign: 1 | -1) =>
  ({ context }: Place<Context>, { n, unit }: Duration, part: DatePart): Days | undefined => {
    const whole = daysOf(part, context.now)
    const [a, b] = sign > 0 ? [1, n] : [-n, -1]
    if (!whole || whole.edge || n < 1) return undefined
    const [first, last] = [nthOf(context, a, unit as Word, part), nthOf(context, b, unit as Word, part)]
    return first && last ? days(first.from, last.to, unit) : undefined
  }

const weekdayIn =
  (sign: 1 | -1) =>
  ({ context }: Place<Context>, n: number, dow: number, part: DatePart): Days | undefined => {
    const whole = daysOf(part, context.now)
    if (whole?.grain !== 'month' || n < 1 || n > 5) return undefined
    const { y, m } = ymdOf(whole.from)
    const found = nthWeekday(y, m, dow, n * sign)
    return found >= whole.from && found < whole.to ? day(found) : undefined
  }

const halfOf = (place: Place<Context>, n: number, part: DatePart): Days | undefined => {
  const { now } = place.context
  const whole = daysOf(part, now)
  if (!whole || whole.edge || n > 2 || whole.to - whole.from < 2) return undefined
  const middle =
    whole.grain === 'year' ? addMonths(whole.from, 6) : whole.from + Math.floor((whole.to - whole.from) / 2)
  // The first half of a month that is past its middle is that of the next year.
  if (n === 1 && middle <= now.day && part.is === 'fields' && part.y === undefined && !part.toward)
    return halfOf(place, n, { ...part, y: ymdOf(whole.from).y + 1 })
  return n === 1 ? days(whole.from, middle, 'half') : days(middle, whole.to, 'half')
}

const halfOfUnit = (place: Place<Context>, n: number, word: Word): Days | undefined => {
  const whole = unitFromNow(place, 0, word)
  return whole && halfOf(place, n, whole)
}

const workday = ({ context }: Place<Context>, sign: 1 | -1, part: DatePart): Days | undefined => {
  const whole = daysOf(part, context.now)
  if (!whole || whole.edge || whole.to - whole.from < 7) return undefined
  let at = sign > 0 ? whole.from : whole.to - 1
  while (weekdayOf(at) > 5) at += sign
  return day(at)
}

const weekOf = ({ context }: Place<Context>, part: DatePart): Days | undefined => {
  const at = daysOf(part, context.now)
  return at && at.grain === 'day' ? days(mondayOf(at.from), mondayOf(at.from) + 7, 'week') : undefined
}

const weekendOf = ({ context }: Place<Context>, part: DatePart): Days | undefined => {
  const at = daysOf(part, context.now)
  if (!at) return undefined
  // The weekend nearest to the day: of a Monday, the one before.
  const saturday = mondayOf(at.from - 2) + 5
  return days(saturday, saturday + 2, 'weekend')
}

/** The first and the last of something within a period. */
export const nthRules = define(
  ['date', '@the? <ord> <unit> @of <ofdate>', ordinalOf(1), 0.6],
  [
    'date',
    '@the? last|letzter|letzten working|business|werktag day? @of|@the <ofdate>',
    (place, part: DatePart) => workday(place, -1, part),
    1,
  ],
  [
    'date',
    '@the? first|erster|ersten working|business|werktag day? @of|@the <ofdate>',
    (place, part: DatePart) => workday(place, 1, part),
    1,
  ],
  ['date', '@the? <ord> half|hälfte @of|@the <ofdate>', halfOf, 0.6],
  [
    'date',
    '@the? <ord> <monthhalf>',
    (place, n: number, m: number) => halfOf(place, n, { is: 'fields', m }),
    0.6,
  ],
  [
    'date',
    '@the? <num> . <monthhalf>',
    (place, { n }: Num, m: number) => halfOf(place, n, { is: 'fields', m }),
    0.8,
  ],
  ['date', '@the? <ord> <unithalf>', halfOfUnit, 0.6],
  ['date', '@the? <num> . <unithalf>', (place, { n }: Num, word: Word) => halfOfUnit(place, n, word), 0.8],
  [
    'date',
    '@the? last <unit> @of <ofdate>',
    (place, word: Word, part: DatePart) => ordinalOf(-1)(place, 1, word, part),
    0.7,
  ],
  [
    'date',
    '@the? letzte|letzten|letzter <unit> @of|@the <ofdate>',
    (place, word: Word, part: DatePart) => ordinalOf(-1)(place, 1, word, part),
    0.7,
  ],
  ['date', '@the? <ord> last <unit> @of <ofdate>', ordinalOf(-1), 0.7],
  ['date', '@the? last <dur> @of <ofdate>', severalOf(-1), 0.6],
  ['date', '@the? first <dur> @of <ofdate>', severalOf(1), 0.6],
  ['date', '@the? <ord> <dow> @of <ofdate>', weekdayIn(1), 1.5],
  [
    'date',
    '@the? last <dow> @of <ofdate>',
    (place, dow: number, part: DatePart) => weekdayIn(-1)(place, 1, dow, part),
    1.5,
  ],
  [
    'date',
    '@the? letzte|letzten|letzter <dow> @of|@the <ofdate>',
    (place, dow: number, part: DatePart) => weekdayIn(-1)(place, 1, dow, part),
    1.5,
  ],
  [
    'date',
    '<ord> week @of <ofdate> @on? <dow>',
    ({ context }, n: number, part: DatePart, dow: number) =>
      weekdayIn(1)({ context } as Place<Context>, n, dow, part),
    0.8,
  ],
  [
    'date',
    '@the? <ord> month @of <ofdate>',
    (place, n: number, part: DatePart) => ordinalOf(1)(place, n, 'month', part),
    0.6,
  ],

  ['date', '@the? week of|commencing|starting|beginning|vom @the? <date>', weekOf, 0.6],
  ['date', '@the? woche vom|ab @the? <date>', weekOf, 0.6],
  ['date', '@the? week of @the? <ordday>', weekOf, 0.5],
  ['date', '@the? weekend of @the? <date>', weekendOf, 0.6],
)
