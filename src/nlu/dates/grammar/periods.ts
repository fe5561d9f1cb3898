import { addMonths, dayOf, mondayOf, nthWeekday, weekdayOf, weekStart, ymdOf } from '../calendar.ts'
import type { RuleMatch } from '../chart.ts'
import { daysOf, shiftDay } from '../outcome.ts'
import type { DatePart, Days, Duration, Num, Unit } from '../values.ts'
import { type Context, day, days, define, unitAround, unitFromNow, type Word } from './durations.ts'

const shiftWorkdays = (from: number, n: number, step: 1 | -1): number => {
  let at = from
  for (let left = Math.min(n, 2000); left > 0; ) {
    at += step
    if (weekdayOf(at) < 6) left--
  }
  return at
}

/** Resolves "the last 3 weeks", counted from today. The current day is excluded. */
const countFromNow = (
  { context }: RuleMatch<Context>,
  step: number,
  duration: Duration,
): Days | undefined => {
  const { now } = context
  const sign = step < 0 ? -1 : 1
  if (duration.seconds !== 0 || step === 0) return undefined
  const count = { count: duration.n * sign }
  if (duration.business) {
    const end = shiftWorkdays(now.day, duration.n, sign)
    return sign > 0 ? days(now.day + 1, end + 1, 'day', count) : days(end, now.day, 'day', count)
  }
  if (duration.unit === 'quarter') {
    const { y, m } = ymdOf(now.day)
    const current = dayOf(y, m - ((m - 1) % 3), 1)
    return sign > 0
      ? days(addMonths(current, 3), addMonths(current, 3 + duration.n * 3), 'quarter', count)
      : days(addMonths(current, -duration.n * 3), current, 'quarter', count)
  }
  return sign > 0
    ? days(now.day + 1, shiftDay(now.day + 1, duration, 1), duration.unit, count)
    : days(shiftDay(now.day, duration, -1), now.day, duration.unit, count)
}

const isPlural = ({ tokens, to }: RuleMatch<Context>): boolean =>
  /(?:s|n|e)$/.test(tokens[to - 1]?.text ?? '') && !/(?:e|o)$/.test(tokens[to - 1]?.text ?? '')

/** "The coming weekend" is the first one ahead; "the coming week" is next week. */
const comingUnit = (match: RuleMatch<Context>, step: number, word: Word): DatePart | undefined => {
  const isWeekend = weekdayOf(match.context.now.day) > 5
  return unitFromNow(match, word === 'weekend' && step > 0 && !isWeekend ? 0 : step, word)
}

/** Rules for calendar periods. A bare period needs its article: "Have a great month" names none. */
export const periodRules = define(
  ['unit', 'week - end', () => 'weekend', 0.3],
  ['date', '<rel> calendar|working|work? <unit>', unitFromNow, 0.3],
  ['thismonth', '<rel> month', ({ context }, step: number) => unitAround(context.now.day, 'month', step)],
  ['date', '<coming> <unit>', comingUnit, 0.3],
  ['date', 'this <coming> <unit>', comingUnit, 0.5],
  [
    'date',
    '@the <rel> <unit>',
    (match, step: number, word: Word) =>
      word === 'day' || word === 'decade' ? unitFromNow(match, step, word) : undefined,
    0.4,
  ],
  ['date', 'this <unit> <coming>', (match, word: Word, step: number) => comingUnit(match, step, word), 0.3],
  [
    'ofdate',
    '@the <unit>',
    (match, word: Word) =>
      word === 'day'
        ? unitFromNow(match, 0, word)
        : ['week', 'month', 'quarter', 'year', 'weekend'].includes(word)
          ? unitFromNow(match, 0, word)
          : undefined,
  ],
  [
    'ofdate',
    '<unit>',
    (match, word: Word) =>
      ['week', 'month', 'quarter', 'year'].includes(word) ? unitFromNow(match, 0, word) : undefined,
    -0.2,
  ],
  ['ofdate', '<date>', (_, date: DatePart) => date],
  ['ofdate', '<yearonly>', (_, date: DatePart) => date],
  ['ofdate', '@the <date>', (_, date: DatePart) => date],
  ['ofdate', 'around <date>', (_, date: DatePart) => date],
  [
    'date',
    '@the week|weekend|year',
    ({ context, tokens, to }) => unitAround(context.now.day, tokens[to - 1]?.text as Word, 0),
    -0.1,
  ],
  ['date', '@on|@the|übers|zum wochenende', ({ context }) => unitAround(context.now.day, 'weekend', 0), 0.1],
  ['date', '@the week after next', ({ context }) => unitAround(context.now.day, 'week', 2), 1],
  [
    'date',
    '@the? übernächste|übernächsten <unit>',
    ({ context }, word: Word) => unitAround(context.now.day, word, 2),
    1,
  ],
  ['date', '<rel> <dur>', countFromNow, 0.3],
  ['date', '<coming> <dur>', countFromNow, 0.3],
  ['date', '<rel> <busy>', countFromNow, 0.4],
  [
    'date',
    '<num> <rel> <unit>',
    (match, { n }: Num, step: number, word: Word) =>
      !isPlural(match)
        ? undefined
        : countFromNow(match, step, {
            months: word === 'month' ? n : word === 'year' ? n * 12 : 0,
            days: word === 'day' ? n : word === 'week' ? n * 7 : 0,
            seconds: 0,
            unit: word as Unit,
            n,
          }),
    0.3,
  ],
  [
    'date',
    '<num> <coming> <unit>',
    (match, { n }: Num, step: number, word: Word) =>
      countFromNow(match, step, {
        months: word === 'month' ? n : word === 'year' ? n * 12 : 0,
        days: word === 'day' ? n : word === 'week' ? n * 7 : 0,
        seconds: 0,
        unit: word as Unit,
        n,
      }),
    0.3,
  ],
)

const resolveWeek = (
  { context }: RuleMatch<Context>,
  { n, digits }: Num,
  year?: number,
): Days | undefined => {
  if (n < 1 || n > 53 || digits > 2) return undefined
  const start = weekStart(year ?? ymdOf(context.now.day).y, n)
  return days(start, start + 7, 'week')
}

const resolveQuarter = ({ context }: RuleMatch<Context>, n: number, year?: number): Days | undefined => {
  if (n < 1 || n > 4) return undefined
  const today = ymdOf(context.now.day)
  const start = dayOf(year ?? today.y, n * 3 - 2, 1)
  return days(start, addMonths(start, 3), 'quarter')
}

const resolveHalfYear = ({ context }: RuleMatch<Context>, n: number, year?: number): Days | undefined => {
  if (n < 1 || n > 2) return undefined
  const start = dayOf(year ?? ymdOf(context.now.day).y, n * 6 - 5, 1)
  return days(start, addMonths(start, 6), 'half')
}

const resolveDecade = (_: RuleMatch<Context>, { n, digits }: Num): Days | undefined => {
  if (n % 10 !== 0 || (digits !== 4 && digits !== 2)) return undefined
  const start = digits === 2 ? (n < 30 ? 2000 : 1900) + n : n
  return days(dayOf(start, 1, 1), dayOf(start + 10, 1, 1), 'decade')
}

/** Returns an astronomical season of the northern hemisphere, to the day. */
const resolveSeason = ({ context }: RuleMatch<Context>, index: number, step = 0, year?: number): Days => {
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

interface Holiday {
  name: string
  day: (year: number) => number
}

/** Returns one of the four Sundays before Christmas. */
const adventSunday = (match: RuleMatch<Context>, n: number): Days | undefined =>
  n >= 1 && n <= 4
    ? resolveHoliday(match, {
        name: 'advent',
        day: (year) => dayOf(year, 12, 25) - weekdayOf(dayOf(year, 12, 25)) - (4 - n) * 7,
      })
    : undefined

const resolveHoliday = ({ context }: RuleMatch<Context>, holiday: Holiday, year?: number, step = 0): Days => {
  const { y } = ymdOf(context.now.day)
  const days = [y - 1, y, y + 1].map(holiday.day)
  const at =
    year !== undefined
      ? holiday.day(year)
      : step < 0
        ? days.findLast((found) => found < context.now.day)
        : days.find((found) => found >= context.now.day)
  return { ...day(at as number), name: holiday.name }
}

const findClosestWeekday = (
  { context }: RuleMatch<Context>,
  n: number,
  dow: number,
  part: DatePart,
): Days | undefined => {
  const at = daysOf(part, context.now)
  if (!at || n < 1 || n > 9) return undefined
  const ahead = (dow - weekdayOf(at.from) + 7) % 7
  const candidates = [-4, -3, -2, -1, 0, 1, 2, 3, 4].map((week) => at.from + ahead + week * 7)
  candidates.sort((a, b) => Math.abs(a - at.from) - Math.abs(b - at.from))
  return day(candidates[n - 1] as number)
}

/** Rules for periods with a number or a name: week 31, Q3, the nineties, summer, Easter. */
export const namedRules = define(
  ['date', 'week|kw|kalenderwoche . ? <num>', resolveWeek, 0.3],
  ['date', 'week|wk|cw|kw|kalenderwoche <num>', resolveWeek, 0.3],
  ['date', 'week|wk|cw|kw|kalenderwoche <num> /|@of <year>', resolveWeek, 0.5],
  ['date', '@the? <num> . kw|kalenderwoche', resolveWeek, 0.5],

  ['date', 'q <num> @of|/|-? <year>', (match, n: Num, year: number) => resolveQuarter(match, n.n, year), 0.5],
  ['date', '<year> /|-? q <num>', (match, year: number, n: Num) => resolveQuarter(match, n.n, year), 0.5],
  [
    'date',
    'q <num>',
    ({ context, tokens, to }, n: Num) =>
      tokens[to - 1]?.spaceBefore ? undefined : resolveQuarter({ context } as RuleMatch<Context>, n.n),
    0.2,
  ],
  ['date', '<year> /|-? h <num>', (match, year: number, n: Num) => resolveHalfYear(match, n.n, year), 0.5],
  [
    'date',
    'h <num> @of|/|-? <year>',
    (match, n: Num, year: number) => resolveHalfYear(match, n.n, year),
    0.5,
  ],
  ['date', '@the? <ord> quarter|qtr|quartal', (match, n: number) => resolveQuarter(match, n), 0.2],
  [
    'date',
    '@the? <ord> quarter|qtr|quartal @of? <year>',
    (match, n: number, year: number) => resolveQuarter(match, n, year),
    0.6,
  ],
  [
    'date',
    '<num> s',
    ({ tokens, to, context, from }, n: Num) =>
      n.digits === 4 || tokens[from - 1]?.text === 'in' || tokens[from - 1]?.text === 'the'
        ? resolveDecade({ context, tokens, from, to }, n)
        : undefined,
    0.3,
  ],
  ['date', 'nineties', (match) => resolveDecade(match, { n: 90, digits: 2 })],
  ['date', 'eighties', (match) => resolveDecade(match, { n: 80, digits: 2 })],
  ['date', 'seventies', (match) => resolveDecade(match, { n: 70, digits: 2 })],
  ['date', 'sixties', (match) => resolveDecade(match, { n: 60, digits: 2 })],
  [
    'date',
    '<ord> century',
    (_, n: number) => days(dayOf((n - 1) * 100, 1, 1), dayOf(n * 100, 1, 1), 'century'),
    0.5,
  ],

  ['date', '<season>', (match, index: number) => resolveSeason(match, index), -0.1],
  ['date', '<rel> <season>', (match, step: number, index: number) => resolveSeason(match, index, step), 0.4],
  [
    'date',
    '<season> @of? <year>',
    (match, index: number, year: number) => resolveSeason(match, index, 0, year),
    0.4,
  ],

  ['date', '<feast>', (match, holiday: Holiday) => resolveHoliday(match, holiday), 0.3],
  // A long weekend includes the holiday: "Labor Day weekend", "Easter weekend".
  [
    'date',
    '<feast> weekend|wochenende',
    (match, holiday: Holiday) => {
      const { from, name } = resolveHoliday(match, holiday)
      const weekday = weekdayOf(from)
      const saturday = weekday < 3 ? from - weekday - 1 : from - weekday + 6
      const isNear = weekday === 1 || weekday > 4
      return isNear
        ? {
            is: 'days',
            grain: 'weekend',
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
    (match, { n, digits }: Num) => (digits === 1 ? adventSunday(match, n) : undefined),
    0.9,
  ],
  ['date', '<ord> advent', adventSunday, 0.9],
  ['date', '<ord> sunday @of|in advent', adventSunday, 0.9],
  [
    'date',
    '<feast> @of? <year>',
    (match, holiday: Holiday, year: number) => resolveHoliday(match, holiday, year),
    0.6,
  ],
  [
    'date',
    '<rel> <feast>',
    (match, step: number, holiday: Holiday) => resolveHoliday(match, holiday, undefined, step),
    0.5,
  ],
  [
    'date',
    '<feast> @of? <rel> year',
    (match, holiday: Holiday, step: number) =>
      resolveHoliday(match, holiday, ymdOf(match.context.now.day).y + step),
    0.7,
  ],
  [
    'date',
    '@the? <ord>? closest|nearest <dow> to <date>',
    (match, n: number | undefined, dow: number, part: DatePart) =>
      findClosestWeekday(match, n ?? 1, dow, part),
    0.6,
  ],
)

/** Returns the n-th unit within a period. A negative `n` counts from its end. */
const findNth = (context: Context, n: number, word: Word, part: DatePart): Days | undefined => {
  const whole = daysOf(part, context.now)
  if (!whole || whole.edge || n === 0) return undefined
  const { from, to } = whole
  let start: number
  switch (word) {
    case 'day':
      start = n > 0 ? from + n - 1 : to + n
      return start >= from && start < to ? day(start) : undefined
    case 'week': {
      const { y } = ymdOf(from)
      if (whole.grain === 'year') {
        start = n > 0 ? weekStart(y, n) : weekStart(y + 1, 1) + n * 7
      } else {
        // A week belongs to the month that contains its Thursday.
        const first = mondayOf(from + 3)
        const last = mondayOf(to - 1) + 3 < to ? mondayOf(to - 1) : mondayOf(to - 1) - 7
        start = n > 0 ? first + (n - 1) * 7 : last + (n + 1) * 7
      }
      return days(start, start + 7, 'week')
    }
    case 'month':
      start = n > 0 ? addMonths(from, n - 1) : addMonths(to, n)
      return start >= from && start < to ? days(start, addMonths(start, 1), 'month') : undefined
    case 'quarter':
      start = n > 0 ? addMonths(from, (n - 1) * 3) : addMonths(to, n * 3)
      return start >= from && start < to ? days(start, addMonths(start, 3), 'quarter') : undefined
    default:
      return undefined
  }
}

const takeOrdinal =
  (sign: 1 | -1) =>
  ({ context }: RuleMatch<Context>, n: number, word: Word, part: DatePart): Days | undefined =>
    findNth(context, n * sign, word, part)

const takeUnits =
  (sign: 1 | -1) =>
  ({ context }: RuleMatch<Context>, { n, unit }: Duration, part: DatePart): Days | undefined => {
    const whole = daysOf(part, context.now)
    const [a, b] = sign > 0 ? [1, n] : [-n, -1]
    if (!whole || whole.edge || n < 1) return undefined
    const [first, last] = [findNth(context, a, unit as Word, part), findNth(context, b, unit as Word, part)]
    return first && last ? days(first.from, last.to, unit) : undefined
  }

const findWeekdayInMonth =
  (sign: 1 | -1) =>
  ({ context }: RuleMatch<Context>, n: number, dow: number, part: DatePart): Days | undefined => {
    const whole = daysOf(part, context.now)
    if (whole?.grain !== 'month' || n < 1 || n > 5) return undefined
    const { y, m } = ymdOf(whole.from)
    const found = nthWeekday(y, m, dow, n * sign)
    return found >= whole.from && found < whole.to ? day(found) : undefined
  }

const halfOfPeriod = (match: RuleMatch<Context>, n: number, part: DatePart): Days | undefined => {
  const { now } = match.context
  const whole = daysOf(part, now)
  if (!whole || whole.edge || n > 2 || whole.to - whole.from < 2) return undefined
  const middle =
    whole.grain === 'year' ? addMonths(whole.from, 6) : whole.from + Math.floor((whole.to - whole.from) / 2)
  // If the first half of a month is over, the expression means the next year.
  if (n === 1 && middle <= now.day && part.is === 'fields' && part.y === undefined && !part.toward)
    return halfOfPeriod(match, n, { ...part, y: ymdOf(whole.from).y + 1 })
  return n === 1 ? days(whole.from, middle, 'half') : days(middle, whole.to, 'half')
}

const halfOfUnit = (match: RuleMatch<Context>, n: number, word: Word): Days | undefined => {
  const whole = unitFromNow(match, 0, word)
  return whole && halfOfPeriod(match, n, whole)
}

const findWorkday = ({ context }: RuleMatch<Context>, sign: 1 | -1, part: DatePart): Days | undefined => {
  const whole = daysOf(part, context.now)
  if (!whole || whole.edge || whole.to - whole.from < 7) return undefined
  let at = sign > 0 ? whole.from : whole.to - 1
  while (weekdayOf(at) > 5) at += sign
  return day(at)
}

const resolveWeekOf = ({ context }: RuleMatch<Context>, part: DatePart): Days | undefined => {
  const at = daysOf(part, context.now)
  return at && at.grain === 'day' ? days(mondayOf(at.from), mondayOf(at.from) + 7, 'week') : undefined
}

const resolveWeekendOf = ({ context }: RuleMatch<Context>, part: DatePart): Days | undefined => {
  const at = daysOf(part, context.now)
  if (!at) return undefined
  // Picks the weekend nearest to the day. For a Monday, this is the preceding one.
  const saturday = mondayOf(at.from - 2) + 5
  return days(saturday, saturday + 2, 'weekend')
}

/** Rules for the n-th or last unit within a period. */
export const nthRules = define(
  ['date', '@the? <ord> <unit> @of <ofdate>', takeOrdinal(1), 0.6],
  [
    'date',
    '@the? last|letzter|letzten working|business|werktag day? @of|@the <ofdate>',
    (match, part: DatePart) => findWorkday(match, -1, part),
    1,
  ],
  [
    'date',
    '@the? first|erster|ersten working|business|werktag day? @of|@the <ofdate>',
    (match, part: DatePart) => findWorkday(match, 1, part),
    1,
  ],
  ['date', '@the? <ord> half|hälfte @of|@the <ofdate>', halfOfPeriod, 0.6],
  [
    'date',
    '@the? <ord> <monthhalf>',
    (match, n: number, m: number) => halfOfPeriod(match, n, { is: 'fields', m }),
    0.6,
  ],
  ['date', '@the? <ord> <unithalf>', halfOfUnit, 0.6],
  [
    'date',
    '@the? last <unit> @of <ofdate>',
    (match, word: Word, part: DatePart) => takeOrdinal(-1)(match, 1, word, part),
    0.7,
  ],
  [
    'date',
    '@the? letzte|letzten|letzter <unit> @of|@the <ofdate>',
    (match, word: Word, part: DatePart) => takeOrdinal(-1)(match, 1, word, part),
    0.7,
  ],
  ['date', '@the? <ord> last <unit> @of <ofdate>', takeOrdinal(-1), 0.7],
  ['date', '@the? last <dur> @of <ofdate>', takeUnits(-1), 0.6],
  ['date', '@the? first <dur> @of <ofdate>', takeUnits(1), 0.6],
  ['date', '@the? <ord> <dow> @of <ofdate>', findWeekdayInMonth(1), 1.5],
  [
    'date',
    '@the? last <dow> @of <ofdate>',
    (match, dow: number, part: DatePart) => findWeekdayInMonth(-1)(match, 1, dow, part),
    1.5,
  ],
  [
    'date',
    '@the? letzte|letzten|letzter <dow> @of|@the <ofdate>',
    (match, dow: number, part: DatePart) => findWeekdayInMonth(-1)(match, 1, dow, part),
    1.5,
  ],
  [
    'date',
    '<ord> week @of <ofdate> @on? <dow>',
    ({ context }, n: number, part: DatePart, dow: number) =>
      findWeekdayInMonth(1)({ context } as RuleMatch<Context>, n, dow, part),
    0.8,
  ],
  [
    'date',
    '@the? <ord> month @of <ofdate>',
    (match, n: number, part: DatePart) => takeOrdinal(1)(match, n, 'month', part),
    0.6,
  ],

  ['date', '@the? week of|commencing|starting|beginning|vom @the? <date>', resolveWeekOf, 0.6],
  ['date', '@the? woche vom|ab @the? <date>', resolveWeekOf, 0.6],
  ['date', '@the? week of @the? <ordday>', resolveWeekOf, 0.5],
  ['date', '@the? weekend of @the? <date>', resolveWeekendOf, 0.6],
)
