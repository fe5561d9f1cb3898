import { addMonths, dayOf, mergeTimes, mondayOf, ymdOf } from '../calendar.ts'
import { type Rule, type RuleMatch, rules } from '../chart.ts'
import type { Order } from '../formats.ts'
import { isDateWord } from '../lexicon.ts'
import { daysOf, mergeDates, type Now } from '../outcome.ts'
import type {
  Bound,
  Clock,
  ClockRange,
  DatePart,
  DayPart,
  Days,
  Duration,
  Edge,
  Num,
  PartName,
  TimePart,
  Unit,
  When,
} from '../values.ts'

export type Word = Unit | 'fortnight' | 'night'

export const days = (from: number, to: number, grain: Unit, more: Partial<Days> = {}): Days => ({
  is: 'days',
  from,
  to,
  grain,
  ...more,
})
export const day = (from: number): Days => days(from, from + 1, 'day')

/** Returns the unit that contains a day, or a neighboring one: a step of 1 is the next unit. */
export const unitAround = (at: number, word: Word, step: number): DatePart | undefined => {
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

export const unitFromNow = (
  { context }: RuleMatch<Context>,
  step: number,
  word: Word,
): DatePart | undefined => unitAround(context.now.day, word, step)

/** The input of the rules besides the tokens. */
export interface Context {
  now: Now
  order: Order
  /** The number of tokens in the text. A text of digits alone is more likely a time than digits in prose. */
  words: number
  /** The text is a quick-capture line. */
  terse: boolean
}

type Definition = Parameters<typeof rules<Context>>

/** Compiles a list of rule definitions. */
export const define = (...definitions: Definition[]): Rule<Context>[] =>
  definitions.flatMap((definition) => rules<Context>(...definition))

/** Merges two adjacent expressions. Returns undefined if they contradict. */
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

export const hasDay = ({ date }: When): boolean =>
  date !== undefined &&
  (date.is === 'days' ? date.grain === 'day' && !date.count : date.d !== undefined || date.dow !== undefined)

/** Joins a day and a time. A month or a year has no time of day. */
export const joinWhens = (_: RuleMatch<Context>, a: When, b: When): When | undefined => {
  const dated = [a, b].filter((when) => when.date)
  const timed = [a, b].filter((when) => when.time)
  if (dated.length === 1 && timed.length === 1 && dated[0] !== timed[0] && !hasDay(dated[0] as When))
    return undefined
  if (a.weak && b.weak) return undefined
  // "Monday noon to Friday" has its time; "morning" after it belongs to its end.
  if ((a.to || b.to) && a.time && b.time) return undefined
  return mergeWhens(a, b)
}

const dated = (date: DatePart): When => ({ date })
export const timed = (time: TimePart): When => ({ time })

export const part = (name: PartName, edge?: Edge): DayPart => ({
  is: 'part',
  name,
  ...(edge ? { edge } : {}),
})

export const bounded =
  (bound: Bound) =>
  (_: RuleMatch<Context>, when: When): When | undefined =>
    when.bound || when.to || when.time?.is === 'range' ? undefined : { ...when, bound }

export const range = (_: RuleMatch<Context>, a: Clock, b: Clock): ClockRange => ({ is: 'range', a, b })

const SECONDS: Partial<Record<Word, number>> = { second: 1, minute: 60, hour: 3600 }
const UNIT_DAYS: Partial<Record<Word, number>> = { day: 1, night: 1, week: 7, fortnight: 14, weekend: 2 }
const MONTHS: Partial<Record<Word, number>> = {
  month: 1,
  quarter: 3,
  half: 6,
  year: 12,
  decade: 120,
  century: 1200,
}

/** Creates a duration of `n` units. Half a day is twelve hours, half a month fifteen days. */
export const createDuration = (n: number, word: Word): Duration => {
  const months = n * (MONTHS[word] ?? 0)
  const whole = Math.trunc(months)
  const allDays = n * (UNIT_DAYS[word] ?? 0) + (months - whole) * 30
  const days = Math.trunc(allDays)
  const unit: Unit = word === 'fortnight' ? 'week' : word === 'night' ? 'day' : word
  return {
    months: whole,
    days,
    seconds: Math.round(n * (SECONDS[word] ?? 0) * 1000) / 1000 + Math.round((allDays - days) * 86_400),
    unit,
    n: word === 'fortnight' ? n * 2 : n,
  }
}

const addDurations = (a: Duration, b: Duration): Duration => ({
  months: a.months + b.months,
  days: a.days + b.days,
  seconds: a.seconds + b.seconds,
  unit: b.unit,
  n: b.n,
})

const SIZES: readonly Unit[] = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year']

const joinDurations = (_: RuleMatch<Context>, a: Duration, b: Duration): Duration | undefined =>
  SIZES.indexOf(b.unit) < SIZES.indexOf(a.unit) ? addDurations(a, b) : undefined

const countUnits = (_: RuleMatch<Context>, { n, digits }: Num, unit: Word): Duration | undefined =>
  digits > 6 || unit === 'season' ? undefined : createDuration(n, unit)

const addHalf = (_: RuleMatch<Context>, { n }: Num, unit: Word): Duration => createDuration(n + 0.5, unit)

/** Adds minutes to hours: "2 hours ten", "1 hour and thirty". */
const addMinutes = (_: RuleMatch<Context>, a: Duration, { n }: Num): Duration | undefined =>
  a.unit === 'hour' && n > 0 && n < 60 ? addDurations(a, createDuration(n, 'minute')) : undefined

const addQuarters = (
  _: RuleMatch<Context>,
  whole: Num,
  count: Num | number | undefined,
  unit: Word,
): Duration => createDuration(whole.n + 0.25 * (typeof count === 'number' ? count : (count?.n ?? 1)), unit)

const withQualifier =
  (around: NonNullable<Duration['around']>) =>
  (_: RuleMatch<Context>, duration: Duration): Duration => ({ ...duration, around })

export const durationRules = define(
  ['dur', '<num> <unit>', countUnits, 0.2],
  ['dur', '<num> - <unit>', countUnits, 0.1],
  ['dur', '<num> more|additional|extra|less|full|whole|straight|weitere|free <unit>', countUnits, 0.2],
  ['dur', '<decimal> <unit>', (_, n: number, unit: Word) => createDuration(n, unit), 0.3],
  ['dur', '<a> <unit>', (_, n: number, unit: Word) => createDuration(n, unit), 0.1],
  ['dur', '<a> <few> of? <unit>', (_, __: number, n: number, unit: Word) => createDuration(n, unit), 0.2],
  ['dur', '<few> of? <unit>', (_, n: number, unit: Word) => createDuration(n, unit), 0],
  ['dur', 'ein <few> <unit>', (_, n: number, unit: Word) => createDuration(n, unit), 0.2],
  ['dur', 'half <a> <unit>', (_, __: number, unit: Word) => createDuration(0.5, unit), 0.3],
  ['dur', '<a> half <unit>', (_, __: number, unit: Word) => createDuration(0.5, unit), 0.3],
  ['dur', '<a> half - <unit>', (_, __: number, unit: Word) => createDuration(0.5, unit), 0.3],
  ['dur', '<a>? halbe|halben <unit>', (_, __: number, unit: Word) => createDuration(0.5, unit), 0.3],
  ['dur', '<a>? viertelstunde', () => createDuration(15, 'minute'), 0.3],
  ['dur', '<a>? dreiviertelstunde', () => createDuration(45, 'minute'), 0.3],
  ['dur', 'dreiviertel <unit>', (_, unit: Word) => createDuration(0.75, unit), 0.3],
  ['dur', 'anderthalb|eineinhalb <unit>', (_, unit: Word) => createDuration(1.5, unit), 0.3],
  ['dur', 'zweieinhalb <unit>', (_, unit: Word) => createDuration(2.5, unit), 0.3],
  ['dur', '<a>? quarter of? an|one? hour', () => createDuration(15, 'minute'), 0.3],
  ['dur', 'three quarters|quarter of? an|a? hour', () => createDuration(45, 'minute'), 0.4],
  [
    'dur',
    '<num> and <a>? half <unit>',
    (match, n: Num, _: number, unit: Word) => addHalf(match, n, unit),
    0.4,
  ],
  ['dur', '<num> <unit> and <a>? half', (match, n: Num, unit: Word) => addHalf(match, n, unit), 0.4],
  ['dur', '<a> <unit> and <a>? half', (_, __: number, unit: Word) => createDuration(1.5, unit), 0.4],
  [
    'dur',
    '<a> hour|day and a quarter',
    ({ tokens, to }) => createDuration(1.25, tokens[to - 4]?.text as Word),
    0.6,
  ],
  [
    'dur',
    '<num> <unit> and a quarter',
    (_, { n }: Num, unit: Word) => (unit === 'hour' ? createDuration(n + 0.25, unit) : undefined),
    0.6,
  ],
  ['dur', '<num> and <a> quarter|quarters of? <unit>', addQuarters, 0.4],
  ['dur', '<num> and <num>? quarter|quarters of? <unit>', addQuarters, 0.4],
  ['dur', '<dur> ,? and? <num>', addMinutes, 0],
  ['dur', '<dur> ,? and|und? <dur>', joinDurations, 0.2],
  [
    'dur',
    "<num> '",
    (_, { n, digits }: Num) => (digits > 0 && digits <= 3 ? createDuration(n, 'minute') : undefined),
    -0.2,
  ],
  ['dur', '<num> night', (_, { n }: Num) => createDuration(n, 'night'), 0.3],
  ['dur', 'all day', () => createDuration(1, 'day'), 0.2],
  ['dur', 'ganztägig', () => createDuration(1, 'day'), 0.2],
  ['dur', 'less than <dur>', withQualifier('less'), 0.2],
  ['dur', 'more than <dur>', withQualifier('more'), 0.2],
  ['dur', 'weniger als <dur>', withQualifier('less'), 0.2],
  ['dur', 'mehr als <dur>', withQualifier('more'), 0.2],
  ['dur', 'all week', () => createDuration(1, 'week'), 0.2],
  [
    'busy',
    '<num> business|working|work day|days',
    (_, { n }: Num) => ({ ...createDuration(n, 'day'), business: true }),
    0.3,
  ],
  ['busy', '<a> business|working day', () => ({ ...createDuration(1, 'day'), business: true }), 0.3],
  [
    'busy',
    '<num> werktage|werktagen|arbeitstage|arbeitstagen',
    (_, { n }: Num) => ({ ...createDuration(n, 'day'), business: true }),
    0.3,
  ],
)

const dayPart =
  (step: number) =>
  ({ context }: RuleMatch<Context>, name: PartName): When => ({
    date: { is: 'days', from: context.now.day + step, to: context.now.day + step + 1, grain: 'day' },
    time: part(name),
  })

/** "Movie night" is not a time. */
const isNoun = ({ tokens, from }: RuleMatch<Context>): boolean => {
  const [before, word] = [tokens[from - 1], tokens[from]]
  return word?.text === 'night' && before?.kind === 'word' && !isDateWord(before.text)
}

/** "Early on Thursday" is in the morning, "late on Thursday" in the evening. */
const toDayEdge = ({ context }: RuleMatch<Context>, edge: Edge, date: DatePart): When | undefined => {
  const at = daysOf(date, context.now)
  if (at?.grain !== 'day' || at.to - at.from !== 1 || edge === 'middle') return undefined
  return { date, time: part(edge === 'start' ? 'morning' : 'evening', edge) }
}

/** Rules for days, hours and parts of a day. */
export const dayPartRules = define(
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
  ['dayword', '2 moro|morrow|mrw', () => 1, 0.5],
  ['dayword', 'heute noch', () => 0, 0.2],
  ['dayword', 'noch heute', () => 0, 0.2],
  ['nowword', 'right now', () => 0, 0.1],
  ['nowword', 'at @the? moment|minute|present', () => 0, 0.5],
  ['nowword', 'at @the present time', () => 0, 0.5],

  ['lean', 'ganz|sehr|very|really|so <lean>', (_, edge: Edge) => edge],
  ['around', 'ca|circa .', () => 0],
  ['at', 'um @around', () => 0],
  ['to', 'bis zum|zu', () => 0],
  ['to', 'bis einschließlich|inklusive|einschl|inkl .|zum?', () => 0, 0.3],
  ['until', 'bis einschließlich|inklusive|einschl|inkl .|zum?', () => 0, 0.3],
  ['to', 'up to|until|through and including', () => 0, 0.3],
  ['to', 'auf den', () => 0],
  ['until', 'bis zum|zu|:', () => 0],
  [
    'when',
    '<dowpart>',
    (_, [dow, name]: [number, PartName]) => ({ date: { is: 'fields', dow }, time: part(name) }),
  ],
  ['partwhen', '<leanpart>', (_, [edge, name]: [Edge, PartName]) => timed(part(name, edge))],
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
  // A meal is a time only after certain words. In "lunch at noon" it is the activity.
  ['mealwhen', '@the? <meal>', (_, name: PartName) => timed(part(name))],
  ['partwhen', 'at|over|during @the? <meal>', (_, name: PartName) => timed(part(name)), 0.2],
  ['partwhen', '@at? <meal> time', (_, name: PartName) => timed(part(name)), 0.2],
  ['when', '@after <mealwhen>', bounded('after'), 0.3],
  ['when', '@before <mealwhen>', bounded('before'), 0.3],
  ['partwhen', '<part>', (match, name: PartName) => (isNoun(match) ? undefined : timed(part(name)))],
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
  ['when', '<lean> @on? <date>', toDayEdge, 0.3],
  ['when', '<date> ,? <lean>', (match, date: DatePart, edge: Edge) => toDayEdge(match, edge, date), 0.2],
  [
    'when',
    'mid <date>',
    (match, date: DatePart) => {
      const at = daysOf(date, match.context.now)
      return at?.grain === 'day' ? { date, time: part('noon') } : undefined
    },
    0.3,
  ],
)
