import { dayOf, ymdOf } from '../calendar.ts'
import { createGrammar, type Grammar, type RuleMatch } from '../chart.ts'
import { daysOf, shiftDay } from '../outcome.ts'
import type { Clock, DatePart, Days, Duration, Edge, Unit, When, Zone } from '../values.ts'
import { clockRangeRules, clockRules } from './clocks.ts'
import { dateRules } from './dates.ts'
import {
  bounded,
  type Context,
  day,
  dayPartRules,
  days,
  define,
  durationRules,
  hasDay,
  joinWhens,
  part,
  unitAround,
  unitFromNow,
  type Word,
} from './durations.ts'
import { namedRules, nthRules, periodRules } from './periods.ts'
import { rangeRules } from './ranges.ts'
import { recurrenceRules } from './recurrences.ts'
import { shiftRules, weekdayShiftRules } from './shifts.ts'

const EDGE_DAYS: Partial<Record<Unit, readonly [early: number, late: number]>> = {
  week: [3, 4],
  month: [10, 20],
}

/**
 * Returns the start, middle or end of a period. The start is ten days of a month, three of a week and a
 * quarter of other periods.
 */
const takeEdge = ({ context }: RuleMatch<Context>, edge: Edge, part: DatePart): Days | undefined => {
  const whole = daysOf(part, context.now)
  if (!whole || whole.edge || whole.to - whole.from < 2) return undefined
  const { from, to, grain } = whole
  const length = to - from
  const [early, late] = EDGE_DAYS[grain] ?? [Math.round(length / 4), Math.round((length * 2) / 3)]
  if (grain === 'year') {
    const { y } = ymdOf(from)
    if (edge === 'start') return days(from, dayOf(y, 4, 1), grain, { edge })
    if (edge === 'end') return days(dayOf(y, 9, 1), to, grain, { edge })
  }
  if (edge === 'start') return days(from, from + early, grain, { edge })
  if (edge === 'end') return days(from + late, to, grain, { edge })
  return days(from + early, from + late, grain, { edge })
}

/** Returns the remaining or the elapsed part of the current period. */
const takeRest = ({ context }: RuleMatch<Context>, edge: Edge, part: DatePart): Days | undefined => {
  const whole = daysOf(part, context.now)
  if (!whole || whole.edge || whole.to - whole.from < 2 || edge === 'middle') return undefined
  const middle = edge === 'end' ? Math.max(whole.from, context.now.day) : Math.min(whole.to, context.now.day)
  if (context.now.day < whole.from || context.now.day >= whole.to)
    return takeEdge({ context } as RuleMatch<Context>, edge, part)
  if (edge === 'end') return days(middle, whole.to, whole.grain, { edge })
  return middle > whole.from ? days(whole.from, middle, whole.grain, { edge }) : undefined
}

/** Rules for the start, the end and the rest of a period. */
const edgeRules = define(
  ['edgedate', '<edge> of|des|der|vom|im <ofdate>', takeEdge, 0.4],
  ['edgedate', '<edge> <ofdate>', takeEdge, 0.2],
  ['edgedate', '<lean> <date>', takeEdge, 0.2],
  ['edgedate', '<edge> - <date>', takeEdge, 0.2],
  ['date', '<edgedate>', (_, date: Days) => date],
  [
    'edgedate',
    'eom',
    ({ context }) =>
      takeEdge({ context } as RuleMatch<Context>, 'end', unitAround(context.now.day, 'month', 0) as DatePart),
  ],
  [
    'edgedate',
    '@on|@the|zum? <unitedge>',
    ({ context }, [unit, edge]: [Word, Edge]) =>
      takeEdge({ context } as RuleMatch<Context>, edge, unitAround(context.now.day, unit, 0) as DatePart),
    0.2,
  ],
  // A preposition must precede, as in "by quarter end".
  [
    'edgedate',
    'month|quarter|year|week -? end',
    (match) => {
      const { tokens, from } = match
      return /^(?:at|by|before|until|till|for|this)$/.test(tokens[from - 1]?.text ?? '')
        ? takeEdge(match, 'end', unitFromNow(match, 0, tokens[from]?.text as Word) as DatePart)
        : undefined
    },
    0.4,
  ],
  [
    'edgedate',
    'bom',
    ({ context }) =>
      takeEdge(
        { context } as RuleMatch<Context>,
        'start',
        unitAround(context.now.day, 'month', 0) as DatePart,
      ),
  ],
  [
    'edgedate',
    'eoy',
    ({ context }) =>
      takeEdge({ context } as RuleMatch<Context>, 'end', unitAround(context.now.day, 'year', 0) as DatePart),
  ],
  [
    'edgedate',
    'boy',
    ({ context, tokens, from }) =>
      tokens[from - 1]?.text === 'the' || tokens[from - 1]?.text === 'by'
        ? takeEdge(
            { context } as RuleMatch<Context>,
            'start',
            unitAround(context.now.day, 'year', 0) as DatePart,
          )
        : undefined,
  ],
  [
    'edgedate',
    'eow',
    ({ context }) =>
      takeEdge({ context } as RuleMatch<Context>, 'end', unitAround(context.now.day, 'week', 0) as DatePart),
  ],
  [
    'date',
    '<lean> this <unit>',
    (match, edge: Edge, word: Word) => {
      const whole = unitFromNow(match, 0, word)
      const isCompared = /^(?:earlier|later)$/.test(match.tokens[match.from]?.text ?? '')
      return whole && isCompared ? takeRest(match, edge, whole) : undefined
    },
    1.1,
  ],
  [
    'date',
    '<lean> in @the <unit>',
    (match, edge: Edge, word: Word) => {
      const whole = unitFromNow(match, 0, word)
      return whole && takeRest(match, edge, whole)
    },
    0.5,
  ],
  [
    'date',
    'monatserste|monatsersten|monatsletzte|monatsletzten',
    ({ context: { now }, tokens, to }) => {
      const { y, m, d } = ymdOf(now.day)
      const isFirst = tokens[to - 1]?.text.startsWith('monatserste')
      return day(isFirst ? dayOf(y, m + (d > 1 ? 1 : 0), 1) : dayOf(y, m + 1, 1) - 1)
    },
    0.3,
  ],
  ['date', '@the? rest|remainder of <ofdate>', (match, part: DatePart) => takeRest(match, 'end', part), 0.4],
)

/** Rules that join a day and an hour, and rules for bounds such as "before" and "after". */
const boundRules = define(
  ['when', '<when> <when>', joinWhens, 0.3],
  ['when', '<when> ,|(|.|-|/ <when>', joinWhens, 0.2],
  ['when', '<when> ( <when> )', joinWhens, 0.3],
  ['when', '<when> ,? @at|@on|@in|@for|@by|@of <when>', joinWhens, 0.3],
  ['when', '<when> ,? @at|@on @the <when>', joinWhens, 0.3],
  ['when', '<when> ,? jeweils @at? <when>', joinWhens, 0.3],
  [
    'when',
    '<when> @and|but <when>',
    (_, a: When, b: When) => {
      // Joins two bounds to a range: "later than 3:30pm but before 6pm".
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
  ['when', '<when> , <when> )', joinWhens, -0.2],

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
  ['when', 'bis zum <numday>', (_, date: DatePart) => ({ date, bound: 'until' }), 0.3],
  ['when', 'bis <ordday>', (_, date: DatePart) => ({ date, bound: 'until' }), 0.3],
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
  // A bare hour at the end of a captured line: "Send it by 5".
  [
    'when',
    '@by <loose>',
    ({ context, tokens, to }, clock: Clock) =>
      context.terse &&
      clock.grain === 'hour' &&
      (tokens[to] === undefined || /^[#!.,]$/.test(tokens[to].text))
        ? { time: clock, bound: 'by' }
        : undefined,
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
)

const around = (_: RuleMatch<Context>, when: When): When => ({ ...when, around: true })

const withDuration = ({ context }: RuleMatch<Context>, when: When, duration: Duration): When | undefined => {
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

/** Returns the last second of a day. */
const endOfDay = ({ context }: RuleMatch<Context>, date: DatePart): When | undefined => {
  const at = daysOf(date, context.now)
  return at && at.grain === 'day' && at.to - at.from === 1
    ? { date: at, time: { is: 'clock', h: 23, mi: 59, s: 59, grain: 'second' } }
    : undefined
}

const today = ({ context: { now } }: RuleMatch<Context>): DatePart => day(now.day)

/** Most people stop working at 17:00. */
const endOfWork = ({ context }: RuleMatch<Context>, date: DatePart): When | undefined =>
  daysOf(date, context.now)?.grain === 'day'
    ? { date, time: { is: 'clock', h: 17, mi: 0, grain: 'hour' } }
    : undefined

const toMorning = ({ context }: RuleMatch<Context>, date: DatePart): When | undefined =>
  daysOf(date, context.now)?.grain === 'day' ? { date, time: part('morning') } : undefined

/**
 * A zone may follow an hour. It may follow a day only if no word comes next: "by Friday EST", but not "on
 * Monday CT scan".
 */
const withZone = ({ tokens, to }: RuleMatch<Context>, when: When, zone: Zone): When | undefined =>
  when.zone || (!when.time && (!hasDay(when) || tokens[to]?.kind === 'word')) ? undefined : { ...when, zone }

/** Rules for the length, the precision and the zone of a time. */
const whenRules = define(
  ['when', '@around <when>', around, 0.2],
  [
    'when',
    '<when> @at? @around <when>',
    (match, a: When, b: When) => {
      const when = joinWhens(match, a, b)
      return when && { ...when, around: true }
    },
    0.4,
  ],
  ['when', 'sometime|spätestens? @around|@on? <when>', (_, when: When) => when, -0.5],

  ['when', '<when> @for|lasting @around? <dur>', withDuration, 0.5],
  ['when', '<when> , <dur>', withDuration, 0.1],
  [
    'when',
    '@for @around? <dur> ,? @from|@at|@on|starting|beginning|ab @at|@on? <when>',
    (match, duration: Duration, when: When) => withDuration(match, when, duration),
    0.7,
  ],
  [
    'when',
    '<when> @for <dur> @from|@at|starting|beginning @at? <when>',
    (match, a: When, duration: Duration, b: When) => {
      const when = joinWhens(match, a, b)
      return when && withDuration(match, when, duration)
    },
    1,
  ],
  ['when', '@the? end @of <ofdate>', endOfDay, 0.5],
  ['when', 'eod ,? @on? <date>', endOfDay, 0.6],
  ['when', '<date> ,? eod', endOfDay, 0.6],
  ['when', 'eod', (match) => endOfDay(match, today(match))],
  ['closing', 'cob|eob|feierabend', () => 0],
  ['closing', 'close of business|play', () => 0, 0.5],
  ['when', '<closing> ,? @on? <date>', (match, _: number, date: DatePart) => endOfWork(match, date), 0.6],
  ['when', '<date> ,? @closing', endOfWork, 0.6],
  ['when', '@closing', (match) => endOfWork(match, today(match))],
  ['when', 'first thing @on? <date>', toMorning, 0.6],
  ['when', '<date> ,? first thing', toMorning, 0.6],

  ['when', '<when> <zone>', withZone, 0.3],
  ['when', '<when> ( <zone> )', withZone, 0.3],
  ['when', '<when> , <zone>', withZone, 0.2],
)

/** The complete grammar of time expressions. */
export const GRAMMAR: Grammar<Context> = createGrammar([
  ...dateRules,
  ...periodRules,
  ...edgeRules,
  ...nthRules,
  ...namedRules,
  ...durationRules,
  ...clockRules,
  ...shiftRules,
  ...weekdayShiftRules,
  ...dayPartRules,
  ...clockRangeRules,
  ...boundRules,
  ...whenRules,
  ...rangeRules,
  ...recurrenceRules,
])

/** The literal words of all rules. Any other word ends an expression. */
export const GRAMMAR_WORDS: ReadonlySet<string> = new Set(
  [...GRAMMAR.kinds.keys()].filter((kind) => kind.startsWith("'")).map((kind) => kind.slice(1)),
)
