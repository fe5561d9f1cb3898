import type { Place } from '../chart.ts'
import { mergeTimes, settleRange } from '../clocks.ts'
import { LEXICON } from '../lexicon.ts'
import type { Clock, ClockRange, TimePart, When } from '../values.ts'
import { type Context, define } from './context.ts'
import { hasDay, mergeWhens, range, timed } from './when-values.ts'

/** "The 5th, 6th", "25 Nov, 2 Dec": a day. */
const isOrdinal = ({ tokens, to }: Place<Context>): boolean => {
  const next = tokens[to]
  if (next === undefined) return false
  if (!next.apart) return /^(?:st|nd|rd|th)$/.test(next.text)
  return next.capital && (LEXICON.get(next.text) ?? []).some(([kind]) => kind === 'month')
}

const looseWith = (place: Place<Context>, when: When, clock: Clock): When | undefined =>
  isOrdinal(place) || when.to || when.bound || !hasDay(when) || when.shift
    ? undefined
    : when.time
      ? when.time.is === 'part'
        ? mergeWhens(when, { time: clock })
        : undefined
      : { ...when, time: clock }

const LONGEST_STRETCH = 9 * 60
const RESULT = /^(?:won|win|lost|lose|beat|drew|score|scored|led|gewonnen|verloren|gewinnen|stand)$/

/** "9-5 on Monday"; "we won 3-1 on Monday" tells no time. */
const rangeOn = ({ tokens, from }: Place<Context>, value: ClockRange, when: When): When | undefined => {
  const { a, b } = settleRange(value)
  const length = ((((b.h - a.h) * 60 + b.mi - a.mi) % 1440) + 1440) % 1440
  return hasDay(when) &&
    !when.time &&
    !when.to &&
    !when.bound &&
    !when.shift &&
    length <= LONGEST_STRETCH &&
    !RESULT.test(tokens[from - 1]?.text ?? '')
    ? { ...when, time: value }
    : undefined
}

/** "3 or 4pm": both, the first with the second's half of the day. */
const either = (_: Place<Context>, a: Clock, b: Clock): Clock | undefined => {
  const settled = settleRange({ is: 'range', a, b })
  return a.or || b.or ? undefined : { ...settled.a, or: settled.b }
}

/** From one hour to another, and hours that are only numbers. */
export const clockRangeRules = define(
  // Bare hours count beside a day, or at both ends of a range that says from where to where.
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
    (place, a: Clock, when: When, b: Clock) => {
      const first = mergeTimes(a, when.time as TimePart)
      return first?.is === 'clock' ? range(place, first, b) : undefined
    },
    0.6,
  ],
  [
    'clockrange',
    '@from|@between? <loose> <partwhen> @to|@and <clock>',
    (place, a: Clock, when: When, b: Clock) => {
      const first = mergeTimes(a, when.time as TimePart)
      return first?.is === 'clock' ? range(place, first, b) : undefined
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
  ['when', '<looserange> @on|@the? <when>', rangeOn, 0.1],
  [
    'when',
    '<halfhour> ,? @on? <when>',
    (place, clock: Clock, when: When) => looseWith(place, when, clock),
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
    (place, when: When, a: Clock, b: Clock) => {
      const clock = either(place, a, b)
      return clock && looseWith(place, when, clock)
    },
    0.2,
  ],
  [
    'when',
    '<when> ,? <loose>',
    (place, when: When, clock: Clock) =>
      place.tokens[place.to]?.text === '.' ? undefined : looseWith(place, when, clock),
    -0.3,
  ],
  ['when', '<when> ,? @around|- <loose>', looseWith, 0.1],
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
    (place, clock: Clock, when: When) => {
      const at = looseWith(place, when, clock)
      return at && { ...at, bound: 'since' as const }
    },
    0.1,
  ],
  ['when', '@around <loose> <when>', (place, clock: Clock, when: When) => looseWith(place, when, clock), 0.1],
)
