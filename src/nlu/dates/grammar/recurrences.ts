import { mergeTimes, pickLikelyHalf } from '../calendar.ts'
import type { RuleMatch } from '../chart.ts'
import type { Clock, Duration, Fields, Num, PartName, Recurring, TimePart, When, Zone } from '../values.ts'
import { type Context, define } from './durations.ts'

const DAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const toDayCode = (dow: number): string => DAYS[dow - 1] as string

const FREQUENCIES: Readonly<Record<string, readonly [freq: string, interval: number]>> = {
  hour: ['HOURLY', 1],
  minute: ['MINUTELY', 1],
  day: ['DAILY', 1],
  night: ['DAILY', 1],
  week: ['WEEKLY', 1],
  fortnight: ['WEEKLY', 2],
  month: ['MONTHLY', 1],
  quarter: ['MONTHLY', 3],
  year: ['YEARLY', 1],
}

const rule = (freq: string, interval: number, more = ''): string =>
  `FREQ=${freq}${interval > 1 ? `;INTERVAL=${interval}` : ''}${more}`

const everyUnit = (_: RuleMatch<Context>, unit: string, count = 1): Recurring | undefined => {
  if (unit === 'weekend') return { rule: rule('WEEKLY', count, ';BYDAY=SA,SU') }
  const known = FREQUENCIES[unit]
  return known && count >= 1 && count <= 999 ? { rule: rule(known[0], known[1] * count) } : undefined
}

const everyDay = (_: RuleMatch<Context>, dow: number, count = 1): Recurring => ({
  rule: rule('WEEKLY', count, `;BYDAY=${toDayCode(dow)}`),
})

/** Resolves "the next two Mondays". */
const nextDays = (_: RuleMatch<Context>, step: number, { n }: Num, dow: number): Recurring | undefined =>
  step > 0 && n > 1 && n < 100
    ? { rule: rule('WEEKLY', 1, `;BYDAY=${toDayCode(dow)};COUNT=${n}`) }
    : undefined

const addDay = (_: RuleMatch<Context>, set: Recurring, dow: number): Recurring | undefined => {
  const known = /^(FREQ=WEEKLY(?:;INTERVAL=\d+)?;BYDAY=)([A-Z,]+)$/.exec(set.rule)
  if (!known || set.time) return undefined
  const days = new Set([...(known[2] as string).split(','), toDayCode(dow)])
  return { rule: `${known[1]}${DAYS.filter((day) => days.has(day)).join(',')}` }
}

/**
 * Abbreviations in "jeden Di" and "jeden Mo, Mi und Fr" have two letters. Longer ones are other words: "jeden
 * Montag mit Ana".
 */
const isShortDay = ({ tokens, to }: RuleMatch<Context>): boolean => tokens[to - 1]?.text.length === 2

const jedenShort = (match: RuleMatch<Context>, dow: number): Recurring | undefined =>
  isShortDay(match) && match.tokens[match.from]?.text.startsWith('jed') ? everyDay(match, dow) : undefined

const addShortDay = (match: RuleMatch<Context>, set: Recurring, dow: number): Recurring | undefined =>
  isShortDay(match) ? addDay(match, set, dow) : undefined

const weekdays = (_: RuleMatch<Context>, from: number, to: number): Recurring | undefined =>
  from < to ? { rule: rule('WEEKLY', 1, `;BYDAY=${DAYS.slice(from - 1, to).join(',')}`) } : undefined

const createMonthlyRule = (
  _: RuleMatch<Context>,
  n: number,
  dow: number,
  unit: string,
): Recurring | undefined =>
  unit === 'month' && n <= 5 ? { rule: rule('MONTHLY', 1, `;BYDAY=${n}${toDayCode(dow)}`) } : undefined

/** "Every second Tuesday" and "jeden zweiten Dienstag" are every other week. */
const isEveryOther = ({ tokens, from }: RuleMatch<Context>): boolean =>
  /^(?:second|zweite[nrs]?)$/.test(tokens[from + 1]?.text ?? '')

/** As in Todoist, "every 3rd Friday" is the one of each month. No month has a sixth one. */
const everyNthDay = (match: RuleMatch<Context>, n: number, dow: number): Recurring =>
  n > 5 || isEveryOther(match)
    ? everyDay(match, dow, n)
    : { rule: rule('MONTHLY', 1, `;BYDAY=${n}${toDayCode(dow)}`) }

const FOLLOWS_DAY = /^(?:,|;|at|um|starting|from|ab|since|until|bis|ending)$/

/** "Every 27" is a day of the month, unless it counts something: "every 27 people". */
const isAlone = ({ tokens, to }: RuleMatch<Context>): boolean => {
  const next = tokens[to]?.text
  return next === undefined || FOLLOWS_DAY.test(next)
}

const monthDays = (...days: number[]): Recurring | undefined =>
  days.every((day) => day >= 1 && day <= 31)
    ? { rule: rule('MONTHLY', 1, `;BYMONTHDAY=${[...new Set(days)].sort((a, b) => a - b).join(',')}`) }
    : undefined

/** "Every 15th" is a day of the month. An ordinal in words is a frequency: "every second". */
const toNth = ({ tokens, from }: RuleMatch<Context>, n: number): number[] | undefined =>
  /^\d/.test(tokens[from + 1]?.text ?? '') ? [n] : undefined

const everyNth = (match: RuleMatch<Context>, n: number): Recurring | undefined =>
  toNth(match, n) && monthDays(n)

/** German only, as in "jeden 15.". In English the point ends a sentence. */
const jedenNth = ({ tokens, from }: RuleMatch<Context>, { n, digits }: Num): Recurring | undefined =>
  digits > 0 && tokens[from]?.text.startsWith('jed') ? monthDays(n) : undefined

const workingDay = (_: RuleMatch<Context>, position: number): Recurring => ({
  rule: `FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=${position}`,
})

const createLastWeekdayRule = (dow: number): Recurring => ({
  rule: rule('MONTHLY', 1, `;BYDAY=-1${toDayCode(dow)}`),
})

const at = (_: RuleMatch<Context>, set: Recurring, when: When): Recurring | undefined => {
  if (when.to || when.bound) return undefined
  if (set.time) {
    const time =
      set.time.is === 'part' && when.time && !when.date ? mergeTimes(when.time, set.time) : undefined
    return time && time.is !== 'part' ? { ...set, time } : undefined
  }
  const zone = when.zone ? { zone: when.zone } : {}
  const length =
    when.shift && when.time?.is === 'clock' && when.shift.seconds > 0 ? { length: when.shift } : {}
  if (!when.date) return { ...set, time: when.time as TimePart, ...zone, ...length }
  if (when.date.is !== 'fields' || set.rule.includes('BY')) return undefined
  const { d, dow, m } = when.date
  const time = when.time ? { time: when.time, ...zone } : {}
  if (set.rule.startsWith('FREQ=MONTHLY') && d !== undefined && dow === undefined && m === undefined)
    return { ...set, rule: `${set.rule};BYMONTHDAY=${d}`, ...time }
  if (set.rule.startsWith('FREQ=WEEKLY') && dow !== undefined && d === undefined)
    return { ...set, rule: `${set.rule};BYDAY=${toDayCode(dow)}`, ...time }
  if (set.rule.startsWith('FREQ=YEARLY') && d !== undefined && m !== undefined)
    return { ...set, rule: `${set.rule};BYMONTH=${m};BYMONTHDAY=${d}`, ...time }
  return undefined
}

const withTimeBefore = (match: RuleMatch<Context>, when: When, set: Recurring): Recurring | undefined =>
  at(match, set, when)

/** Limits a series: "until June", "starting next week". */
const withBounds = (_: RuleMatch<Context>, set: Recurring, when: When): Recurring | undefined =>
  when.bound === 'until' && when.date && !set.until
    ? { ...set, until: when }
    : when.bound === 'since' && when.date && !set.from
      ? { ...set, from: when }
      : undefined

/** Converts a multiple of seven days to weeks: "alle 14 Tage". */
const toWeeklyRule = (often: string): string | undefined => {
  const days = Number(/^FREQ=DAILY;INTERVAL=(\d+)$/.exec(often)?.[1] ?? 0)
  if (days > 0 && days % 7 === 0) return rule('WEEKLY', days / 7)
  return /^FREQ=WEEKLY(?:;INTERVAL=\d+)?$/.test(often) ? often : undefined
}

/** Joins a frequency and weekdays: "fortnightly on Mondays". */
const onDays = (_: RuleMatch<Context>, often: Recurring, days: Recurring): Recurring | undefined => {
  const named = /^FREQ=WEEKLY(;BYDAY=[A-Z,]+)$/.exec(days.rule)
  if (!named || often.time || often.until) return undefined
  const weeks = toWeeklyRule(often.rule)
  return weeks ? { ...days, rule: `${weeks}${named[1]}` } : undefined
}

const onNth = (_: RuleMatch<Context>, often: Recurring, n: number, dow: number): Recurring | undefined =>
  /^FREQ=MONTHLY(?:;INTERVAL=\d+)?$/.test(often.rule) && n <= 5
    ? { ...often, rule: `${often.rule};BYDAY=${n}${toDayCode(dow)}` }
    : undefined

/** Adds an hour to the rule, as in "at 8am and 8pm". The minutes must be equal. */
const addHour = (_: RuleMatch<Context>, set: Recurring, clock: Clock): Recurring | undefined => {
  if (
    set.time?.is !== 'clock' ||
    set.time.mi !== clock.mi ||
    set.time.s !== undefined ||
    clock.s !== undefined
  )
    return undefined
  // In "at 6:30 and 18:30" the second time shows that the first is in the morning.
  const { either: _either, ...plain } = set.time
  const first = !clock.either && clock.h > 12 ? plain : pickLikelyHalf(set.time)
  const next = pickLikelyHalf(clock)
  const hours = [...(set.hours ?? [first.h]), next.h]
  return hours.some((h) => h > 23) || new Set(hours).size !== hours.length
    ? undefined
    : { ...set, time: first, hours }
}

const excludeDays = (
  _: RuleMatch<Context>,
  set: Recurring,
  dow: number | 'weekend',
): Recurring | undefined => {
  const known = /^FREQ=WEEKLY;BYDAY=([A-Z,]+)$/.exec(set.rule)?.[1]?.split(',')
  const days = known ?? (set.rule === 'FREQ=DAILY' ? DAYS : [])
  const out = dow === 'weekend' ? ['SA', 'SU'] : [toDayCode(dow)]
  const left = days.filter((day) => !out.includes(day))
  return left.length > 0 && left.length < days.length
    ? { ...set, rule: rule('WEEKLY', 1, `;BYDAY=${left.join(',')}`) }
    : undefined
}

const limitSeries = (_: RuleMatch<Context>, set: Recurring, duration: Duration): Recurring | undefined =>
  set.until || set.lasting || duration.around || duration.seconds !== 0
    ? undefined
    : { ...set, lasting: duration }

const createDailyPart = (_: RuleMatch<Context>, name: PartName): Recurring => ({
  rule: 'FREQ=DAILY',
  time: { is: 'part', name },
})

export const recurrenceRules = define(
  ['set', '@every <unit>', (match, unit: string) => everyUnit(match, unit), 0.5],
  [
    'set',
    'any weekend|year|week|month',
    (match) => everyUnit(match, match.tokens[match.to - 1]?.text ?? ''),
    0.5,
  ],
  ['set', '@every other|second <unit>', (match, unit: string) => everyUnit(match, unit, 2), 0.7],
  ['set', '@every <num> <unit>', (match, { n }: Num, unit: string) => everyUnit(match, unit, n), 0.7],
  ['set', '@every <ord> <unit>', (match, n: number, unit: string) => everyUnit(match, unit, n), 0.6],
  ['set', '@every <dow>', (match, dow: number) => everyDay(match, dow), 0.5],
  ['set', '@every other|second <dow>', (match, dow: number) => everyDay(match, dow, 2), 0.7],
  ['set', '@every <ord> <dow>', everyNthDay, 0.6],
  ['set', '@every <num> <dows>', (match, { n }: Num, dow: number) => everyDay(match, dow, n), 0.7],
  [
    'set',
    '@every weekday|workday|werktag|arbeitstag',
    () => ({ rule: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR' }),
    0.6,
  ],
  ['set', '@on|@for? @the? <rel> <num> <dows>', nextDays, 0.9],
  ['set', '@on|@for? @the? <coming> <num> <dows>', nextDays, 0.9],
  ['set', '@on|@for? @the? <rel> <num> <dowplural>', nextDays, 0.9],
  ['set', '@on|@for? @the? <coming> <num> <dowplural>', nextDays, 0.9],
  ['set', '@on? <dows>', (match, dow: number) => everyDay(match, dow), 0.4],
  [
    'set',
    '@every <dowpart>',
    (match, [dow, name]: [number, PartName]) => ({ ...everyDay(match, dow), time: { is: 'part', name } }),
    0.7,
  ],
  ['set', '@every <part>', createDailyPart, 0.5],
  ['set', '<parts>', createDailyPart, 0.2],
  [
    'set',
    '<dow> <parts>',
    (match, dow: number, name: PartName) => ({ ...everyDay(match, dow), time: { is: 'part', name } }),
    0.6,
  ],
  ['set', '<often>', (_, freq: string) => ({ rule: freq }), 0.2],
  [
    'set',
    'bi - <often>',
    (_, freq: string) => (freq.includes('INTERVAL') ? undefined : { rule: `${freq};INTERVAL=2` }),
    0.6,
  ],
  ['set', 'once a|per|every <unit>', (match, unit: string) => everyUnit(match, unit), 0.6],
  [
    'set',
    '<num> -? tägig|tägige|tägigen|tägiger',
    (match, { n }: Num) => (n % 7 === 0 ? everyUnit(match, 'week', n / 7) : everyUnit(match, 'day', n)),
    0.5,
  ],
  ['set', '<set> ,|@and <dow>', addDay, 0.4],
  ['set', '<set> ,|@and <dows>', addDay, 0.4],
  ['set', '<set> , @and <dow>', addDay, 0.4],
  ['set', '<set> , @and <dows>', addDay, 0.4],
  // Weekdays without a conjunction: "every mon wed fri", "every Tue/Thu".
  ['set', '<set> /? <dow>', addDay, 0.3],
  ['shortdays', '@every <dowshort>', jedenShort, 0.5],
  ['shortdays', '<shortdays> ,|/|@and? <dowshort>', addShortDay, 0.4],
  ['set', '<shortdays>', (_, set: Recurring) => set],
  ['set', '@every <dow> @to <dow>', weekdays, 1.5],
  ['set', '@every @the? <ord> <dow> @of? @the|@every? <unit>', createMonthlyRule, 0.6],
  ['set', '@the? <ord> <dow> @of @every|@the <unit>', createMonthlyRule, 0.6],
  [
    'set',
    '@the? last <dow> @of @every <unit>',
    (_, dow: number, unit: string) => (unit === 'month' ? createLastWeekdayRule(dow) : undefined),
    0.8,
  ],
  [
    'set',
    '@the? last day @of @every|@the month',
    ({ tokens, to }) =>
      tokens[to - 2]?.text === 'the' ? undefined : { rule: rule('MONTHLY', 1, ';BYMONTHDAY=-1') },
    0.8,
  ],
  ['set', '@every month @on @the <num>', (_, { n }: Num) => monthDays(n), 0.8],
  ['set', '@every <ord> @of|@the|im @the? month|monat|monats', (_, n: number) => monthDays(n), 0.7],
  ['set', '@on? @the? <ord> @of? @every month|monat|monats', (_, n: number) => monthDays(n), 0.7],
  [
    'set',
    '@every <monthdate>',
    (_, { m, d }: Fields) => ({ rule: rule('YEARLY', 1, `;BYMONTH=${m};BYMONTHDAY=${d}`) }),
    0.6,
  ],
  ['set', '@every <ord>', everyNth, 0.3],
  ['set', '@every <num> .', jedenNth, 0.3],
  ['set', '@every <ord> @and <ord>', (_, a: number, b: number) => monthDays(a, b), 0.7],
  [
    'set',
    '@on? @the? <ord> @and @the? <ord> @of? @every|@the month|monat|monats',
    (_, a: number, b: number) => monthDays(a, b),
    0.9,
  ],
  [
    'set',
    '@every last|letzten|letzte <dow> @of @the? month|monat|monats',
    (_, dow: number) => createLastWeekdayRule(dow),
    2,
  ],
  ['set', '@every last|letzten|letzte <dow>', (_, dow: number) => createLastWeekdayRule(dow), 1.5],
  [
    'set',
    '@on? @the? <ord> <dow> jeden|eines monats',
    (match, n: number, dow: number) => createMonthlyRule(match, n, dow, 'month'),
    2,
  ],
  ['set', '@on? @the? letzten <dow> jeden|eines monats', (_, dow: number) => createLastWeekdayRule(dow), 2],
  ['set', '@every last|letzten day|tag', () => ({ rule: rule('MONTHLY', 1, ';BYMONTHDAY=-1') }), 1.5],
  [
    'set',
    '@every last|letzten day|tag @of|des|im @the? month|monat|monats',
    () => ({ rule: rule('MONTHLY', 1, ';BYMONTHDAY=-1') }),
    2.5,
  ],
  ['set', '@every <ord> day|tag @of|des|im @the? month|monat|monats', (_, n: number) => monthDays(n), 2.5],
  ['monthdays', '@every <num> .?', (_, { n, digits }: Num) => (digits > 0 ? [n] : undefined)],
  ['monthdays', '@every <ord>', toNth],
  ['monthdays', '<monthdays> ,|@and <num> .?', (_, days: number[], { n }: Num) => [...days, n], 0.3],
  ['monthdays', '<monthdays> ,|@and <ord>', (_, days: number[], n: number) => [...days, n], 0.3],
  ['set', '<monthdays>', (match, days: number[]) => (isAlone(match) ? monthDays(...days) : undefined), 0.2],
  ['set', '<set> @on? @the? <ord> <dow>', onNth, 0.7],
  [
    'set',
    '<set> @on? @the? last|letzten <dow>',
    (match, set: Recurring, dow: number) => onNth(match, set, -1, dow),
    1.2,
  ],
  ['set', '<set> ,? <set>', onDays, 0.6],
  ['set', '<set> ,|@and @at? <clock>', addHour, 0.5],
  ['set', '<set> @and @at? <loose>', addHour, 0.3],
  [
    'set',
    '<set> , <loose> @and <loose>',
    (match, set: Recurring, a: Clock, b: Clock) => {
      const first = addHour(match, set, a)
      return first && addHour(match, first, b)
    },
    0.5,
  ],
  [
    'set',
    '<clock> @and @at? <clock> ,? <set>',
    (match, a: Clock, b: Clock, set: Recurring) =>
      set.time ? undefined : addHour(match, { ...set, time: a }, b),
    0.7,
  ],
  ['set', '<set> ,? except|außer @on|@for? <dow>', excludeDays, 0.6],
  ['set', '<set> ,? except|außer @on|@for? <dows>', excludeDays, 0.6],
  [
    'set',
    '<set> ,? except|außer @on? weekends',
    (match, set: Recurring) => excludeDays(match, set, 'weekend'),
    0.6,
  ],
  ['set', '<set> ,? @for @the? next? <dur>', limitSeries, 0.8],
  ['workday', 'working|business day', () => 0],
  ['workday', 'werktag|arbeitstag|workday|weekday', () => 0],
  ['edgeworkday', 'last|letzten|letzte @workday', () => -1],
  ['edgeworkday', 'first|ersten|erste @workday', () => 1],
  ['set', '@every <edgeworkday> @of @the? month|monat|monats', workingDay, 1.6],
  ['set', '@every <edgeworkday> des monats', workingDay, 1.6],
  ['set', '@every <edgeworkday>', workingDay, 1.5],
  [
    'set',
    '@every <ord> @workday',
    (match, n: number) => (n <= 20 && !isEveryOther(match) ? workingDay(match, n) : undefined),
    1.2,
  ],
  [
    'set',
    '@every <num> . @workday',
    (match, { n }: Num) => (n <= 20 ? workingDay(match, n) : undefined),
    1.2,
  ],
  ['set', '@on? @the? <edgeworkday> @of? @every month|monat|monats', workingDay, 1.6],
  ['set', '@on? weekends', (match) => everyUnit(match, 'weekend'), 0.4],
  ['set', 'nightly', () => createDailyPart({} as RuleMatch<Context>, 'night')],
  ['set', '<set> ,? @at|@on|@in? @the? <when>', at, 0.4],
  ['set', '<set> ,? jeweils|immer|always @at|@on? <when>', at, 0.7],
  ['set', '<when> <set>', withTimeBefore, 0.4],
  ['set', '<when> , <set>', withTimeBefore, 0.3],
  ['set', '<set> ,? <when>', withBounds, 0.6],
  // A zone after the hours: "at 8am and 8pm EST".
  [
    'set',
    '<set> <zone>',
    (_, set: Recurring, zone: Zone) => (set.zone || !set.time ? undefined : { ...set, zone }),
    0.3,
  ],
)
