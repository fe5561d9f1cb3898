import { weekdayOf } from '../calendar.ts'
import type { Place } from '../chart.ts'
import type { Num } from '../numbers.ts'
import { daysOf, shiftDay } from '../resolve.ts'
import type { Clock, DatePart, Days, Duration, When } from '../values.ts'
import { type Context, define } from './context.ts'
import { lasting } from './durations.ts'
import { day } from './units.ts'
import { isWeeks } from './weekday-shifts.ts'

const clockOf = (seconds: number): Clock => {
  const s = Math.floor(seconds) % 60
  return {
    is: 'clock',
    h: Math.floor(seconds / 3600),
    mi: Math.floor(seconds / 60) % 60,
    ...(s ? { s } : {}),
    grain: 'second',
  }
}

const workdaysFrom = (from: number, n: number, sign: 1 | -1): number => {
  let at = from
  for (let left = Math.min(n, 2000); left > 0; ) {
    at += sign
    if (weekdayOf(at) < 6) left--
  }
  return at
}

/** So long from now: to the second when hours or less are counted, a day otherwise. */
const fromNow =
  (sign: 1 | -1) =>
  ({ context: { now } }: Place<Context>, duration: Duration): When | undefined => {
    const shift = { ...duration, n: duration.n * sign }
    if (duration.business) return { date: day(workdaysFrom(now.day, duration.n, sign)), shift }
    const at = shiftDay(now.day, duration, sign)
    if (duration.seconds === 0) return { date: day(at), shift }
    const seconds = now.seconds + duration.seconds * sign
    const days = Math.floor(seconds / 86_400)
    return { date: day(at + days), time: clockOf(seconds - days * 86_400), shift }
  }

const fromDate =
  (sign: 1 | -1) =>
  ({ context }: Place<Context>, duration: Duration, part: DatePart): When | undefined => {
    const at = daysOf(part, context.now)
    if (at?.grain !== 'day' || duration.seconds !== 0) return undefined
    return {
      date: day(
        duration.business ? workdaysFrom(at.from, duration.n, sign) : shiftDay(at.from, duration, sign),
      ),
    }
  }

/** "more than 2 weeks after today" is open; "less than 3 days after tomorrow" is not. */
const fromDateOpen =
  (sign: 1 | -1) =>
  (place: Place<Context>, duration: Duration, part: DatePart): When | undefined => {
    const at = daysOf(part, place.context.now)
    const there = fromDate(sign)(place, duration, part)
    if (!at || !there || !duration.around) return there
    if (duration.around === 'more') return { ...there, bound: sign > 0 ? 'after' : 'before' }
    const other = (there.date as Days).from
    const [from, to] = [Math.min(at.from, other), Math.max(at.from, other)]
    return { date: { is: 'days', from, to, grain: 'day', count: 1 } }
  }

const span = (months: number, days: number, unit: Duration['unit']): Duration => ({
  months,
  days,
  seconds: 0,
  unit,
  n: 1,
})
const SAME_TIME: Readonly<Record<string, Duration>> = {
  week: span(0, 7, 'week'),
  month: span(1, 0, 'month'),
  year: span(12, 0, 'year'),
}

const brief = ({ tokens, to }: Place<Context>, { n, digits }: Num): Duration | undefined => {
  const letter = tokens[to - 1]
  return digits > 0 && digits < 4 && letter && !letter.apart
    ? lasting(n, letter.text === 'w' ? 'week' : 'day')
    : undefined
}

const weeksNamed = ({ tokens, to }: Place<Context>): number => (tokens[to - 1]?.text === 'fortnight' ? 2 : 1)

const within = ({ context: { now } }: Place<Context>, duration: Duration): When | undefined => {
  if (duration.business)
    return {
      date: {
        is: 'days',
        from: now.day,
        to: workdaysFrom(now.day, duration.n, 1),
        grain: 'day',
        count: 1,
        within: true,
      },
    }
  const end = shiftDay(now.day, duration, 1)
  if (duration.seconds === 0)
    return { date: { is: 'days', from: now.day, to: end, grain: 'day', count: duration.n, within: true } }
  const seconds = now.seconds + duration.seconds
  const days = Math.floor(seconds / 86_400)
  return {
    date: day(now.day),
    time: clockOf(now.seconds),
    to: { date: day(end + days), time: clockOf(seconds - days * 86_400) },
  }
}

/** The next or last so many hours, minutes or seconds. */
const recentTime = (
  { context: { now } }: Place<Context>,
  step: number,
  duration: Duration,
): When | undefined => {
  if (duration.seconds === 0 || duration.months || duration.days || step === 0) return undefined
  const sign = step < 0 ? -1 : 1
  const other = now.seconds + duration.seconds * sign
  const days = Math.floor(other / 86_400)
  const here: When = { date: day(now.day), time: clockOf(now.seconds) }
  const there: When = { date: day(now.day + days), time: clockOf(other - days * 86_400) }
  const shift = { ...duration, n: duration.n * sign }
  return sign > 0 ? { ...here, to: there, shift } : { ...there, to: here, shift }
}

export const shiftRules = define(
  ['when', '@in @the? <dur>', fromNow(1), 0.6],
  ['when', 'in @around <dur>', fromNow(1), 0.6],
  ['when', 'in <busy>', fromNow(1), 0.6],
  [
    'when',
    'in <num>',
    ({ context, tokens, to }, { n, digits }: Num) =>
      context.words <= 2 && digits > 0 && digits < 3 && tokens.length === to
        ? fromNow(1)({ context } as Place<Context>, {
            months: 0,
            days: 0,
            seconds: n * 60,
            unit: 'minute',
            n,
          })
        : undefined,
    0,
  ],
  ['when', '<dur> @ago', fromNow(-1), 0.6],
  [
    'when',
    '<dur> @ago <dayword>',
    ({ context: { now } }, duration: Duration, offset: number) =>
      duration.seconds === 0 ? { date: day(shiftDay(now.day + offset, duration, -1)) } : undefined,
    0.8,
  ],
  ['when', 'vor <dur>', fromNow(-1), 0.5],
  ['when', '<dur> hence|later', fromNow(1), 0.6],
  ['when', '<dur> from right? now', fromNow(1), 0.7],
  ['when', '<busy> from now', fromNow(1), 0.7],
  ['when', '<dur> from|after|following @the? <date>', fromDateOpen(1), 0.6],
  ['when', '<dur> before|prior @the? <date>', fromDateOpen(-1), 0.6],
  ['when', '<dur> nach @the? <date>', fromDate(1), 0.6],
  ['when', '<dur> vor @the? <date>', fromDate(-1), 0.6],
  ['when', '<busy> after|from <date>', fromDate(1), 0.6],
  // Terms of payment: "pay invoice 4711 net 30".
  [
    'when',
    'net <num> day|days?',
    (place, { n, digits }: Num) =>
      place.context.terse && digits === 2 ? fromNow(1)(place, lasting(n, 'day')) : undefined,
    0.4,
  ],
  // "2w before 1 June". Elsewhere the letters are other things: "a 3D printer".
  ['brief', '<num> w|d', brief, 0],
  ['when', '<brief> before|vor @the? <date>', fromDate(-1), 0.8],
  ['when', '<brief> after|nach @the? <date>', fromDate(1), 0.8],
  ['when', '<brief> ago', fromNow(-1), 0.8],
  ['when', '<brief> from now', fromNow(1), 0.8],
  [
    'when',
    'in <brief>',
    (place, duration: Duration) => (duration.unit === 'week' ? fromNow(1)(place, duration) : undefined),
    0.6,
  ],
  [
    'when',
    '@the day after <date>',
    (place, part: DatePart) => fromDate(1)(place, span(0, 1, 'day'), part),
    0.5,
  ],
  [
    'when',
    '@the day before <date>',
    (place, part: DatePart) => fromDate(-1)(place, span(0, 1, 'day'), part),
    0.5,
  ],
  [
    'when',
    '<date> week',
    ({ context }, part: DatePart) =>
      part.is === 'fields' && part.dow !== undefined && part.d === undefined && part.toward === undefined
        ? fromDate(1)({ context } as Place<Context>, span(0, 7, 'week'), part)
        : undefined,
    -0.3,
  ],
  // As it is said in Britain: "tomorrow week", "a fortnight today".
  [
    'when',
    '<dayword> week|fortnight',
    (place, offset: number) =>
      offset < 0 ? undefined : { date: day(place.context.now.day + offset + weeksNamed(place) * 7) },
    0.5,
  ],
  [
    'when',
    '<dur> <dayword>',
    ({ context }, duration: Duration, offset: number) =>
      offset >= 0 && isWeeks(duration) ? { date: day(context.now.day + offset + duration.days) } : undefined,
    0.7,
  ],
  [
    'when',
    '@on|@the? tag vor|nach @the? <date>',
    (place, part: DatePart) => {
      const { tokens, from, to } = place
      const isBefore = tokens.slice(from, to).some(({ text }) => text === 'vor')
      return fromDate(isBefore ? -1 : 1)(place, span(0, 1, 'day'), part)
    },
    0.9,
  ],
  ['when', '@within von|der? <dur>', within, 0.6],
  ['when', '@within von|der? <busy>', within, 0.6],
  ['when', '@within @the? next <dur>', within, 0.8],
  [
    'when',
    '@within @the? next day and? <dur>',
    (place, duration: Duration) => within(place, { ...duration, days: duration.days + 1 }),
    0.9,
  ],
  ['when', '<rel> <dur>', recentTime, 0.3],
  ['when', '<coming> <dur>', recentTime, 0.3],
  [
    'when',
    '<num> <rel> <unit>',
    (place, { n }: Num, step: number, unit: string) =>
      unit === 'hour' || unit === 'minute' || unit === 'second'
        ? recentTime(place, step, {
            months: 0,
            days: 0,
            seconds: n * (unit === 'hour' ? 3600 : unit === 'minute' ? 60 : 1),
            unit,
            n,
          })
        : undefined,
    0.3,
  ],
  // "This time next week": as long from now as that unit is.
  [
    'when',
    'this time next <unit>',
    ({ context: { now } }, unit: string) => {
      const later = SAME_TIME[unit]
      return later ? { date: day(shiftDay(now.day, later, 1)), time: clockOf(now.seconds) } : undefined
    },
    1.5,
  ],
  [
    'when',
    'this time <dayword>',
    ({ context: { now } }, offset: number) => ({ date: day(now.day + offset), time: clockOf(now.seconds) }),
    1,
  ],
  [
    'when',
    '<dayword> in <dur>',
    (place, offset: number, duration: Duration) =>
      offset === 0
        ? fromNow(1)(place, duration)
        : offset > 0 && isWeeks(duration)
          ? { date: day(place.context.now.day + offset + duration.days) }
          : undefined,
    1.2,
  ],
)
