import type { Place } from '../chart.ts'
import { mergeTimes } from '../clocks.ts'
import { LEXICON } from '../lexicon.ts'
import { daysOf, mergeDates, shiftDay } from '../resolve.ts'
import type {
  Bound,
  Clock,
  ClockRange,
  DatePart,
  DayPart,
  Days,
  Duration,
  Edge,
  PartName,
  TimePart,
  When,
  Zone,
} from '../values.ts'
import { type Context, define } from './context.ts'

/** One expression out of two that stand together; undefined when both say the same thing differently. */
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

const hasDay = ({ date }: When): boolean =>
  date !== undefined &&
  (date.is === 'days' ? date.grain === 'day' && !date.count : date.d !== undefined || date.dow !== undefined)

/** A day and a time of it; a month or a year has no time of day. */
const joined = (_: Place<Context>, a: When, b: When): When | undefined => {
  const dated = [a, b].filter((when) => when.date)
  const timed = [a, b].filter((when) => when.time)
  if (dated.length === 1 && timed.length === 1 && dated[0] !== timed[0] && !hasDay(dated[0] as When))
    return undefined
  if (a.weak && b.weak) return undefined
  return mergeWhens(a, b)
}

const dated = (date: DatePart): When => ({ date })
const timed = (time: TimePart): When => ({ time })

const part = (name: PartName, edge?: Edge): DayPart => ({ is: 'part', name, ...(edge ? { edge } : {}) })

const dayPart =
  (step: number) =>
  ({ context }: Place<Context>, name: PartName): When => ({
    date: { is: 'days', from: context.now.day + step, to: context.now.day + step + 1, grain: 'day' },
    time: part(name),
  })

const bounded =
  (bound: Bound) =>
  (_: Place<Context>, when: When): When | undefined =>
    when.bound || when.to || when.time?.is === 'range' ? undefined : { ...when, bound }

const around = (_: Place<Context>, when: When): When => ({ ...when, around: true })
const range = (_: Place<Context>, a: Clock, b: Clock): ClockRange => ({ is: 'range', a, b })

const looseWith = (_: Place<Context>, when: When, clock: Clock): When | undefined =>
  when.to || when.bound || !hasDay(when) || when.shift
    ? undefined
    : when.time
      ? when.time.is === 'part'
        ? mergeWhens(when, { time: clock })
        : undefined
      : { ...when, time: clock }

const lasting = ({ context }: Place<Context>, when: When, duration: Duration): When | undefined => {
  if (when.to || when.bound || duration.around) return undefined
  if (when.time?.is === 'range') return undefined
  const start = when.date ? daysOf(when.date, context.now) : undefined
  if (duration.seconds === 0) {
    if (!start || when.time) return undefined
    return {
      ...when,
      to: {
        date: {
          is: 'days',
          from: shiftDay(start.from, duration, 1),
          to: shiftDay(start.from, duration, 1) + 1,
          grain: 'day',
        },
      },
      shift: duration,
    }
  }
  if (when.time?.is !== 'clock') return undefined
  return { ...when, shift: duration }
}

/** Midnight at the end of the day meant. */
const endOfDay = ({ context }: Place<Context>, date: DatePart): When | undefined => {
  const at = daysOf(date, context.now)
  return at && at.grain === 'day' && at.to - at.from === 1
    ? { date: at, time: { is: 'clock', h: 23, mi: 59, s: 59, grain: 'second' } }
    : undefined
}

/** "movie night" is no time. */
const isNoun = ({ tokens, from }: Place<Context>): boolean => {
  const [before, word] = [tokens[from - 1], tokens[from]]
  return word?.text === 'night' && before?.kind === 'word' && !LEXICON.has(before.text)
}

/** "early on Thursday" is in its morning, "late" in its evening. */
const leaning = ({ context }: Place<Context>, edge: Edge, date: DatePart): When | undefined => {
  const at = daysOf(date, context.now)
  if (at?.grain !== 'day' || at.to - at.from !== 1 || edge === 'middle') return undefined
  return { date, time: part(edge === 'start' ? 'morning' : 'evening', edge) }
}

export const whenRules = define(
  ['when', '<date>', (_, date: DatePart) => dated(date)],
  ['when', '<clock>', (_, clock: Clock) => timed(clock)],
  ['when', '@during <yearonly>', (_, date: DatePart) => dated(date)],
  [
    'when',
    '<nowword>',
    ({ context }) => ({
      date: { is: 'days', from: context.now.day, to: context.now.day + 1, grain: 'day' },
      time: {
        is: 'clock',
        h: Math.floor(context.now.seconds / 3600),
        mi: Math.floor(context.now.seconds / 60) % 60,
        s: context.now.seconds % 60,
        grain: 'second',
      },
      shift: { months: 0, days: 0, seconds: 0, unit: 'second', n: 0 },
    }),
  ],
  ['nowword', 'right now', () => 0, 0.1],
  ['nowword', 'at @the? moment|minute|present', () => 0, 0.5],
  ['nowword', 'at @the present time', () => 0, 0.5],

  ['around', 'ca|circa .', () => 0],
  ['at', 'um @around', () => 0],
  ['to', 'bis zum|zu', () => 0],
  ['to', 'auf den', () => 0],
  ['until', 'bis zum|zu|:', () => 0],
  [
    'when',
    '<dowpart>',
    (_, value: { dow: number; part: PartName }) => ({
      date: { is: 'fields', dow: value.dow },
      time: part(value.part),
    }),
  ],
  [
    'partwhen',
    '<leanpart>',
    (_, value: { edge: Edge; part: PartName }) => timed(part(value.part, value.edge)),
  ],
  [
    'when',
    '<dowshort> .|,? @at <clock>',
    (_, dow: number, clock: Clock) => ({ date: { is: 'fields', dow }, time: clock }),
    0.4,
  ],
  ['when', '@since|@from <dotclock>', (_, clock: Clock) => ({ time: clock, bound: 'since' }), 0.1],
  ['when', '@after <dotclock>', (_, clock: Clock) => ({ time: clock, bound: 'after' }), 0.1],
  ['when', '@before|@until <dotclock>', (_, clock: Clock) => ({ time: clock, bound: 'before' }), 0.1],
  ['when', 'nicht vor <when>', bounded('since'), 0.7],
  ['when', 'nicht später als <when>', bounded('by'), 0.7],
  ['when', '@since|@from @around <when>', bounded('since'), 0.5],
  ['clockrange', '<clock> / <clock>', range, 0.2],
  // A meal is a time only where something says so: "lunch at noon" is what happens.
  ['mealwhen', '@the? <meal>', (_, name: PartName) => timed(part(name))],
  ['partwhen', 'at|over|during @the? <meal>', (_, name: PartName) => timed(part(name)), 0.2],
  ['partwhen', '@at? <meal> time', (_, name: PartName) => timed(part(name)), 0.2],
  ['when', '@after <mealwhen>', bounded('after'), 0.3],
  ['when', '@before <mealwhen>', bounded('before'), 0.3],
  ['partwhen', '<part>', (place, name: PartName) => (isNoun(place) ? undefined : timed(part(name)))],
  ['saidpart', '@in @the? <part>', (_, name: PartName) => timed(part(name)), 0.2],
  ['saidpart', '@in @the? <lean> <part>', (_, edge: Edge, name: PartName) => timed(part(name, edge)), 0.3],
  ['saidpart', '@at night', () => timed(part('night')), 0.2],
  ['partwhen', '@in @the? <part>', (_, name: PartName) => timed(part(name)), 0.2],
  ['partwhen', '@at @the? <part>', (_, name: PartName) => timed(part(name)), 0.2],
  ['partwhen', '@on <part>', (_, name: PartName) => timed(part(name)), 0.1],
  ['partwhen', '<lean> <part>', (_, edge: Edge, name: PartName) => timed(part(name, edge)), 0.2],
  ['partwhen', '@in @the? <lean> <part>', (_, edge: Edge, name: PartName) => timed(part(name, edge)), 0.3],
  ['partwhen', '<lean> @in @the <part>', (_, edge: Edge, name: PartName) => timed(part(name, edge)), 0.3],
  ['partwhen', '@in @the day - time', () => timed(part('daytime')), 0.5],
  ['partwhen', '@in @the night - time', () => timed(part('nighttime')), 0.5],
  ['when', '<partwhen>', (_, when: When) => when],
  ['when', '<tonight>', dayPart(0)],
  [
    'when',
    '<lean> <tonight>',
    ({ context }, edge: Edge, name: PartName) => ({
      date: { is: 'days', from: context.now.day, to: context.now.day + 1, grain: 'day' },
      time: part(name, edge),
    }),
    0.3,
  ],
  ['when', 'this <part>', dayPart(0), 0.4],
  ['when', 'heute <part>', dayPart(0), 0.4],
  [
    'when',
    '<lean> this <part>',
    ({ context }, edge: Edge, name: PartName) => ({
      date: { is: 'days', from: context.now.day, to: context.now.day + 1, grain: 'day' },
      time: part(name, edge),
    }),
    0.5,
  ],
  ['when', 'last <part>', dayPart(-1), 0.4],
  [
    'when',
    '<lean> last night',
    ({ context }, edge: Edge) => ({
      date: { is: 'days', from: context.now.day - 1, to: context.now.day, grain: 'day' },
      time: part('night', edge),
    }),
    0.5,
  ],
  ['when', 'next <part>', dayPart(1), 0.3],
  ['when', '<lean> @on? <date>', leaning, 0.3],
  ['when', '<date> ,? <lean>', (place, date: DatePart, edge: Edge) => leaning(place, edge, date), 0.2],
  [
    'when',
    'mid <date>',
    (place, date: DatePart) => {
      const at = daysOf(date, place.context.now)
      return at?.grain === 'day' ? { date, time: part('noon') } : undefined
    },
    0.3,
  ],

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

  ['when', '<when> <when>', joined, 0.3],
  ['when', '<when> ,|(|.|-|/ <when>', joined, 0.2],
  ['when', '<when> ( <when> )', joined, 0.3],
  ['when', '<when> ,? @at|@on|@in|@for|@by|@of <when>', joined, 0.3],
  ['when', '<when> ,? @at|@on @the <when>', joined, 0.3],
  [
    'when',
    '<when> @and|but <when>',
    (_, a: When, b: When) => {
      // "later than 3:30pm but before 6pm"
      if (
        a.time?.is !== 'clock' ||
        b.time?.is !== 'clock' ||
        a.bound !== 'after' ||
        b.bound !== 'before' ||
        b.date
      )
        return undefined
      const { bound: _bound, ...rest } = a
      return { ...rest, time: { is: 'range', a: a.time, b: b.time } }
    },
    0.5,
  ],
  ['when', '<when> , <when> )', joined, -0.2],

  ['when', '@before|vor <when>', bounded('before'), 0.3],
  ['when', 'prior to <when>', bounded('before'), 0.4],
  ['when', 'earlier than <when>', bounded('before'), 0.5],
  [
    'when',
    '@before @the? <edgedate>',
    (_, date: Days) => ({
      date: {
        is: 'days',
        from: date.from,
        to: date.to,
        grain: date.grain,
        ...(date.edge ? { edge: date.edge } : {}),
      },
      bound: 'by',
    }),
    0.5,
  ],
  ['when', '@until @the? <when>', bounded('until'), 0.2],
  ['when', 'as late as <when>', bounded('until'), 0.5],
  ['when', '@by @the? <when>', bounded('by'), 0.3],
  ['when', 'no|not later than <when>', bounded('by'), 0.7],
  ['when', '@after @the? <when>', bounded('after'), 0.3],
  ['when', 'any time|anytime? @after|@from <when>', bounded('after'), 0.3],
  ['when', 'any time from <when>', bounded('since'), 0.5],
  ['when', 'later than <when>', bounded('after'), 0.5],
  ['when', '@since @on? @the? <when>', bounded('since'), 0.3],
  ['when', '@from <when>', bounded('since'), -0.1],
  [
    'when',
    '@before <loose>',
    (_, clock: Clock) => (clock.grain === 'hour' ? { time: clock, bound: 'before' } : undefined),
    0,
  ],
  [
    'when',
    '@after <loose>',
    (_, clock: Clock) => (clock.grain === 'hour' ? { time: clock, bound: 'after' } : undefined),
    0,
  ],
  ['when', '<when> ,? @the earliest|frühestens', bounded('since'), 0.5],
  ['when', '<when> ,? frühestens', bounded('since'), 0.5],
  ['when', '<when> ,? @at @the latest', bounded('by'), 0.6],
  ['when', '<when> ,? spätestens', bounded('by'), 0.3],
  ['when', '<when> or later|after', bounded('since'), 0.6],
  ['when', '<when> or earlier|before', bounded('until'), 0.6],
  ['when', 'frühestens <when>', bounded('since'), 0.4],
  ['boundyear', '@before @the? <yearonly>', (_, date: DatePart) => ({ date, bound: 'before' }), 0.2],
  ['boundyear', '@after @the? <yearonly>', (_, date: DatePart) => ({ date, bound: 'after' }), 0.2],
  ['boundyear', '@since @on? @the? <yearonly>', (_, date: DatePart) => ({ date, bound: 'since' }), 0.2],
  ['boundyear', '@until @the? <yearonly>', (_, date: DatePart) => ({ date, bound: 'until' }), 0.2],
  ['boundyear', '@by @the? <yearonly>', (_, date: DatePart) => ({ date, bound: 'by' }), 0.2],
  ['boundyear', 'any time|anytime? after <yearonly>', (_, date: DatePart) => ({ date, bound: 'after' }), 0.4],
  ['boundyear', '<yearonly> or later', (_, date: DatePart) => ({ date, bound: 'since' }), 0.5],
  ['when', '<boundyear>', (_, when: When) => when],

  ['when', '@around <when>', around, 0.2],
  [
    'when',
    '<when> @at? @around <when>',
    (place, a: When, b: When) => {
      const when = joined(place, a, b)
      return when && { ...when, around: true }
    },
    0.4,
  ],
  ['when', 'sometime|spätestens? @around|@on? <when>', (_, when: When) => when, -0.5],

  ['when', '<when> @for|lasting @around? <dur>', lasting, 0.5],
  ['when', '<when> , <dur>', lasting, 0.1],
  [
    'when',
    '@for @around? <dur> ,? @from|@at|@on|starting|beginning|ab @at|@on? <when>',
    (place, duration: Duration, when: When) => lasting(place, when, duration),
    0.7,
  ],
  [
    'when',
    '<when> @for <dur> @from|@at|starting|beginning @at? <when>',
    (place, a: When, duration: Duration, b: When) => {
      const when = joined(place, a, b)
      return when && lasting(place, when, duration)
    },
    1,
  ],
  ['when', '@the? end @of <ofdate>', endOfDay, 0.5],
  [
    'when',
    'eod|cob',
    (place) =>
      endOfDay(place, {
        is: 'days',
        from: place.context.now.day,
        to: place.context.now.day + 1,
        grain: 'day',
      }),
  ],

  [
    'when',
    '<when> <zone>',
    (_, when: When, zone: Zone) => (when.zone || !when.time ? undefined : { ...when, zone }),
    0.3,
  ],
  [
    'when',
    '<when> ( <zone> )',
    (_, when: When, zone: Zone) => (when.zone || !when.time ? undefined : { ...when, zone }),
    0.3,
  ],
  [
    'when',
    '<when> , <zone>',
    (_, when: When, zone: Zone) => (when.zone || !when.time ? undefined : { ...when, zone }),
    0.2,
  ],
)
