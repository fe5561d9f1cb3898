import { dayOf, ymdOf } from '../calendar.ts'
import type { Place } from '../chart.ts'
import { daysOf } from '../resolve.ts'
import type { DatePart, Days, Edge, Unit } from '../values.ts'
import { type Context, define } from './context.ts'
import { day, days, unitAround, unitFromNow, type Word } from './units.ts'

const EDGE_DAYS: Partial<Record<Unit, readonly [early: number, late: number]>> = {
  week: [3, 4],
  month: [10, 20],
}

/** The first or last stretch of a period: ten days of a month, three of a week, a third of anything else. */
const edgeOf = ({ context }: Place<Context>, edge: Edge, part: DatePart): Days | undefined => {
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

/** What is left of, or gone from, the period under way. */
const restOf = ({ context }: Place<Context>, edge: Edge, part: DatePart): Days | undefined => {
  const whole = daysOf(part, context.now)
  if (!whole || whole.edge || whole.to - whole.from < 2 || edge === 'middle') return undefined
  const middle = edge === 'end' ? Math.max(whole.from, context.now.day) : Math.min(whole.to, context.now.day)
  if (context.now.day < whole.from || context.now.day >= whole.to)
    return edgeOf({ context } as Place<Context>, edge, part)
  if (edge === 'end') return days(middle, whole.to, whole.grain, { edge })
  return middle > whole.from ? days(whole.from, middle, whole.grain, { edge }) : undefined
}

/** Where a period begins and ends, and what is left of it. */
export const edgeRules = define(
  ['edgedate', '<edge> of|des|der|vom|im <ofdate>', edgeOf, 0.4],
  ['edgedate', '<edge> <ofdate>', edgeOf, 0.2],
  ['edgedate', '<lean> <date>', edgeOf, 0.2],
  ['edgedate', '<edge> - <date>', edgeOf, 0.2],
  ['date', '<edgedate>', (_, date: Days) => date],
  [
    'edgedate',
    'eom',
    ({ context }) =>
      edgeOf({ context } as Place<Context>, 'end', unitAround(context.now.day, 'month', 0) as DatePart),
  ],
  [
    'edgedate',
    '@on|@the|zum? <unitedge>',
    ({ context }, { unit, edge }: { unit: Word; edge: Edge }) =>
      edgeOf({ context } as Place<Context>, edge, unitAround(context.now.day, unit, 0) as DatePart),
    0.2,
  ],
  // "By quarter end".
  [
    'edgedate',
    'month|quarter|year|week -? end',
    (place) => {
      const { tokens, from } = place
      return /^(?:at|by|before|until|till|for|this)$/.test(tokens[from - 1]?.text ?? '')
        ? edgeOf(place, 'end', unitFromNow(place, 0, tokens[from]?.text as Word) as DatePart)
        : undefined
    },
    0.4,
  ],
  [
    'edgedate',
    'bom',
    ({ context }) =>
      edgeOf({ context } as Place<Context>, 'start', unitAround(context.now.day, 'month', 0) as DatePart),
  ],
  [
    'edgedate',
    'eoy',
    ({ context }) =>
      edgeOf({ context } as Place<Context>, 'end', unitAround(context.now.day, 'year', 0) as DatePart),
  ],
  [
    'edgedate',
    'boy',
    ({ context, tokens, from }) =>
      tokens[from - 1]?.text === 'the' || tokens[from - 1]?.text === 'by'
        ? edgeOf({ context } as Place<Context>, 'start', unitAround(context.now.day, 'year', 0) as DatePart)
        : undefined,
  ],
  [
    'edgedate',
    'eow',
    ({ context }) =>
      edgeOf({ context } as Place<Context>, 'end', unitAround(context.now.day, 'week', 0) as DatePart),
  ],
  [
    'date',
    '<lean> this <unit>',
    (place, edge: Edge, word: Word) => {
      const whole = unitFromNow(place, 0, word)
      return whole && restOf(place, edge, whole)
    },
    0.5,
  ],
  [
    'date',
    '<lean> in @the <unit>',
    (place, edge: Edge, word: Word) => {
      const whole = unitFromNow(place, 0, word)
      return whole && restOf(place, edge, whole)
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
  ['date', '@the? rest|remainder of <ofdate>', (place, part: DatePart) => restOf(place, 'end', part), 0.4],
)
