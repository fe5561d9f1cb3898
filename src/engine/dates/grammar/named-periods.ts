import { addMonths, dayOf, weekdayOf, weekStart, ymdOf } from '../calendar.ts'
import type { Place } from '../chart.ts'
import type { Num } from '../numbers.ts'
import { daysOf } from '../resolve.ts'
import type { DatePart, Days } from '../values.ts'
import { type Context, define } from './context.ts'
import { day, days } from './units.ts'

const numberedWeek = ({ context }: Place<Context>, { n, digits }: Num, year?: number): Days | undefined => {
  if (n < 1 || n > 53 || digits > 2) return undefined
  const start = weekStart(year ?? ymdOf(context.now.day).y, n)
  return days(start, start + 7, 'week')
}

const quarterOf = ({ context }: Place<Context>, n: number, year?: number): Days | undefined => {
  if (n < 1 || n > 4) return undefined
  const today = ymdOf(context.now.day)
  const start = dayOf(year ?? today.y, n * 3 - 2, 1)
  return days(start, addMonths(start, 3), 'quarter')
}

const halfOf = ({ context }: Place<Context>, n: number, year?: number): Days | undefined => {
  if (n < 1 || n > 2) return undefined
  const start = dayOf(year ?? ymdOf(context.now.day).y, n * 6 - 5, 1)
  return days(start, addMonths(start, 6), 'half')
}

const decadeOf = (_: Place<Context>, { n, digits }: Num): Days | undefined => {
  if (n % 10 !== 0 || (digits !== 4 && digits !== 2)) return undefined
  const start = digits === 2 ? (n < 30 ? 2000 : 1900) + n : n
  return days(dayOf(start, 1, 1), dayOf(start + 10, 1, 1), 'decade')
}

/** Astronomical seasons of the north, to the day. */
const seasonOf = ({ context }: Place<Context>, index: number, step = 0, year?: number): Days => {
  const inYear = (y: number): Days =>
    days(
      dayOf(y, index * 3, index === 1 ? 20 : 21),
      dayOf(y + (index === 4 ? 1 : 0), ((index * 3) % 12) + 3, index === 4 ? 20 : 21),
      'season',
    )
  const today = ymdOf(context.now.day)
  if (year !== undefined) return inYear(year)
  const current = inYear(today.y).to > context.now.day ? inYear(today.y) : inYear(today.y + 1)
  const started = current.from <= context.now.day
  return step === 0 ? current : inYear(ymdOf(current.from).y + (step > 0 ? (started ? 1 : 0) : -1))
}

interface Feast {
  name: string
  day: (year: number) => number
}

/** The four Sundays before Christmas. */
const adventSunday = (place: Place<Context>, n: number): Days | undefined =>
  n >= 1 && n <= 4
    ? feastIn(place, {
        name: 'advent',
        day: (year) => dayOf(year, 12, 25) - weekdayOf(dayOf(year, 12, 25)) - (4 - n) * 7,
      })
    : undefined

const feastIn = ({ context }: Place<Context>, feast: Feast, year?: number, step = 0): Days => {
  const { y } = ymdOf(context.now.day)
  const days = [y - 1, y, y + 1].map(feast.day)
  const at =
    year !== undefined
      ? feast.day(year)
      : step < 0
        ? days.findLast((found) => found < context.now.day)
        : days.find((found) => found >= context.now.day)
  return { ...day(at as number), name: feast.name }
}

const closest = ({ context }: Place<Context>, n: number, dow: number, part: DatePart): Days | undefined => {
  const at = daysOf(part, context.now)
  if (!at || n < 1 || n > 9) return undefined
  const ahead = (dow - weekdayOf(at.from) + 7) % 7
  const candidates = [-4, -3, -2, -1, 0, 1, 2, 3, 4].map((week) => at.from + ahead + week * 7)
  candidates.sort((a, b) => Math.abs(a - at.from) - Math.abs(b - at.from))
  return day(candidates[n - 1] as number)
}

/** Periods with a number or a name of their own: week 31, Q3, the nineties, summer, Easter. */
export const namedRules = define(
  ['date', 'week|kw|kalenderwoche . ? <num>', numberedWeek, 0.3],
  ['date', 'week|wk|cw|kw|kalenderwoche <num>', numberedWeek, 0.3],
  ['date', 'week|wk|cw|kw|kalenderwoche <num> /|@of <year>', numberedWeek, 0.5],
  ['date', '@the? <num> . kw|kalenderwoche', numberedWeek, 0.5],

  ['date', 'q <num> @of|/|-? <year>', (place, n: Num, year: number) => quarterOf(place, n.n, year), 0.5],
  ['date', '<year> /|-? q <num>', (place, year: number, n: Num) => quarterOf(place, n.n, year), 0.5],
  [
    'date',
    'q <num>',
    ({ context, tokens, to }, n: Num) =>
      tokens[to - 1]?.apart ? undefined : quarterOf({ context } as Place<Context>, n.n),
    0.2,
  ],
  ['date', '<year> /|-? h <num>', (place, year: number, n: Num) => halfOf(place, n.n, year), 0.5],
  ['date', 'h <num> @of|/|-? <year>', (place, n: Num, year: number) => halfOf(place, n.n, year), 0.5],
  ['date', '@the? <ord> quarter|qtr|quartal', (place, n: number) => quarterOf(place, n), 0.2],
  [
    'date',
    '@the? <ord> quarter|qtr|quartal @of? <year>',
    (place, n: number, year: number) => quarterOf(place, n, year),
    0.6,
  ],
  [
    'date',
    '<num> s',
    ({ tokens, to, context, from }, n: Num) =>
      n.digits === 4 || tokens[from - 1]?.text === 'in' || tokens[from - 1]?.text === 'the'
        ? decadeOf({ context, tokens, from, to }, n)
        : undefined,
    0.3,
  ],
  ['date', 'nineties', (place) => decadeOf(place, { n: 90, digits: 2 })],
  ['date', 'eighties', (place) => decadeOf(place, { n: 80, digits: 2 })],
  ['date', 'seventies', (place) => decadeOf(place, { n: 70, digits: 2 })],
  ['date', 'sixties', (place) => decadeOf(place, { n: 60, digits: 2 })],
  [
    'date',
    '<ord> century',
    (_, n: number) => days(dayOf((n - 1) * 100, 1, 1), dayOf(n * 100, 1, 1), 'century'),
    0.5,
  ],

  ['date', '<season>', (place, index: number) => seasonOf(place, index), -0.1],
  ['date', '<rel> <season>', (place, step: number, index: number) => seasonOf(place, index, step), 0.4],
  [
    'date',
    '<season> @of? <year>',
    (place, index: number, year: number) => seasonOf(place, index, 0, year),
    0.4,
  ],

  ['date', '<feast>', (place, feast: Feast) => feastIn(place, feast), 0.3],
  // "Labor Day weekend", "Easter weekend": with the days that make it longer.
  [
    'date',
    '<feast> weekend|wochenende',
    (place, feast: Feast) => {
      const { from, name } = feastIn(place, feast)
      const weekday = weekdayOf(from)
      const saturday = weekday < 3 ? from - weekday - 1 : from - weekday + 6
      const isNear = weekday === 1 || weekday > 4
      return isNear
        ? {
            ...{ is: 'days', grain: 'weekend' },
            from: Math.min(from, saturday),
            to: Math.max(from, saturday + 1) + 1,
            ...(name ? { name } : {}),
          }
        : undefined
    },
    0.6,
  ],
  [
    'date',
    '<num> . advent',
    (place, { n, digits }: Num) => (digits === 1 ? adventSunday(place, n) : undefined),
    0.9,
  ],
  ['date', '<ord> advent', adventSunday, 0.9],
  ['date', '<ord> sunday @of|in advent', adventSunday, 0.9],
  ['date', '<feast> @of? <year>', (place, feast: Feast, year: number) => feastIn(place, feast, year), 0.6],
  [
    'date',
    '<rel> <feast>',
    (place, step: number, feast: Feast) => feastIn(place, feast, undefined, step),
    0.5,
  ],
  [
    'date',
    '<feast> @of? <rel> year',
    (place, feast: Feast, step: number) => feastIn(place, feast, ymdOf(place.context.now.day).y + step),
    0.7,
  ],
  [
    'date',
    '@the? <ord>? closest|nearest <dow> to <date>',
    (place, n: number | undefined, dow: number, part: DatePart) => closest(place, n ?? 1, dow, part),
    0.6,
  ],
)
