import { addMonths, weekdayOf } from '../calendar.ts'
import type { RuleMatch } from '../chart.ts'
import { daysOf, shiftDay } from '../outcome.ts'
import type { Clock, DatePart, Days, Duration, Num, When } from '../values.ts'
import { type Context, createDuration, day, define } from './durations.ts'

export const isWholeWeeks = ({ months, days, seconds }: Duration): boolean =>
  months === 0 && seconds === 0 && days > 0 && days % 7 === 0

const weekdaysFromNow = ({ context: { now } }: RuleMatch<Context>, { n }: Num, dow: number): When => {
  const ahead = (dow - weekdayOf(now.day) + 7) % 7 || 7
  return { date: day(now.day + ahead + (n - 1) * 7) }
}

/** Adds weeks to the next given weekday. Today counts. */
const weeksAfter = ({ context: { now } }: RuleMatch<Context>, dow: number, weeks: number): When => ({
  date: day(now.day + ((dow - weekdayOf(now.day) + 7) % 7) + weeks * 7),
})

const weeksBack = (
  { context: { now } }: RuleMatch<Context>,
  dow: number,
  duration: Duration,
): When | undefined =>
  isWholeWeeks(duration) ? { date: day(now.day - weekdayOf(now.day) + dow - duration.days) } : undefined

/** Resolves "the Monday after Easter". A weekday next to a weekday is a list. */
const findAdjacentWeekday =
  (sign: 1 | -1) =>
  ({ context }: RuleMatch<Context>, dow: number, part: DatePart): When | undefined => {
    const at = daysOf(part, context.now)
    const isWeekday = part.is === 'fields' && part.d === undefined
    if (!at || isWeekday || at.grain !== 'day' || at.to - at.from !== 1) return undefined
    const ahead = (dow - weekdayOf(at.from) + 7) % 7
    return { date: day(sign > 0 ? at.from + (ahead || 7) : at.from - (7 - ahead || 7)) }
  }

const yearsLater = (
  { context }: RuleMatch<Context>,
  part: DatePart,
  duration: Duration,
): When | undefined => {
  const at = daysOf(part, context.now)
  if (!at || duration.months === 0 || part.is !== 'fields' || part.dow === undefined || part.d !== undefined)
    return undefined
  // "Thursday, two years from now" is the Thursday of that week.
  const around = addMonths(context.now.day, duration.months)
  return { date: day(around - weekdayOf(around) + part.dow + (part.dow < weekdayOf(around) ? 7 : 0)) }
}

/** Rules for weekdays relative to now or to another day. */
export const weekdayShiftRules = define(
  // British English: "Friday fortnight", "a week on Tuesday".
  ['when', '<dow> fortnight', (match, dow: number) => weeksAfter(match, dow, 2), 0.5],
  [
    'when',
    '<dur> on <dow>',
    (match, duration: Duration, dow: number) =>
      duration.unit === 'week' && isWholeWeeks(duration)
        ? weeksAfter(match, dow, duration.days / 7)
        : undefined,
    0.7,
  ],
  [
    'when',
    '<dow> ,? in <dur>',
    (match, dow: number, duration: Duration) =>
      isWholeWeeks(duration) ? weeksAfter(match, dow, duration.days / 7) : undefined,
    0.8,
  ],
  [
    'when',
    '@the? <dow> after next',
    (match, dow: number) => weekdaysFromNow(match, { n: 2, digits: 0 }, dow),
    1,
  ],
  [
    'when',
    '@the? übernächste|übernächsten|übernächster <dow>',
    ({ context: { now } }, dow: number) => ({ date: day(now.day - weekdayOf(now.day) + 14 + dow) }),
    1,
  ],
  ['when', '@the? <dow> after|following|nach @the? <date>', findAdjacentWeekday(1), 0.9],
  ['when', '@the? <dow> before|vor @the? <date>', findAdjacentWeekday(-1), 0.9],
  [
    'when',
    '@the? <ord> <dow> after|nach @the? <date>',
    (match, n: number, dow: number, part: DatePart) => {
      const first = findAdjacentWeekday(1)(match, dow, part)?.date
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
  // The weekday of that week: "two weeks ago on Friday", "Freitag vor zwei Wochen".
  [
    'when',
    '<dur> @ago ,? on <dow>',
    (match, duration: Duration, dow: number) => weeksBack(match, dow, duration),
    1,
  ],
  ['when', '@on? <dow> ,? <dur> @ago', weeksBack, 1],
  ['when', '@on? <dow> ,? vor <dur>', weeksBack, 1],
  ['when', '<num> <dows> from now', weekdaysFromNow, 0.7],
  ['when', '<date> ,? <dur> from now', yearsLater, 0.9],
  ['when', '<date> , in <dur>', yearsLater, 0.9],
)

const toClock = (seconds: number): Clock => {
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

/** Adds a duration to now. The result is a day, unless the duration has hours or smaller units. */
const fromNow =
  (sign: 1 | -1) =>
  ({ context: { now } }: RuleMatch<Context>, duration: Duration): When | undefined => {
    const shift = { ...duration, n: duration.n * sign }
    if (duration.business) return { date: day(workdaysFrom(now.day, duration.n, sign)), shift }
    const at = shiftDay(now.day, duration, sign)
    if (duration.seconds === 0) return { date: day(at), shift }
    const seconds = now.seconds + duration.seconds * sign
    const days = Math.floor(seconds / 86_400)
    return { date: day(at + days), time: toClock(seconds - days * 86_400), shift }
  }

const fromDate =
  (sign: 1 | -1) =>
  ({ context }: RuleMatch<Context>, duration: Duration, part: DatePart): When | undefined => {
    const at = daysOf(part, context.now)
    if (at?.grain !== 'day' || duration.seconds !== 0) return undefined
    return {
      date: day(
        duration.business ? workdaysFrom(at.from, duration.n, sign) : shiftDay(at.from, duration, sign),
      ),
    }
  }

/** "More than 2 weeks after today" has no end; "less than 3 days after tomorrow" has one. */
const fromDateOpen =
  (sign: 1 | -1) =>
  (match: RuleMatch<Context>, duration: Duration, part: DatePart): When | undefined => {
    const at = daysOf(part, match.context.now)
    const target = fromDate(sign)(match, duration, part)
    if (!at || !target || !duration.around) return target
    if (duration.around === 'more') return { ...target, bound: sign > 0 ? 'after' : 'before' }
    const other = (target.date as Days).from
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

const parseBriefDuration = ({ tokens, to }: RuleMatch<Context>, { n, digits }: Num): Duration | undefined => {
  const suffix = tokens[to - 1]
  return digits > 0 && digits < 4 && suffix && !suffix.spaceBefore
    ? createDuration(n, suffix.text === 'w' ? 'week' : 'day')
    : undefined
}

const weeksNamed = ({ tokens, to }: RuleMatch<Context>): number =>
  tokens[to - 1]?.text === 'fortnight' ? 2 : 1

const within = ({ context: { now } }: RuleMatch<Context>, duration: Duration): When | undefined => {
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
    time: toClock(now.seconds),
    to: { date: day(end + days), time: toClock(seconds - days * 86_400) },
  }
}

/** Resolves the next or last hours, minutes or seconds. */
const recentTime = (
  { context: { now } }: RuleMatch<Context>,
  step: number,
  duration: Duration,
): When | undefined => {
  if (duration.seconds === 0 || duration.months || duration.days || step === 0) return undefined
  const sign = step < 0 ? -1 : 1
  const other = now.seconds + duration.seconds * sign
  const days = Math.floor(other / 86_400)
  const current: When = { date: day(now.day), time: toClock(now.seconds) }
  const target: When = { date: day(now.day + days), time: toClock(other - days * 86_400) }
  const shift = { ...duration, n: duration.n * sign }
  return sign > 0 ? { ...current, to: target, shift } : { ...target, to: current, shift }
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
        ? fromNow(1)({ context } as RuleMatch<Context>, {
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
  // Payment terms: "pay invoice 4711 net 30".
  [
    'when',
    'net <num> day|days?',
    (match, { n, digits }: Num) =>
      match.context.terse && digits === 2 ? fromNow(1)(match, createDuration(n, 'day')) : undefined,
    0.4,
  ],
  // "2w before 1 June" is a duration. Elsewhere the letters mean other things: "a 3D printer".
  ['brief', '<num> w|d', parseBriefDuration, 0],
  ['when', '<brief> before|vor @the? <date>', fromDate(-1), 0.8],
  ['when', '<brief> after|nach @the? <date>', fromDate(1), 0.8],
  ['when', '<brief> ago', fromNow(-1), 0.8],
  ['when', '<brief> from now', fromNow(1), 0.8],
  [
    'when',
    'in <brief>',
    (match, duration: Duration) => (duration.unit === 'week' ? fromNow(1)(match, duration) : undefined),
    0.6,
  ],
  [
    'when',
    '@the day after <date>',
    (match, part: DatePart) => fromDate(1)(match, span(0, 1, 'day'), part),
    0.5,
  ],
  [
    'when',
    '@the day before <date>',
    (match, part: DatePart) => fromDate(-1)(match, span(0, 1, 'day'), part),
    0.5,
  ],
  [
    'when',
    '<date> week',
    ({ context }, part: DatePart) =>
      part.is === 'fields' && part.dow !== undefined && part.d === undefined && part.toward === undefined
        ? fromDate(1)({ context } as RuleMatch<Context>, span(0, 7, 'week'), part)
        : undefined,
    -0.3,
  ],
  // British English: "tomorrow week", "a fortnight today".
  [
    'when',
    '<dayword> week|fortnight',
    (match, offset: number) =>
      offset < 0 ? undefined : { date: day(match.context.now.day + offset + weeksNamed(match) * 7) },
    0.5,
  ],
  [
    'when',
    '<dur> <dayword>',
    ({ context }, duration: Duration, offset: number) =>
      offset >= 0 && isWholeWeeks(duration)
        ? { date: day(context.now.day + offset + duration.days) }
        : undefined,
    0.7,
  ],
  [
    'when',
    '@on|@the? tag vor|nach @the? <date>',
    (match, part: DatePart) => {
      const { tokens, from, to } = match
      const isBefore = tokens.slice(from, to).some(({ text }) => text === 'vor')
      return fromDate(isBefore ? -1 : 1)(match, span(0, 1, 'day'), part)
    },
    0.9,
  ],
  ['when', '@within von|der? <dur>', within, 0.6],
  ['when', '@within von|der? <busy>', within, 0.6],
  ['when', '@within @the? next <dur>', within, 0.8],
  [
    'when',
    '@within @the? next day and? <dur>',
    (match, duration: Duration) => within(match, { ...duration, days: duration.days + 1 }),
    0.9,
  ],
  ['when', '<rel> <dur>', recentTime, 0.3],
  ['when', '<coming> <dur>', recentTime, 0.3],
  [
    'when',
    '<num> <rel> <unit>',
    (match, { n }: Num, step: number, unit: string) =>
      unit === 'hour' || unit === 'minute' || unit === 'second'
        ? recentTime(match, step, {
            months: 0,
            days: 0,
            seconds: n * (unit === 'hour' ? 3600 : unit === 'minute' ? 60 : 1),
            unit,
            n,
          })
        : undefined,
    0.3,
  ],
  // "This time next week" is one such unit from now.
  [
    'when',
    'this time next <unit>',
    ({ context: { now } }, unit: string) => {
      const later = SAME_TIME[unit]
      return later ? { date: day(shiftDay(now.day, later, 1)), time: toClock(now.seconds) } : undefined
    },
    1.5,
  ],
  [
    'when',
    'this time <dayword>',
    ({ context: { now } }, offset: number) => ({ date: day(now.day + offset), time: toClock(now.seconds) }),
    1,
  ],
  [
    'when',
    '<dayword> in <dur>',
    (match, offset: number, duration: Duration) =>
      offset === 0
        ? fromNow(1)(match, duration)
        : offset > 0 && isWholeWeeks(duration)
          ? { date: day(match.context.now.day + offset + duration.days) }
          : undefined,
    1.2,
  ],
)
