import { addMonths, dayOf, weekdayOf, ymdOf } from '../calendar.ts'
import type { Place } from '../chart.ts'
import type { Num } from '../numbers.ts'
import { shiftDay } from '../resolve.ts'
import type { DatePart, Days, Duration, Unit } from '../values.ts'
import { type Context, define } from './context.ts'
import { days, unitAround, unitFromNow, type Word } from './units.ts'

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

const isPlural = ({ tokens, to }: Place<Context>): boolean =>
  /(?:s|n|e)$/.test(tokens[to - 1]?.text ?? '') && !/(?:e|o)$/.test(tokens[to - 1]?.text ?? '')

/** The coming weekend is the first one; the coming week is the next. */
const comingUnit = (place: Place<Context>, step: number, word: Word): DatePart | undefined => {
  const isWeekend = weekdayOf(place.context.now.day) > 5
  return unitFromNow(place, word === 'weekend' && step > 0 && !isWeekend ? 0 : step, word)
}

/** A plain period, as "the month" is, needs its article: "Have a great month" is none. */
export const periodRules = define(
  ['unit', 'week - end', () => 'weekend', 0.3],
  ['date', '<rel> calendar|working|work? <unit>', unitFromNow, 0.3],
  ['thismonth', '<rel> month', ({ context }, step: number) => unitAround(context.now.day, 'month', step)],
  ['date', '<coming> <unit>', comingUnit, 0.3],
  ['date', 'this <coming> <unit>', comingUnit, 0.5],
  [
    'date',
    '@the <rel> <unit>',
    (place, step: number, word: Word) =>
      word === 'day' || word === 'decade' ? unitFromNow(place, step, word) : undefined,
    0.4,
  ],
  ['date', 'this <unit> <coming>', (place, word: Word, step: number) => comingUnit(place, step, word), 0.3],
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
  ['date', '@on|@the|übers|zum wochenende', ({ context }) => unitAround(context.now.day, 'weekend', 0), 0.1],
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
)
