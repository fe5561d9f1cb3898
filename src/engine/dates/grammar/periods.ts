import { addMonths, dayOf, mondayOf, nthWeekday, weekdayOf, weekStart, ymdOf } from '../calendar.ts'
import type { Place } from '../chart.ts'
import type { Num } from '../numbers.ts'
import { daysOf, shiftDay } from '../resolve.ts'
import type { DatePart, Days, Duration, Edge, Unit } from '../values.ts'
import { type Context, define } from './context.ts'

type Word = Unit | 'fortnight' | 'night'

const days = (from: number, to: number, grain: Unit, more: Partial<Days> = {}): Days => ({
  is: 'days',
  from,
  to,
  grain,
  ...more,
})
const day = (from: number): Days => days(from, from + 1, 'day')

/** The unit that holds a day, and its neighbours: 1 is the next one. */
const unitAround = (at: number, word: Word, step: number): DatePart | undefined => {
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

const unitFromNow = ({ context }: Place<Context>, step: number, word: Word): DatePart | undefined =>
  unitAround(context.now.day, word, step)

const workdays = (from: number, n: number, step: 1 | -1): number => {
  let at = from
  for (let left = Math.min(n, 2000); left > 0; ) {
    at += step
    if (weekdayOf(at) < 6) left--
  }
  return at
}

/** "the last 3 weeks", counted from today; what is under way is not in it. */
const several = ({ context }: Place<Context>, step: number, duration: Duration): Days | undefined => {
  const { now } = context
  const sign = step < 0 ? -1 : 1
  if (duration.seconds !== 0 || step === 0) return undefined
  const count = { count: duration.n * sign }
  if (duration.business) {
    const end = workdays(now.day, duration.n, sign)
    return sign > 0 ? days(now.day + 1, end + 1, 'day', count) : days(end, now.day, 'day', count)
  }
  if (duration.unit === 'quarter') {
    const { y, m } = ymdOf(now.day)
    const current = dayOf(y, m - ((m - 1) % 3), 1)
    return sign > 0
      ? days(addMonths(current, 3), addMonths(current, 3 + duration.n * 3), 'quarter', count)
      : days(addMonths(current, -duration.n * 3), current, 'quarter', count)
  }
  return sign > 0
    ? days(now.day + 1, shiftDay(now.day + 1, duration, 1), duration.unit, count)
    : days(shiftDay(now.day, duration, -1), now.day, duration.unit, count)
}

const EDGE_DAYS: Partial<Record<Unit, readonly [early: number, late: number]>> = {
  week: [3, 4],
  month: [10, 20],
}

/** The first or last stretch of a period: ten days of a month, three of a week, a third of anything else. */
const edgeOf = ({ context }: Place<Context>, edge: Edge, part: DatePart): Days | undefined => {
  const whole = daysOf(part, context.now)
  if (!whole || whole.edge || whole.to - whole.from < 2) return undefined
  const { from, to, grain } = whole
  const length = to - from
  const [early, late] = EDGE_DAYS[grain] ?? [Math.round(length / 4), Math.round((length * 2) / 3)]
  if (grain === 'year') {
    const { y } = ymdOf(from)
    if (edge === 'start') return days(from, dayOf(y, 4, 1), grain, { edge })
    if (edge === 'end') return days(dayOf(y, 9, 1), to, grain, { edge })
  }
  if (edge === 'start') return days(from, from + early, grain, { edge })
  if (edge === 'end') return days(from + late, to, grain, { edge })
  return days(from + early, from + late, grain, { edge })
}

/** What is left of, or gone from, the period under way. */
const restOf = ({ context }: Place<Context>, edge: Edge, part: DatePart): Days | undefined => {
  const whole = daysOf(part, context.now)
  if (!whole || whole.edge || whole.to - whole.from < 2 || edge === 'middle') return undefined
  const middle = edge === 'end' ? Math.max(whole.from, context.now.day) : Math.min(whole.to, context.now.day)
  if (context.now.day < whole.from || context.now.day >= whole.to)
    return edgeOf({ context } as Place<Context>, edge, part)
  if (edge === 'end') return days(middle, whole.to, whole.grain, { edge })
  return middle > whole.from ? days(whole.from, middle, whole.grain, { edge }) : undefined
}

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

const isPlural = ({ tokens, to }: Place<Context>): boolean =>
  /(?:s|n|e)$/.test(tokens[to - 1]?.text ?? '') && !/(?:e|o)$/.test(tokens[to - 1]?.text ?? '')

/** A plain period, as "the month" is, needs its article: "Have a great month" is none. */
export const periodRules = define(
  ['unit', 'week - end', () => 'weekend', 0.3],
  ['date', '<rel> calendar|working|work? <unit>', unitFromNow, 0.3],
  ['thismonth', '<rel> month', ({ context }, step: number) => unitAround(context.now.day, 'month', step)],
  ['date', '<coming> <unit>', unitFromNow, 0.3],
  ['date', 'this <coming> <unit>', unitFromNow, 0.5],
  [
    'date',
    '@the <rel> <unit>',
    (place, step: number, word: Word) =>
      word === 'day' || word === 'decade' ? unitFromNow(place, step, word) : undefined,
    0.4,
  ],
  ['date', 'this <unit> <coming>', (place, word: Word, step: number) => unitFromNow(place, step, word), 0.3],
  [
    'ofdate',
    '@the <unit>',
    (place, word: Word) =>
      word === 'day'
        ? unitFromNow(place, 0, word)
        : ['week', 'month', 'quarter', 'year', 'weekend'].includes(word)
          ? unitFromNow(place, 0, word)
          : undefined,
  ],
  [
    'ofdate',
    '<unit>',
    (place, word: Word) =>
      ['week', 'month', 'quarter', 'year'].includes(word) ? unitFromNow(place, 0, word) : undefined,
    -0.2,
  ],
  ['ofdate', '<date>', (_, date: DatePart) => date],
  ['ofdate', '<yearonly>', (_, date: DatePart) => date],
  ['ofdate', '@the <date>', (_, date: DatePart) => date],
  ['ofdate', 'around <date>', (_, date: DatePart) => date],
  [
    'date',
    '@the week|weekend|year',
    ({ context, tokens, to }) => unitAround(context.now.day, tokens[to - 1]?.text as Word, 0),
    -0.1,
  ],
  ['date', '@the week after next', ({ context }) => unitAround(context.now.day, 'week', 2), 1],
  [
    'date',
    '@the? übernächste|übernächsten <unit>',
    ({ context }, word: Word) => unitAround(context.now.day, word, 2),
    1,
  ],
  ['date', '<rel> <dur>', several, 0.3],
  ['date', '<coming> <dur>', several, 0.3],
  ['date', '<rel> <busy>', several, 0.4],
  [
    'date',
    '<num> <rel> <unit>',
    (place, { n }: Num, step: number, word: Word) =>
      !isPlural(place)
        ? undefined
        : several(place, step, {
            months: word === 'month' ? n : word === 'year' ? n * 12 : 0,
            days: word === 'day' ? n : word === 'week' ? n * 7 : 0,
            seconds: 0,
            unit: word as Unit,
            n,
          }),
    0.3,
  ],
  [
    'date',
    '<num> <coming> <unit>',
    (place, { n }: Num, step: number, word: Word) =>
      several(place, step, {
        months: word === 'month' ? n : word === 'year' ? n * 12 : 0,
        days: word === 'day' ? n : word === 'week' ? n * 7 : 0,
        seconds: 0,
        unit: word as Unit,
        n,
      }),
    0.3,
  ],

  ['edgedate', '<edge> of|des|der|vom|im <ofdate>', edgeOf, 0.4],
  ['edgedate', '<edge> <ofdate>', edgeOf, 0.2],
  ['edgedate', '<lean> <date>', edgeOf, 0.2],
  ['edgedate', '<edge> - <date>', edgeOf, 0.2],
  ['date', '<edgedate>', (_, date: Days) => date],
  [
    'edgedate',
    'eom',
    ({ context }) =>
      edgeOf({ context } as Place<Context>, 'end', unitAround(context.now.day, 'month', 0) as DatePart),
  ],
  [
    'edgedate',
    'bom',
    ({ context }) =>
      edgeOf({ context } as Place<Context>, 'start', unitAround(context.now.day, 'month', 0) as DatePart),
  ],
  [
    'edgedate',
    'eoy',
    ({ context }) =>
      edgeOf({ context } as Place<Context>, 'end', unitAround(context.now.day, 'year', 0) as DatePart),
  ],
  [
    'edgedate',
    'boy',
    ({ context, tokens, from }) =>
      tokens[from - 1]?.text === 'the' || tokens[from - 1]?.text === 'by'
        ? edgeOf({ context } as Place<Context>, 'start', unitAround(context.now.day, 'year', 0) as DatePart)
        : undefined,
  ],
  [
    'edgedate',
    'eow',
    ({ context }) =>
      edgeOf({ context } as Place<Context>, 'end', unitAround(context.now.day, 'week', 0) as DatePart),
  ],
  [
    'date',
    '<lean> this <unit>',
    (place, edge: Edge, word: Word) => {
      const whole = unitFromNow(place, 0, word)
      return whole && restOf(place, edge, whole)
    },
    0.5,
  ],
  [
    'date',
    '<lean> in @the <unit>',
    (place, edge: Edge, word: Word) => {
      const whole = unitFromNow(place, 0, word)
      return whole && restOf(place, edge, whole)
    },
    0.5,
  ],
  ['date', '@the? rest|remainder of <ofdate>', (place, part: DatePart) => restOf(place, 'end', part), 0.4],

  ['date', '@the? <ord> <unit> @of <ofdate>', ordinalOf(1), 0.6],
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
