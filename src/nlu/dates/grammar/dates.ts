import type { RuleMatch } from '../chart.ts'
import { isDateWord, lexemesOf } from '../lexicon.ts'
import { mergeDates } from '../outcome.ts'
import type { DatePart, Fields, Num } from '../values.ts'
import { type Context, day, define } from './durations.ts'

const fields = (value: Omit<Fields, 'is'>): Fields => ({ is: 'fields', ...value })
const isDay = (n: number): boolean => n >= 1 && n <= 31

/** A day of the month in digits: "13", not "2013" and not "007". */
const dayNumber = ({ n, digits }: Num): number | undefined => (isDay(n) && digits <= 2 ? n : undefined)

const monthDay = (_: RuleMatch<Context>, month: number, day: Num | number): Fields | undefined => {
  const d = typeof day === 'number' ? day : dayNumber(day)
  return d === undefined || !isDay(d) ? undefined : fields({ m: month, d })
}
const dayMonth = (match: RuleMatch<Context>, day: Num | number, month: number): Fields | undefined =>
  monthDay(match, month, day)

const toYear = (year: Num | number): number | undefined => {
  if (typeof year === 'number') return year
  if (year.digits !== 2) return undefined
  return year.n < 70 ? 2000 + year.n : 1900 + year.n
}

const withYear = (
  _: RuleMatch<Context>,
  date: DatePart | undefined,
  year: Num | number,
): DatePart | undefined => {
  const y = toYear(year)
  if (date?.is !== 'fields' || y === undefined || date.m === undefined) return undefined
  return mergeDates(date, fields({ y }))
}

const mergeDateParts = (_: RuleMatch<Context>, a: DatePart, b: DatePart): DatePart | undefined =>
  mergeDates(a, b)

const toward =
  (direction?: -1 | 0 | 1) =>
  (_: RuleMatch<Context>, rel: -1 | 0 | 1, date: DatePart): DatePart | undefined => {
    if (date.is !== 'fields' || date.y !== undefined || date.toward !== undefined) return undefined
    // In "next Friday 5/12" the date decides, and "next" applies to the weekday.
    return { ...date, toward: direction ?? rel }
  }

/** "The coming Thursday" is the first one after today, "the past Thursday" the last one before it. */
const findNearestWeekday = (
  { context }: RuleMatch<Context>,
  direction: 1 | -1,
  date: DatePart,
): DatePart | undefined => {
  if (date.is !== 'fields' || date.dow === undefined || date.m !== undefined || date.d !== undefined)
    return undefined
  const today = ((((context.now.day + 3) % 7) + 7) % 7) + 1
  const ahead = (date.dow - today + 7) % 7 || 7
  const day = direction === 1 ? context.now.day + ahead : context.now.day - ((today - date.dow + 7) % 7 || 7)
  return { is: 'days', from: day, to: day + 1, grain: 'day' }
}

/** Digits with a point are a date in a short text or after a preposition of time. */
const standsAlone = ({ context, tokens, from }: RuleMatch<Context>): boolean => {
  const before = tokens[from - 1]
  if (before && /^(?:on|am|den|vom|bis|zum|by|ab)$/.test(before.text)) return true
  return context.words <= 14 && (before?.kind !== 'word' || isDateWord(before.text))
}

const NOUNS = new Set(['month', 'dow', 'unit', 'part', 'monthhalf', 'unithalf'])

const isGermanOrdinal = ({ tokens, from, to }: RuleMatch<Context>): boolean => {
  const next = tokens[to]
  if (next === undefined) return /^(?:den|dem|auf|bis)$/.test(tokens[from - 1]?.text ?? '')
  const lexemes = lexemesOf(next.text)
  return next.capitalized ? lexemes.some(([kind]) => NOUNS.has(kind)) : lexemes.length > 0
}

export const dateRules = define(
  [
    'date',
    '<dayword>',
    ({ context }, n: number) => ({
      is: 'days',
      from: context.now.day + n,
      to: context.now.day + n + 1,
      grain: 'day',
    }),
  ],
  ['date', '@the? day after tomorrow', ({ context }) => day(context.now.day + 2), 1],
  ['date', '@the? day before yesterday', ({ context }) => day(context.now.day - 2), 1],
  ['date', '@the next day', ({ context }) => day(context.now.day + 1), 1],
  ['date', '@the day after', ({ context }) => day(context.now.day + 1)],
  ['date', '<dow> .?', (_, dow: number) => fields({ dow })],
  [
    'date',
    '<dowshort> .|, <digitdate>',
    (_, dow: number, date: Fields) => mergeDates(fields({ dow }), date),
    0.3,
  ],
  [
    'date',
    '<dowshort> <digitdate>',
    (_, dow: number, date: Fields) => mergeDates(fields({ dow }), date),
    0.2,
  ],
  [
    'date',
    '<dowshort> .|, <monthdate>',
    (_, dow: number, date: Fields) => mergeDates(fields({ dow }), date),
    0.3,
  ],
  ['digitdate', '<dotted>', (_, date: Fields) => date],
  ['digitdate', '<dotday>', (_, date: Fields) => date],
  ['digitdate', '<slashed>', (_, date: Fields) => date],
  ['date', '<dotday>', (_, date: Fields) => date],
  // "12.10" may be a price or a version. It is a date only in a short text or after certain words.
  ['date', '<dotted>', (match, date: Fields) => (standsAlone(match) ? date : undefined)],
  [
    'date',
    '<dow> ,|.? @on|den? <dotted>',
    (_, dow: number, date: Fields) => mergeDates(fields({ dow }), date),
    0.3,
  ],
  [
    'date',
    '<rel> <dow> ,? <dotted>',
    (_, __: number, dow: number, date: Fields) => mergeDates(fields({ dow }), { ...date, toward: 0 }),
    0.3,
  ],
  ['date', '<dotted> ,? <dow>', (_, date: Fields, dow: number) => mergeDates(fields({ dow }), date), 0.3],
  ['date', '<dashed>', ({ context }, date: Fields) => (context.words <= 4 ? date : undefined)],

  ['monthdate', '<month> .? @the? <ord>', monthDay, 0.3],
  ['monthdate', '<month> , <ord>', monthDay, 0.1],
  ['monthdate', '<month> .? <num>', monthDay, 0.1],
  ['sepdate', '<month> /|- <num>', monthDay, 0.1],
  ['monthdate', '@the? <ord> @of? <month> .?', dayMonth, 0.3],
  ['monthdate', '@the? <ord> day @of <month>', dayMonth, 0.4],
  ['monthdate', '@the? <num> of? <month> .?', dayMonth, 0.1],
  ['sepdate', '<num> /|- <month>', dayMonth, 0.1],
  ['monthdate', '<sepdate>', (_, date: Fields) => date],
  [
    'monthdate',
    '@the ides of <month>',
    (_, m: number) => fields({ m, d: [3, 5, 7, 10].includes(m) ? 15 : 13 }),
    1,
  ],
  ['date', '<monthdate>', (_, date: Fields) => date],
  ['yeardate', '<monthdate> ,? @of? <year>', withYear, 0.5],
  ['yeardate', '<monthdate> /|- <year>', withYear, 0.5],
  ['yeardate', '<monthdate> @of? <shortyear>', withYear, 0.5],
  [
    'yeardate',
    '<sepdate> /|- <num>',
    (match, date: Fields, year: Num) => (year.digits === 2 ? withYear(match, date, year) : undefined),
    0.3,
  ],
  // Without spaces "03-May-26" is a date, not a range.
  [
    'yeardate',
    '<sepdate> - <num>',
    (match, date: Fields, year: Num) =>
      year.digits === 2 &&
      !match.tokens.slice(match.from + 1, match.to).some(({ spaceBefore }) => spaceBefore)
        ? withYear(match, date, year)
        : undefined,
    1.2,
  ],
  [
    'yeardate',
    '<monthdate> <num>',
    (match, date: Fields, year: Num) => (year.digits === 2 ? withYear(match, date, year) : undefined),
    -0.2,
  ],
  [
    'yeardate',
    '<year> /|- <month> /|- <num>',
    (match, y: number, m: number, d: Num) => withYear(match, monthDay(match, m, d), y),
    0.5,
  ],
  [
    'yeardate',
    '<year> /|- <num> /|- <month>',
    (match, y: number, d: Num, m: number) => withYear(match, monthDay(match, m, d), y),
    0.5,
  ],
  [
    'yeardate',
    '<num> /|- <year> /|- <month>',
    (match, d: Num, y: number, m: number) => withYear(match, monthDay(match, m, d), y),
    0.5,
  ],
  ['date', '<yeardate>', (_, date: Fields) => date],
  [
    'date',
    '<date> <year>',
    (_, date: DatePart, y: number) =>
      date.is === 'fields' && date.digits && date.y === undefined
        ? mergeDates(date, fields({ y }))
        : undefined,
    0.3,
  ],
  [
    'date',
    '<date> , <year>',
    (_, date: DatePart, y: number) =>
      date.is === 'fields' && date.digits && date.y === undefined
        ? mergeDates(date, fields({ y }))
        : undefined,
    0.3,
  ],

  ['date', '<month> ,? @of? <year>', (_, m: number, y: number) => fields({ m, y }), 0.3],
  ['date', '<month> /|- <year>', (_, m: number, y: number) => fields({ m, y }), 0.3],
  ['date', '<month> @of? <shortyear>', (_, m: number, y: number) => fields({ m, y }), 0.3],
  [
    'date',
    '<month> of <num>',
    (_, m: number, year: Num) => {
      const y = toYear(year)
      return y === undefined ? undefined : fields({ m, y })
    },
    0.3,
  ],
  ['date', '<month>', (_, m: number) => fields({ m })],
  ['date', 'year|cy <year>', (_, y: number) => fields({ y }), 0.3],
  [
    'date',
    'cy <num>',
    (_, year: Num) => {
      const y = toYear(year)
      return y === undefined ? undefined : fields({ y })
    },
    0.3,
  ],
  ['date', 'in <num> a . d .?', (_, { n }: Num) => fields({ y: n }), 1],
  ['yearonly', '<year>', (_, y: number) => fields({ y })],

  [
    'date',
    'am|für|auf den? <num> .',
    (_, d: Num) => (dayNumber(d) && d.digits > 0 ? fields({ d: d.n }) : undefined),
    0.1,
  ],
  ['date', '@the <ord>', (_, d: number) => (isDay(d) ? fields({ d }) : undefined), 0.2],
  ['date', '@on <ord>', (_, d: number) => (isDay(d) ? fields({ d }) : undefined), 0.1],
  // German: "der 28. Juni", "jeden 2. Dienstag". Elsewhere the point ends a sentence.
  [
    'ord',
    '<num> .',
    (match, { n, digits }: Num) => (digits > 0 && digits <= 2 && isGermanOrdinal(match) ? n : undefined),
    0.1,
  ],
  ['ordday', '@the? <ord>', (_, d: number) => (isDay(d) ? fields({ d }) : undefined)],
  ['numday', '@the <num>', (_, d: Num) => (dayNumber(d) ? fields({ d: d.n }) : undefined)],
  ['numday', '<num> .', (_, d: Num) => (dayNumber(d) && d.digits > 0 ? fields({ d: d.n }) : undefined)],
  ['date', '<ordday>', ({ context }, date: Fields) => (context.words <= 3 ? date : undefined)],
  ['date', '<ordday> @of @the month', (_, date: Fields) => date, 0.5],
  ['date', '<dow> ,? <ordday>', createMerge((dow: number) => fields({ dow })), 0.4],
  ['date', '<dow> ,? @the <numday>', createMerge((dow: number) => fields({ dow })), 0.2],

  // Two adjacent dates are one date, if they agree.
  ['date', '<date> ,? @on|@the|den? <date>', mergeDateParts, 0.2],
  ['date', '<date> - <date>', mergeDateParts, -0.1],
  ['date', '<date> ( <date> )', mergeDateParts, 0.2],
  ['date', '<date> ( <date>', mergeDateParts, 0],
  [
    'date',
    '<ordday> @of @the? <date>',
    (_, day: Fields, date: DatePart) =>
      date.is === 'fields' && date.d === undefined && date.dow === undefined && date.m !== undefined
        ? mergeDates(day, date)
        : undefined,
    0.5,
  ],
  [
    'date',
    '<ordday> day @of @the? <date>',
    (_, day: Fields, date: DatePart) =>
      date.is === 'fields' && date.d === undefined && date.dow === undefined && date.m !== undefined
        ? mergeDates(day, date)
        : undefined,
    0.5,
  ],
  [
    'date',
    '<num> of @the? <date>',
    (_, day: Num, date: DatePart) =>
      dayNumber(day) &&
      date.is === 'fields' &&
      date.d === undefined &&
      date.dow === undefined &&
      date.m !== undefined
        ? mergeDates(fields({ d: day.n }), date)
        : undefined,
    0.4,
  ],
  ['date', '<ordday> <thismonth>', (_, day: Fields, date: DatePart) => mergeDates(day, date), 0.4],
  [
    'date',
    '<date> @of <date>',
    (_, a: DatePart, b: DatePart) =>
      b.is === 'days' && b.grain === 'week'
        ? mergeDates(a, b)
        : b.is === 'fields' && b.y !== undefined && b.m === undefined
          ? mergeDates(a, b)
          : undefined,
    0.3,
  ],

  ['date', '<rel> <date>', toward(), 0.3],
  ['date', '<coming> <date>', findNearestWeekday, 0.3],
  ['date', 'this <coming> <date>', findNearestWeekday, 0.5],
)

function createMerge(make: (value: number) => Fields) {
  return (_: RuleMatch<Context>, value: number, date: Fields): DatePart | undefined =>
    mergeDates(make(value), date)
}
