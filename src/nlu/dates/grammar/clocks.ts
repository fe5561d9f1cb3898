import { mergeTimes, resolveRange, withMeridiem } from '../calendar.ts'
import type { RuleMatch } from '../chart.ts'
import { isMonth } from '../lexicon.ts'
import type { Clock, ClockRange, Duration, Num, TimePart, When } from '../values.ts'
import { type Context, define, hasDay, mergeWhens, range, timed } from './durations.ts'

/** Recognizes a day instead of an hour: "the 5th, 6th", "25 Nov, 2 Dec". */
const isOrdinal = ({ tokens, to }: RuleMatch<Context>): boolean => {
  const next = tokens[to]
  if (next === undefined) return false
  if (!next.spaceBefore) return /^(?:st|nd|rd|th)$/.test(next.text)
  return next.capitalized && isMonth(next.text)
}

const withLooseClock = (match: RuleMatch<Context>, when: When, clock: Clock): When | undefined =>
  isOrdinal(match) || when.to || when.bound || !hasDay(when) || when.shift
    ? undefined
    : when.time
      ? when.time.is === 'part'
        ? mergeWhens(when, { time: clock })
        : undefined
      : { ...when, time: clock }

const MAX_RANGE_MINUTES = 9 * 60
const SCORE_WORD = /^(?:won|win|lost|lose|beat|drew|score|scored|led|gewonnen|verloren|gewinnen|stand)$/

/** "9-5 on Monday" is a time; "we won 3-1 on Monday" is a score. */
const withRange = ({ tokens, from }: RuleMatch<Context>, value: ClockRange, when: When): When | undefined => {
  const { a, b } = resolveRange(value)
  const length = ((((b.h - a.h) * 60 + b.mi - a.mi) % 1440) + 1440) % 1440
  return hasDay(when) &&
    !when.time &&
    !when.to &&
    !when.bound &&
    !when.shift &&
    length <= MAX_RANGE_MINUTES &&
    !SCORE_WORD.test(tokens[from - 1]?.text ?? '')
    ? { ...when, time: value }
    : undefined
}

/** Combines "3 or 4pm". The first time takes its half of the day from the second. */
const either = (_: RuleMatch<Context>, a: Clock, b: Clock): Clock | undefined => {
  const resolved = resolveRange({ is: 'range', a, b })
  return a.or || b.or ? undefined : { ...resolved.a, or: resolved.b }
}

/** Rules for ranges of hours and for bare numbers as hours. */
export const clockRangeRules = define(
  // Bare hours count next to a day, or at both ends of a range with "from" or "between".
  ['looserange', '<loose> @to <loose>', range],
  ['clockrange', '<clock> @to <clock>', range, 0.4],
  ['clockrange', '<clock> @to <loose>', range, 0.3],
  ['clockrange', '<loose> @to <clock>', range, 0.3],
  ['clockrange', '@from <loose> @to @at? <loose>', range, 0.2],
  ['clockrange', '@between <loose> @and|@to <loose>', range, 0.2],
  ['clockrange', '@from @at? <clock> @to @at? <clock>', range, 0.6],
  ['clockrange', '@from @at? <clock> @to <loose>', range, 0.5],
  ['clockrange', '@from <loose> @to <clock>', range, 0.5],
  ['clockrange', '@between <clock> @and|@to <clock>', range, 0.6],
  ['clockrange', '@between <loose> @and|@to <clock>', range, 0.5],
  ['clockrange', '@between <clock> @and|@to <loose>', range, 0.5],
  ['clockrange', '@at <loose> @to <clock>', range, 0.5],
  ['clockrange', '@at <loose> @to <loose>', range, 0.2],
  [
    'clockrange',
    '@from|@between? <clock> <partwhen> @to|@and <clock>',
    (match, a: Clock, when: When, b: Clock) => {
      const first = mergeTimes(a, when.time as TimePart)
      return first?.is === 'clock' ? range(match, first, b) : undefined
    },
    0.6,
  ],
  [
    'clockrange',
    '@from|@between? <loose> <partwhen> @to|@and <clock>',
    (match, a: Clock, when: When, b: Clock) => {
      const first = mergeTimes(a, when.time as TimePart)
      return first?.is === 'clock' ? range(match, first, b) : undefined
    },
    0.6,
  ],
  ['clockrange', '@between <clock> , @and <clock>', range, 0.5],
  ['clockrange', '@around? <loose> / <clock>', range, 0.3],
  ['when', '<clockrange>', (_, value: ClockRange) => timed(value)],
  [
    'when',
    '<when> ,? @around|@at? <looserange>',
    (_, when: When, value: ClockRange) =>
      hasDay(when) && !when.time && !when.to && !when.bound
        ? { ...when, time: value }
        : when.time?.is === 'part' && !when.to
          ? mergeWhens(when, timed(value))
          : undefined,
    0.2,
  ],
  ['when', '<looserange> @on|@the? <when>', withRange, 0.1],
  [
    'when',
    '<halfhour> ,? @on? <when>',
    (match, clock: Clock, when: When) => withLooseClock(match, when, clock),
    0.3,
  ],
  [
    'when',
    '<toclock> <when>',
    (_, clock: Clock, when: When) => (when.time?.is === 'part' ? mergeWhens(timed(clock), when) : undefined),
    0.5,
  ],
  [
    'when',
    '<looserange> <saidpart>',
    (_, value: ClockRange, when: When) => mergeWhens(timed(value), when),
    0.4,
  ],
  [
    'when',
    '<when> ,? @around <loose> or|/ <loose>',
    (_, when: When, a: Clock, b: Clock) => mergeWhens(when, timed({ is: 'range', a, b })),
    0.3,
  ],
  ['clock', '<loose> or|oder <clock>', either, 0.3],
  ['clock', '@at <loose> or|oder @at? <clock>', either, 0.4],
  [
    'when',
    '<when> ,? @at? <loose> or|oder <loose>',
    (match, when: When, a: Clock, b: Clock) => {
      const clock = either(match, a, b)
      return clock && withLooseClock(match, when, clock)
    },
    0.2,
  ],
  [
    'when',
    '<when> ,? <loose>',
    (match, when: When, clock: Clock) =>
      match.tokens[match.to]?.text === '.' ? undefined : withLooseClock(match, when, clock),
    -0.3,
  ],
  ['when', '<when> ,? @around|- <loose>', withLooseClock, 0.1],
  [
    'when',
    '<loose> , <when>',
    (_, clock: Clock, when: When) => (when.time?.is === 'part' ? mergeWhens(timed(clock), when) : undefined),
    0.2,
  ],
  [
    'when',
    '<loose> <when>',
    (_, clock: Clock, when: When) =>
      when.time?.is === 'part' && when.date ? mergeWhens(timed(clock), when) : undefined,
    0.1,
  ],
  ['when', '<loose> <saidpart>', (_, clock: Clock, when: When) => mergeWhens(timed(clock), when), 0.2],
  [
    'when',
    '@from <loose> <when>',
    (match, clock: Clock, when: When) => {
      const at = withLooseClock(match, when, clock)
      return at && { ...at, bound: 'since' as const }
    },
    0.1,
  ],
  [
    'when',
    '@around <loose> <when>',
    (match, clock: Clock, when: When) => withLooseClock(match, when, clock),
    0.1,
  ],
)

const toClock = ({ n, digits }: Num): Clock | undefined =>
  digits > 2 || n > 24
    ? undefined
    : { is: 'clock', h: n, mi: 0, grain: 'hour', ...(n >= 1 && n <= 12 ? { either: true as const } : {}) }

const removeAmbiguity = (clock: Clock | undefined): Clock | undefined => {
  if (!clock) return undefined
  const { either: _, ...rest } = clock
  return rest
}

/** "Uhr" counts 24 hours, but "um 3 Uhr" is in the afternoon. */
const atUhr = (clock: Clock | undefined): Clock | undefined =>
  clock && clock.grain === 'hour' && clock.h < 6 ? clock : removeAmbiguity(clock)

const GERMAN_DAY =
  /^(?:(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend|wochenende|(?:vor|nach)mittag|abend|morgen|nächsten|kommenden|selben|gleichen|folgenden|ersten|zweiten|letzten)/

/** In "um 9 Uhr am Freitag" and "um 3 am Montag", "am" is a German preposition. */
const isPreposition = ({ tokens, to }: RuleMatch<Context>): boolean => {
  const [before, own, next, dot] = [tokens[to - 2], tokens[to - 1], tokens[to], tokens[to + 1]]
  if (own?.text !== 'am' || !own.spaceBefore) return false
  return (
    before?.text === 'uhr' ||
    (next !== undefined && GERMAN_DAY.test(next.text)) ||
    (next?.kind === 'number' && dot?.text === '.' && !dot.spaceBefore)
  )
}

const applyMeridiem = (
  match: RuleMatch<Context>,
  value: Num | Clock,
  half: 'am' | 'pm' | 'either',
): Clock | undefined => {
  if (isPreposition(match)) return undefined
  const clock = 'is' in value ? value : toClock(value)
  if (!clock || ('n' in value && value.n > 12)) return undefined
  return half === 'either' ? clock : withMeridiem(clock, half)
}

const shiftClock = (clock: Clock, by: number): Clock | undefined => {
  const total = clock.h * 60 + clock.mi + by
  const wrapped = ((total % 1440) + 1440) % 1440
  const h = clock.either && Math.floor(wrapped / 60) === 0 ? 12 : Math.floor(wrapped / 60)
  return { ...clock, h, mi: wrapped % 60, grain: 'minute' }
}

const shiftHour =
  (by: number) =>
  (_: RuleMatch<Context>, clock: Clock): Clock | undefined =>
    shiftClock(clock, by)

/** Shifts an hour of the twelve on a clock face: "halb acht". */
const shiftNumber =
  (by: number) =>
  (_: RuleMatch<Context>, n: Num): Clock | undefined => {
    const clock = toClock(n)
    return clock?.either ? shiftClock(clock, by) : undefined
  }

const shiftMinutes =
  (sign: 1 | -1) =>
  (_: RuleMatch<Context>, { n }: Num, clock: Clock): Clock | undefined =>
    n >= 1 && n < 60 ? shiftClock(clock, sign * n) : undefined

/** "Ten to 6pm" is a time, "5 to 6pm" and "nine to five" are ranges. */
const isMinutes = ({ n, digits }: Num): boolean => n > 12 || (digits === 0 && (n === 5 || n === 10))

const joinSpokenTime = (_: RuleMatch<Context>, h: Num, mi: Num): Clock | undefined => {
  const clock = toClock(h)
  const minutes = mi.n >= 10 && mi.n < 60 && mi.digits !== 1
  return clock && minutes && h.n >= 1 && h.n <= 12 && (mi.digits === 0) === (h.digits === 0)
    ? { ...clock, mi: mi.n, grain: 'minute' }
    : undefined
}

const minutesTo = (match: RuleMatch<Context>, minutes: Num, n: Num): Clock | undefined =>
  minutes.digits === 0 && isMinutes(minutes) ? shiftNumber(-minutes.n)(match, n) : undefined

/** "Half an hour before noon" is a time; "for an hour after three" is a duration. */
const shiftByDuration =
  (sign: 1 | -1) =>
  (
    { tokens, from }: RuleMatch<Context>,
    { months, days, seconds, around }: Duration,
    clock: Clock,
  ): Clock | undefined =>
    months !== 0 ||
    days !== 0 ||
    around ||
    seconds % 60 !== 0 ||
    seconds > 43_200 ||
    /^(?:for|für|lasting|within|about)$/.test(tokens[from - 1]?.text ?? '')
      ? undefined
      : shiftClock(clock, (sign * seconds) / 60)

export const clockRules = define(
  ['clock', '<num> <ampm>', applyMeridiem, 0.4],
  ['clock', '<clock> <ampm>', applyMeridiem, 0.4],
  ['clock', '<dotclock> <ampm>', applyMeridiem, 0.4],
  ['clock', '<num> : <ampm>', applyMeridiem, 0.3],
  ['clock', '<hhmm> <ampm>', applyMeridiem, 0.4],
  ['clock', '<hmm> <ampm>', applyMeridiem, 0.4],
  ['clock', '<num> ish <ampm>', applyMeridiem, 0.4],
  ['clock', '<num> - ish', (_, n: Num) => (n.n <= 12 ? toClock(n) : undefined), 0.2],
  ['clock', '<num> ish', (_, n: Num) => (n.n <= 12 ? toClock(n) : undefined), 0.1],
  ['clock', '<clock> <ap>', applyMeridiem, 0.4],
  ['clock', '@at <num> <ap>', applyMeridiem, 0.4],
  [
    'clock',
    '<num> <ap>',
    (match, n: Num, half: 'am' | 'pm') => (match.context.terse ? applyMeridiem(match, n, half) : undefined),
    0.2,
  ],
  ['clock', '<num> @in @the <ampm>', applyMeridiem, 0.4],
  ['clock', "<num> o'clock|oclock", (_, n: Num) => toClock(n), 0.4],
  ['clock', "<clock> o'clock|oclock|hours|hrs", (_, clock: Clock) => clock, 0.2],
  ['clock', '<num> @uhr', (_, n: Num) => atUhr(toClock(n)), 0.4],
  [
    'clock',
    '<num> @uhr <num>',
    (_, n: Num, mi: Num) => {
      const clock = removeAmbiguity(toClock(n))
      return clock && mi.n < 60 ? { ...clock, mi: mi.n, grain: 'minute' } : undefined
    },
    0.5,
  ],
  ['clock', '<clock> @uhr|h', (_, clock: Clock) => atUhr(clock), 0.3],
  ['clock', '<dotclock> @uhr|h', (_, clock: Clock) => removeAmbiguity(clock), 0.4],
  ['clock', '<hhmm> @uhr|h|hours|hrs', (_, clock: Clock) => clock, 0.4],
  [
    'clock',
    '<num> <num> @uhr',
    (_, h: Num, mi: Num) => {
      const clock = removeAmbiguity(toClock(h))
      return clock && mi.digits === 2 && mi.n < 60 ? { ...clock, mi: mi.n, grain: 'minute' } : undefined
    },
    0.4,
  ],
  ['clock', '<hclock>', (_, clock: Clock) => clock, 0],
  ['clock', '12 noon|midday|mittags', () => ({ is: 'clock', h: 12, mi: 0, grain: 'hour' }), 0.4],
  ['clock', '@the? <clockword>', (_, h: number) => ({ is: 'clock', h, mi: 0, grain: 'hour' }), 0.1],
  ['clock', 'mid day', () => ({ is: 'clock', h: 12, mi: 0, grain: 'hour' }), 0.3],
  ['hour', '<clock>', (_, clock: Clock) => clock],
  ['hour', '<num>', (_, n: Num) => toClock(n)],
  ['fullhour', '<hour>', (_, clock: Clock) => (clock.mi === 0 ? clock : undefined)],
  ['clock', 'half past <hour>', shiftHour(30), 0.5],
  ['clock', 'halb <num>', shiftNumber(-30), 0.5],
  ['clock', 'viertel <num>', shiftNumber(-45), 0.2],
  ['clock', 'dreiviertel <num>', shiftNumber(-15), 0.3],
  ['clock', 'drei viertel <num>', shiftNumber(-15), 0.8],
  [
    'clock',
    '@at? <num> minuten? vor|nach halb <num>',
    (match, minutes: Num, n: Num) => {
      const clock = shiftNumber(-30)(match, n)
      const isBefore = match.tokens.slice(match.from, match.to).some(({ text }) => text === 'vor')
      return clock && minutes.n < 15 ? shiftClock(clock, isBefore ? -minutes.n : minutes.n) : undefined
    },
    0.9,
  ],
  ['clock', 'so gegen|um <num>', (_, n: Num) => toClock(n), 0.1],
  // British English: "half three" is half past three. After "at", "ten to six" is a time, not a range.
  ['halfhour', 'half <num>', shiftNumber(30)],
  ['clock', '@at|@around <halfhour>', (_, clock: Clock) => clock, 0.5],
  ['loose', '<halfhour>', (_, clock: Clock) => clock],
  ['toclock', '<num> to|till <num>', minutesTo],
  ['clock', '@at <toclock>', (_, clock: Clock) => clock, 0.5],
  ['clock', 'viertel nach <hour>', shiftHour(15), 0.5],
  ['clock', 'viertel vor <hour>', shiftHour(-15), 0.5],
  ['clock', '@a? quarter past|after <hour>', shiftHour(15), 0.5],
  ['clock', '@a? quarter to|before|till <hour>', shiftHour(-15), 0.5],
  ['clock', '@a? quarter of <clock>', shiftHour(-15), 0.5],
  ['clock', '<dur> after|nach <hour>', shiftByDuration(1), 0.4],
  ['clock', '<dur> before|vor <hour>', shiftByDuration(-1), 0.4],
  ['clock', '<num> minutes|mins|min? past|after <clock>', shiftMinutes(1), 0.4],
  ['clock', '<num> minutes|mins|min? past <fullhour>', shiftMinutes(1), 0.3],
  ['clock', '<num> minutes|mins|min to|before|till <fullhour>', shiftMinutes(-1), 0.3],
  [
    'clock',
    '<num> to|before|till <clock>',
    (match, minutes: Num, clock: Clock) =>
      clock.mi === 0 && isMinutes(minutes) ? shiftMinutes(-1)(match, minutes, clock) : undefined,
    0.5,
  ],
  ['clock', '<num> minuten? nach <fullhour>', shiftMinutes(1), 0.2],
  ['clock', '<num> minuten? vor <fullhour>', shiftMinutes(-1), 0.2],

  // Bare numbers are hours only if a neighbor confirms it.
  ['spoken', '<num> <num> minutes?', joinSpokenTime, 0],
  ['clock', '<spoken> <ampm>', applyMeridiem, 0.5],
  ['clock', '@at <spoken>', (_, clock: Clock) => clock, 0.3],
  ['clock', '@at <hhmm>', (_, clock: Clock) => (clock.h < 10 || clock.h > 12 ? clock : clock), 0.3],
  ['clock', '@at <dotclock>', (_, clock: Clock) => clock, 0.3],
  [
    'clock',
    'say <num>',
    ({ tokens, to }, n: Num) =>
      n.digits <= 2 && (tokens[to] === undefined || /^[?.,!]$/.test(tokens[to].text))
        ? toClock(n)
        : undefined,
    0.2,
  ],
  ['clock', '@at punkt|genau|exactly <num>', (_, n: Num) => toClock(n), 0.4],
  ['clock', '@at punkt|genau|exactly <clock>', (_, clock: Clock) => clock, 0.4],
  ['clock', '<num> sharp', (_, n: Num) => (n.digits <= 2 ? toClock(n) : undefined), 0.1],
  ['clock', '<clock> sharp', (_, clock: Clock) => clock, 0.2],
  ['clock', '@at <num> ish?', (_, n: Num) => toClock(n), 0.1],
  ['clock', '@at @around|@the? <num>', (_, n: Num) => toClock(n), 0.1],
  ['clock', '<clock> ish', (_, clock: Clock) => clock, 0.1],
  ['clock', '<clock> <plusdays>', (_, clock: Clock, plus: number) => ({ ...clock, plus }), 0.3],
  ['loose', '<num>', (_, n: Num) => (n.digits <= 2 ? toClock(n) : undefined)],
  ['loose', '<dotclock>', (_, clock: Clock) => clock],
  ['loose', '<hhmm>', (_, clock: Clock) => clock],
  ['loose', '<hhmm> <plusdays>', (_, clock: Clock, plus: number) => ({ ...clock, plus })],
  ['loose', '<spoken>', (_, clock: Clock) => clock],
)
