import type { Place } from '../chart.ts'
import { UNIT_DAYS } from '../lexicon.ts'
import type { Num } from '../numbers.ts'
import type { Duration, Unit } from '../values.ts'
import { type Context, define } from './context.ts'

type Word = Unit | 'fortnight' | 'night'

const SECONDS: Partial<Record<Word, number>> = { second: 1, minute: 60, hour: 3600 }
const MONTHS: Partial<Record<Word, number>> = {
  month: 1,
  quarter: 3,
  half: 6,
  year: 12,
  decade: 120,
  century: 1200,
}

/** So many of a unit; half a day is twelve hours, half a month fifteen days. */
export const lasting = (n: number, word: Word): Duration => {
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

const plus = (a: Duration, b: Duration): Duration => ({
  months: a.months + b.months,
  days: a.days + b.days,
  seconds: a.seconds + b.seconds,
  unit: b.unit,
  n: b.n,
})

const SIZES: readonly Unit[] = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year']

const joined = (_: Place<Context>, a: Duration, b: Duration): Duration | undefined =>
  SIZES.indexOf(b.unit) < SIZES.indexOf(a.unit) ? plus(a, b) : undefined

const counted = (_: Place<Context>, { n, digits }: Num, unit: Word): Duration | undefined =>
  digits > 6 || unit === 'season' ? undefined : lasting(n, unit)

const halves = (_: Place<Context>, { n }: Num, unit: Word): Duration => lasting(n + 0.5, unit)

/** "2 hours ten", "1 hour and thirty": minutes, when the hour is not yet full. */
const andMinutes = (_: Place<Context>, a: Duration, { n }: Num): Duration | undefined =>
  a.unit === 'hour' && n > 0 && n < 60 ? plus(a, lasting(n, 'minute')) : undefined

const quarters = (_: Place<Context>, whole: Num, count: Num | number | undefined, unit: Word): Duration =>
  lasting(whole.n + 0.25 * (typeof count === 'number' ? count : (count?.n ?? 1)), unit)

const qualified =
  (around: NonNullable<Duration['around']>) =>
  (_: Place<Context>, duration: Duration): Duration => ({ ...duration, around })

export const durationRules = define(
  ['dur', '<num> <unit>', counted, 0.2],
  ['dur', '<num> - <unit>', counted, 0.1],
  ['dur', '<num> more|additional|extra|less|full|whole|straight|weitere|free <unit>', counted, 0.2],
  ['dur', '<decimal> <unit>', (_, n: number, unit: Word) => lasting(n, unit), 0.3],
  ['dur', '<a> <unit>', (_, n: number, unit: Word) => lasting(n, unit), 0.1],
  ['dur', '<a> <few> of? <unit>', (_, __: number, n: number, unit: Word) => lasting(n, unit), 0.2],
  ['dur', '<few> of? <unit>', (_, n: number, unit: Word) => lasting(n, unit), 0],
  ['dur', 'ein <few> <unit>', (_, n: number, unit: Word) => lasting(n, unit), 0.2],
  ['dur', 'half <a> <unit>', (_, __: number, unit: Word) => lasting(0.5, unit), 0.3],
  ['dur', '<a> half <unit>', (_, __: number, unit: Word) => lasting(0.5, unit), 0.3],
  ['dur', '<a> half - <unit>', (_, __: number, unit: Word) => lasting(0.5, unit), 0.3],
  ['dur', '<a>? halbe|halben <unit>', (_, __: number, unit: Word) => lasting(0.5, unit), 0.3],
  ['dur', '<a>? viertelstunde', () => lasting(15, 'minute'), 0.3],
  ['dur', '<a>? dreiviertelstunde', () => lasting(45, 'minute'), 0.3],
  ['dur', 'dreiviertel <unit>', (_, unit: Word) => lasting(0.75, unit), 0.3],
  ['dur', 'anderthalb|eineinhalb <unit>', (_, unit: Word) => lasting(1.5, unit), 0.3],
  ['dur', 'zweieinhalb <unit>', (_, unit: Word) => lasting(2.5, unit), 0.3],
  ['dur', '<a>? quarter of? an|one? hour', () => lasting(15, 'minute'), 0.3],
  ['dur', 'three quarters|quarter of? an|a? hour', () => lasting(45, 'minute'), 0.4],
  [
    'dur',
    '<num> and <a>? half <unit>',
    (place, n: Num, _: number, unit: Word) => halves(place, n, unit),
    0.4,
  ],
  ['dur', '<num> <unit> and <a>? half', (place, n: Num, unit: Word) => halves(place, n, unit), 0.4],
  ['dur', '<a> <unit> and <a>? half', (_, __: number, unit: Word) => lasting(1.5, unit), 0.4],
  ['dur', '<a> hour|day and a quarter', ({ tokens, to }) => lasting(1.25, tokens[to - 4]?.text as Word), 0.6],
  [
    'dur',
    '<num> <unit> and a quarter',
    (_, { n }: Num, unit: Word) => (unit === 'hour' ? lasting(n + 0.25, unit) : undefined),
    0.6,
  ],
  ['dur', '<num> and <a> quarter|quarters of? <unit>', quarters, 0.4],
  ['dur', '<num> and <num>? quarter|quarters of? <unit>', quarters, 0.4],
  ['dur', '<dur> ,? and? <num>', andMinutes, 0],
  ['dur', '<dur> ,? and|und? <dur>', joined, 0.2],
  [
    'dur',
    "<num> '",
    (_, { n, digits }: Num) => (digits > 0 && digits <= 3 ? lasting(n, 'minute') : undefined),
    -0.2,
  ],
  ['dur', '<num> night', (_, { n }: Num) => lasting(n, 'night'), 0.3],
  ['dur', 'all day', () => lasting(1, 'day'), 0.2],
  ['dur', 'ganztägig', () => lasting(1, 'day'), 0.2],
  ['dur', 'less than <dur>', qualified('less'), 0.2],
  ['dur', 'more than <dur>', qualified('more'), 0.2],
  ['dur', 'weniger als <dur>', qualified('less'), 0.2],
  ['dur', 'mehr als <dur>', qualified('more'), 0.2],
  ['dur', 'all week', () => lasting(1, 'week'), 0.2],
  [
    'busy',
    '<num> business|working|work day|days',
    (_, { n }: Num) => ({ ...lasting(n, 'day'), business: true }),
    0.3,
  ],
  ['busy', '<a> business|working day', () => ({ ...lasting(1, 'day'), business: true }), 0.3],
  [
    'busy',
    '<num> werktage|werktagen|arbeitstage|arbeitstagen',
    (_, { n }: Num) => ({ ...lasting(n, 'day'), business: true }),
    0.3,
  ],
)
