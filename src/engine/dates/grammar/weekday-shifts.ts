import { addMonths, weekdayOf } from '../calendar.ts'
import type { Place } from '../chart.ts'
import type { Num } from '../numbers.ts'
import { daysOf } from '../resolve.ts'
import type { DatePart, Duration, When } from '../values.ts'
import { type Context, define } from './context.ts'
import { day } from './units.ts'

export const isWeeks = ({ months, days, seconds }: Duration): boolean =>
  months === 0 && seconds === 0 && days > 0 && days % 7 === 0

const weekdaysFromNow = ({ context: { now } }: Place<Context>, { n }: Num, dow: number): When => {
  const ahead = (dow - weekdayOf(now.day) + 7) % 7 || 7
  return { date: day(now.day + ahead + (n - 1) * 7) }
}

/** So many weeks after the next such weekday; today counts. */
const weeksAfter = ({ context: { now } }: Place<Context>, dow: number, weeks: number): When => ({
  date: day(now.day + ((dow - weekdayOf(now.day) + 7) % 7) + weeks * 7),
})

const weeksBack = (
  { context: { now } }: Place<Context>,
  dow: number,
  duration: Duration,
): When | undefined =>
  isWeeks(duration) ? { date: day(now.day - weekdayOf(now.day) + dow - duration.days) } : undefined

/** "The Monday after Easter". A weekday beside a weekday is a list. */
const beside =
  (sign: 1 | -1) =>
  ({ context }: Place<Context>, dow: number, part: DatePart): When | undefined => {
    const at = daysOf(part, context.now)
    const isWeekday = part.is === 'fields' && part.d === undefined
    if (!at || isWeekday || at.grain !== 'day' || at.to - at.from !== 1) return undefined
    const ahead = (dow - weekdayOf(at.from) + 7) % 7
    return { date: day(sign > 0 ? at.from + (ahead || 7) : at.from - (7 - ahead || 7)) }
  }

const yearsLater = ({ context }: Place<Context>, part: DatePart, duration: Duration): When | undefined => {
  const at = daysOf(part, context.now)
  if (!at || duration.months === 0 || part.is !== 'fields' || part.dow === undefined || part.d !== undefined)
    return undefined
  // "Thursday, two years from now": that week's Thursday.
  const around = addMonths(context.now.day, duration.months)
  return { date: day(around - weekdayOf(around) + part.dow + (part.dow < weekdayOf(around) ? 7 : 0)) }
}

/** A weekday so many weeks from now or back, or beside another day. */
export const weekdayShiftRules = define(
  // As it is said in Britain: "Friday fortnight", "a week on Tuesday".
  ['when', '<dow> fortnight', (place, dow: number) => weeksAfter(place, dow, 2), 0.5],
  [
    'when',
    '<dur> on <dow>',
    (place, duration: Duration, dow: number) =>
      duration.unit === 'week' && isWeeks(duration) ? weeksAfter(place, dow, duration.days / 7) : undefined,
    0.7,
  ],
  [
    'when',
    '<dow> ,? in <dur>',
    (place, dow: number, duration: Duration) =>
      isWeeks(duration) ? weeksAfter(place, dow, duration.days / 7) : undefined,
    0.8,
  ],
  [
    'when',
    '@the? <dow> after next',
    (place, dow: number) => weekdaysFromNow(place, { n: 2, digits: 0 }, dow),
    1,
  ],
  [
    'when',
    '@the? übernächste|übernächsten|übernächster <dow>',
    ({ context: { now } }, dow: number) => ({ date: day(now.day - weekdayOf(now.day) + 14 + dow) }),
    1,
  ],
  ['when', '@the? <dow> after|following|nach @the? <date>', beside(1), 0.9],
  ['when', '@the? <dow> before|vor @the? <date>', beside(-1), 0.9],
  [
    'when',
    '@the? <ord> <dow> after|nach @the? <date>',
    (place, n: number, dow: number, part: DatePart) => {
      const first = beside(1)(place, dow, part)?.date
      return first?.is === 'days' && n <= 5 ? { date: day(first.from + (n - 1) * 7) } : undefined
    },
    1.2,
  ],
  [
    'when',
    '<num> <dows> @ago',
    ({ context: { now } }, { n }: Num, dow: number) => ({
      date: day(now.day - ((weekdayOf(now.day) - dow + 7) % 7 || 7) - (n - 1) * 7),
    }),
    0.9,
  ],
  // "Two weeks ago on Friday", "Freitag vor zwei Wochen": of that week.
  [
    'when',
    '<dur> @ago ,? on <dow>',
    (place, duration: Duration, dow: number) => weeksBack(place, dow, duration),
    1,
  ],
  ['when', '@on? <dow> ,? <dur> @ago', weeksBack, 1],
  ['when', '@on? <dow> ,? vor <dur>', weeksBack, 1],
  ['when', '<num> <dows> from now', weekdaysFromNow, 0.7],
  ['when', '<date> ,? <dur> from now', yearsLater, 0.9],
  ['when', '<date> , in <dur>', yearsLater, 0.9],
)
