import type { Place } from '../chart.ts'
import { withMeridiem } from '../clocks.ts'
import type { Num } from '../numbers.ts'
import type { Clock, Duration } from '../values.ts'
import { type Context, define } from './context.ts'

const hour = ({ n, digits }: Num): Clock | undefined =>
  digits > 2 || n > 24
    ? undefined
    : { is: 'clock', h: n, mi: 0, grain: 'hour', ...(n >= 1 && n <= 12 ? { either: true as const } : {}) }

const exact = (clock: Clock | undefined): Clock | undefined => {
  if (!clock) return undefined
  const { either: _, ...rest } = clock
  return rest
}

const GERMAN_DAY =
  /^(?:(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend|wochenende|(?:vor|nach)mittag|abend|morgen|nächsten|kommenden|selben|gleichen|folgenden|ersten|zweiten|letzten)/

/** "Um 9 Uhr am Freitag", "um 3 am Montag": the day's own word. */
const isPreposition = ({ tokens, to }: Place<Context>): boolean => {
  const [before, own, next, dot] = [tokens[to - 2], tokens[to - 1], tokens[to], tokens[to + 1]]
  if (own?.text !== 'am' || !own.apart) return false
  return (
    before?.text === 'uhr' ||
    (next !== undefined && GERMAN_DAY.test(next.text)) ||
    (next?.kind === 'number' && dot?.text === '.' && !dot.apart)
  )
}

const meridiem = (
  place: Place<Context>,
  value: Num | Clock,
  half: 'am' | 'pm' | 'either',
): Clock | undefined => {
  if (isPreposition(place)) return undefined
  const clock = 'is' in value ? value : hour(value)
  if (!clock || ('n' in value && value.n > 12)) return undefined
  return half === 'either' ? clock : withMeridiem(clock, half)
}

const shifted = (clock: Clock, by: number): Clock | undefined => {
  const total = clock.h * 60 + clock.mi + by
  const wrapped = ((total % 1440) + 1440) % 1440
  const h = clock.either && Math.floor(wrapped / 60) === 0 ? 12 : Math.floor(wrapped / 60)
  return { ...clock, h, mi: wrapped % 60, grain: 'minute' }
}

const past =
  (sign: 1 | -1) =>
  (_: Place<Context>, minutes: Num | number, clock: Clock): Clock | undefined => {
    const n = typeof minutes === 'number' ? minutes : minutes.n
    return n >= 1 && n < 60 ? shifted(clock, sign * n) : undefined
  }

const toHour = (value: Num | Clock): Clock | undefined => ('is' in value ? value : hour(value))

const spoken = (_: Place<Context>, h: Num, mi: Num): Clock | undefined => {
  const clock = hour(h)
  const minutes = mi.n >= 10 && mi.n < 60 && mi.digits !== 1
  return clock && minutes && h.n >= 1 && h.n <= 12 && (mi.digits === 0) === (h.digits === 0)
    ? { ...clock, mi: mi.n, grain: 'minute' }
    : undefined
}

const halfPast = (n: Num): Clock | undefined => {
  const clock = hour(n)
  return clock && n.n >= 1 && n.n <= 12 ? shifted(clock, 30) : undefined
}

const minutesTo = (_: Place<Context>, minutes: Num, n: Num): Clock | undefined => {
  const clock = hour(n)
  return clock && minutes.digits === 0 && [5, 10, 20, 25].includes(minutes.n) && n.n >= 1 && n.n <= 12
    ? shifted(clock, -minutes.n)
    : undefined
}

const quarterTo = (n: Num): Clock | undefined => {
  const clock = hour(n)
  return clock && shifted(clock, -15)
}

/** "Half an hour before noon"; "for an hour after three" is how long. */
const away = (
  { tokens, from }: Place<Context>,
  { months, days, seconds, around }: Duration,
  clock: Clock,
  sign: 1 | -1,
): Clock | undefined =>
  months !== 0 ||
  days !== 0 ||
  around ||
  seconds % 60 !== 0 ||
  seconds > 43_200 ||
  /^(?:for|für|lasting|within|about)$/.test(tokens[from - 1]?.text ?? '')
    ? undefined
    : shifted(clock, (sign * seconds) / 60)

export const clockRules = define(
  ['clock', '<num> <ampm>', meridiem, 0.4],
  ['clock', '<clock> <ampm>', meridiem, 0.4],
  ['clock', '<dotclock> <ampm>', meridiem, 0.4],
  ['clock', '<num> : <ampm>', meridiem, 0.3],
  ['clock', '<hhmm> <ampm>', meridiem, 0.4],
  ['clock', '<hmm> <ampm>', meridiem, 0.4],
  ['clock', '<num> ish <ampm>', meridiem, 0.4],
  ['clock', '<num> - ish', (_, n: Num) => (n.n <= 12 ? hour(n) : undefined), 0.2],
  ['clock', '<num> ish', (_, n: Num) => (n.n <= 12 ? hour(n) : undefined), 0.1],
  ['clock', '<clock> <ap>', meridiem, 0.4],
  ['clock', '@at <num> <ap>', meridiem, 0.4],
  [
    'clock',
    '<num> <ap>',
    (place, n: Num, half: 'am' | 'pm') => (place.context.terse ? meridiem(place, n, half) : undefined),
    0.2,
  ],
  ['clock', '<num> @in @the <ampm>', meridiem, 0.4],
  ['clock', "<num> o'clock|oclock", (_, n: Num) => hour(n), 0.4],
  ['clock', "<clock> o'clock|oclock|hours|hrs", (_, clock: Clock) => clock, 0.2],
  ['clock', '<num> @uhr', (_, n: Num) => (n.n > 6 ? exact(hour(n)) : hour(n)), 0.4],
  [
    'clock',
    '<num> @uhr <num>',
    (_, n: Num, mi: Num) => {
      const clock = exact(hour(n))
      return clock && mi.n < 60 ? { ...clock, mi: mi.n, grain: 'minute' } : undefined
    },
    0.5,
  ],
  ['clock', '<clock> @uhr|h', (_, clock: Clock) => exact(clock), 0.3],
  ['clock', '<dotclock> @uhr|h', (_, clock: Clock) => exact(clock), 0.4],
  ['clock', '<hhmm> @uhr|h|hours|hrs', (_, clock: Clock) => clock, 0.4],
  [
    'clock',
    '<num> <num> @uhr',
    (_, h: Num, mi: Num) => {
      const clock = exact(hour(h))
      return clock && mi.digits === 2 && mi.n < 60 ? { ...clock, mi: mi.n, grain: 'minute' } : undefined
    },
    0.4,
  ],
  ['clock', '<hclock>', (_, clock: Clock) => clock, 0],
  ['clock', '12 noon|midday|mittags', () => ({ is: 'clock', h: 12, mi: 0, grain: 'hour' }), 0.4],
  ['clock', '@the? <clockword>', (_, h: number) => ({ is: 'clock', h, mi: 0, grain: 'hour' }), 0.1],
  ['clock', 'mid day', () => ({ is: 'clock', h: 12, mi: 0, grain: 'hour' }), 0.3],
  ['clock', 'half past <clock>', (_, clock: Clock) => shifted(clock, 30), 0.5],
  [
    'clock',
    'half past <num>',
    (_, n: Num) => {
      const clock = hour(n)
      return clock && shifted(clock, 30)
    },
    0.5,
  ],
  [
    'clock',
    'halb <num>',
    (_, n: Num) => {
      const clock = hour(n)
      return clock && n.n <= 12 ? shifted(clock, -30) : undefined
    },
    0.5,
  ],
  [
    'clock',
    '@at? <num> vor|nach halb <num>',
    ({ tokens, to }, minutes: Num, n: Num) => {
      const clock = hour(n)
      const sign = tokens[to - 3]?.text === 'vor' ? -1 : 1
      return clock && n.n <= 12 && minutes.n < 15 ? shifted(clock, sign * minutes.n - 30) : undefined
    },
    0.9,
  ],
  [
    'clock',
    'viertel <num>',
    (_, n: Num) => {
      const clock = hour(n)
      return clock && n.n <= 12 ? shifted(clock, -45) : undefined
    },
    0.2,
  ],
  ['clock', 'so gegen|um <num>', (_, n: Num) => hour(n), 0.1],
  // In Britain "half three" is half past three, and "ten to six" is no stretch where a time is expected.
  ['halfhour', 'half <num>', (_, n: Num) => halfPast(n)],
  ['clock', '@at|@around <halfhour>', (_, clock: Clock) => clock, 0.5],
  ['loose', '<halfhour>', (_, clock: Clock) => clock],
  ['toclock', '<num> to|till <num>', minutesTo],
  ['clock', '@at <toclock>', (_, clock: Clock) => clock, 0.5],
  [
    'clock',
    'viertel nach <num>',
    (_, n: Num) => {
      const clock = hour(n)
      return clock && shifted(clock, 15)
    },
    0.5,
  ],
  [
    'clock',
    'viertel vor <num>',
    (_, n: Num) => {
      const clock = hour(n)
      return clock && shifted(clock, -15)
    },
    0.5,
  ],
  ['clock', 'dreiviertel <num>', (_, n: Num) => quarterTo(n), 0.3],
  ['clock', '@a? quarter past|after <clock>', (_, clock: Clock) => shifted(clock, 15), 0.5],
  [
    'clock',
    '@a? quarter past|after <num>',
    (_, n: Num) => {
      const clock = hour(n)
      return clock && shifted(clock, 15)
    },
    0.4,
  ],
  ['clock', '@a? quarter to|before|of|till <clock>', (_, clock: Clock) => shifted(clock, -15), 0.5],
  [
    'clock',
    '@a? quarter to|before|till <num>',
    (_, n: Num) => {
      const clock = hour(n)
      return clock && shifted(clock, -15)
    },
    0.4,
  ],
  [
    'clock',
    '<dur> after|nach <clock>',
    (place, length: Duration, clock: Clock) => away(place, length, clock, 1),
    0.4,
  ],
  [
    'clock',
    '<dur> before|vor <clock>',
    (place, length: Duration, clock: Clock) => away(place, length, clock, -1),
    0.4,
  ],
  ['clock', 'drei viertel <num>', (_, n: Num) => quarterTo(n), 0.8],
  ['clock', '<num> minutes|mins|min? past|after <clock>', past(1), 0.4],
  ['clock', '<num> minutes|mins|min? to|before|till <clock>', past(-1), 0.3],
  [
    'clock',
    '<num> minutes|mins|min? past <num>',
    (place, minutes: Num, n: Num) => {
      const clock = toHour(n)
      return clock && n.n <= 12 ? past(1)(place, minutes, clock) : undefined
    },
    0.3,
  ],
  [
    'clock',
    '<num> minutes|mins|min to|till <num>',
    (place, minutes: Num, n: Num) => {
      const clock = toHour(n)
      return clock && n.n <= 12 ? past(-1)(place, minutes, clock) : undefined
    },
    0.3,
  ],
  [
    'clock',
    '<num> minuten? nach <num> @uhr?',
    (place, minutes: Num, n: Num) => {
      const clock = toHour(n)
      return clock && past(1)(place, minutes, clock)
    },
    0.2,
  ],
  [
    'clock',
    '<num> minuten? vor <num> @uhr?',
    (place, minutes: Num, n: Num) => {
      const clock = toHour(n)
      return clock && past(-1)(place, minutes, clock)
    },
    0.2,
  ],

  // Hours in words or digits alone: clocks only where something beside them says so.
  ['spoken', '<num> <num> minutes?', spoken, 0],
  ['clock', '<spoken> <ampm>', meridiem, 0.5],
  ['clock', '@at <spoken>', (_, clock: Clock) => clock, 0.3],
  ['clock', '@at <hhmm>', (_, clock: Clock) => (clock.h < 10 || clock.h > 12 ? clock : clock), 0.3],
  ['clock', '@at <dotclock>', (_, clock: Clock) => clock, 0.3],
  [
    'clock',
    'say <num>',
    ({ tokens, to }, n: Num) =>
      n.digits <= 2 && (tokens[to] === undefined || /^[?.,!]$/.test(tokens[to].text)) ? hour(n) : undefined,
    0.2,
  ],
  ['clock', '@at punkt|genau|exactly <num>', (_, n: Num) => hour(n), 0.4],
  ['clock', '@at punkt|genau|exactly <clock>', (_, clock: Clock) => clock, 0.4],
  ['clock', '<num> sharp', (_, n: Num) => (n.digits <= 2 ? hour(n) : undefined), 0.1],
  ['clock', '<clock> sharp', (_, clock: Clock) => clock, 0.2],
  ['clock', '@at <num> ish?', (_, n: Num) => hour(n), 0.1],
  ['clock', '@at @around|@the? <num>', (_, n: Num) => hour(n), 0.1],
  ['clock', '<clock> ish', (_, clock: Clock) => clock, 0.1],
  ['clock', '<clock> <plusdays>', (_, clock: Clock, plus: number) => ({ ...clock, plus }), 0.3],
  ['loose', '<num>', (_, n: Num) => (n.digits <= 2 ? hour(n) : undefined)],
  ['loose', '<dotclock>', (_, clock: Clock) => clock],
  ['loose', '<hhmm>', (_, clock: Clock) => clock],
  ['loose', '<hhmm> <plusdays>', (_, clock: Clock, plus: number) => ({ ...clock, plus })],
  ['loose', '<spoken>', (_, clock: Clock) => clock],
)
