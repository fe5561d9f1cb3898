import { addMonths, resolveRange } from '../calendar.ts'
import type { RuleMatch } from '../chart.ts'
import { daysOf, mergeDates } from '../outcome.ts'
import type { ClockRange, DatePart, Days, Fields, Num, When, Zone } from '../values.ts'
import { type Context, define } from './durations.ts'

const dayOnly = (n: Num | Fields): Fields | undefined => {
  if ('is' in n) return n.m === undefined && n.d !== undefined ? n : undefined
  return n.digits <= 2 && n.n >= 1 && n.n <= 31 ? { is: 'fields', d: n.n } : undefined
}

const asFields = (date: DatePart | undefined): Fields | undefined =>
  date?.is === 'fields' ? date : undefined

/** Completes each end of a range from the other: "5/1-5/7/2020", "Nov-Feb 2017", "July 13 through 15". */
const completeEnds = ({ context }: RuleMatch<Context>, a: When, b: When): [When, When] => {
  let [first, last] = [a, b]
  const [start, end] = [asFields(a.date), asFields(b.date)]
  if (start && end) {
    if (start.y === undefined && end.y !== undefined && start.m !== undefined && start.toward === undefined) {
      const y = end.y - ((end.m ?? 0) < start.m ? 1 : 0)
      first = { ...a, date: { ...start, y } }
    } else if (start.m !== undefined && end.m === undefined && end.d !== undefined && start.d !== undefined) {
      const from = daysOf(start, context.now)
      if (from) {
        const month = { ...(start.y === undefined ? {} : { y: start.y }), m: start.m }
        // "From April 27th to the third" ends in the next month.
        const to = daysOf({ ...end, ...month, is: 'fields' }, context.now)
        if (to && to.from >= from.from) last = { ...b, date: to }
        else if (to)
          last = { ...b, date: { ...to, from: addMonths(to.from, 1), to: addMonths(to.from, 1) + 1 } }
      }
    } else if (
      start.m === undefined &&
      start.d !== undefined &&
      end.m !== undefined &&
      end.d !== undefined &&
      start.dow === undefined
    ) {
      first = { ...a, date: { ...start, m: end.m, ...(end.y === undefined ? {} : { y: end.y }) } }
    }
  }
  return [first, last]
}

/** Orders a range. The end takes the first year or week after the start. */
const orderRange = (match: RuleMatch<Context>, a: When, b: When): When | undefined => {
  const { now } = match.context
  const [first, last] = completeEnds(match, a, b)
  const start = first.date ? daysOf(first.date, now) : { from: now.day }
  if (!start) return undefined
  let end = last.date ? daysOf(last.date, now) : undefined
  if (last.date && !end) return undefined
  const fields = asFields(last.date)
  if (end && fields && fields.y === undefined) {
    const later = daysOf(fields, { ...now, day: start.from })
    if (
      fields.m === undefined ? end.from <= start.from || fields.toward === undefined : end.from < start.from
    )
      end = later
    // If the start would be next year but the end is still ahead, the range has already begun.
    const begun = asFields(first.date)
    if (end && begun?.m !== undefined && begun.y === undefined && begun.toward === undefined) {
      const before = daysOf({ ...begun, toward: -1 }, now)
      const here = daysOf(fields, now)
      if (
        before &&
        here &&
        here.from < start.from &&
        before.from <= here.from &&
        here.from >= now.day &&
        here.from - before.from < 200
      )
        return { ...first, date: before, to: { ...last, date: here } }
    }
  }
  if (end && end.from < start.from) {
    // "Between Jan 22 and now" starts at the most recent 22 January.
    const begun = asFields(first.date)
    const before = begun && begun.y === undefined ? daysOf({ ...begun, toward: -1 }, now) : undefined
    return before && before.from <= end.from
      ? { ...first, date: before, to: { ...last, date: end } }
      : undefined
  }
  return { ...first, to: end ? { ...last, date: end } : last }
}

/** "4pm to 6pm on Friday" is one day. "4pm to Friday 6pm" is not, because the day precedes the hour. */
const endsOnOtherDay = ({ tokens, from, to }: RuleMatch<Context>): boolean => {
  const link = tokens
    .slice(from + 1, to)
    .findLastIndex(({ text }) => /^(?:to|till|til|until|through|thru|and|bis|-|–|—)$/.test(text))
  const next = tokens[from + link + 2]
  return (
    link >= 0 &&
    next?.kind === 'word' &&
    !/^(?:noon|midnight|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)$/.test(next.text)
  )
}

/** Tells whether a comma follows the word that links the two ends. */
const hasComma = ({ tokens, from, to }: RuleMatch<Context>): boolean => {
  const inside = tokens.slice(from, to)
  const link = inside.findLastIndex(({ text }) => /^(?:to|till|til|until|bis|-|–|—)$/.test(text))
  return link >= 0 && inside.slice(link).some(({ text }) => text === ',')
}

const isNow = ({ shift, time }: When): boolean => shift?.n === 0 && time !== undefined

const joinRange = (match: RuleMatch<Context>, first: When, last: When): When | undefined => {
  // Next to a date, "now" means today.
  const dropTime = (when: When, other: When): When =>
    isNow(when) && !other.time && when.date ? { date: when.date } : when
  const [a, b] = [dropTime(first, last), dropTime(last, first)]
  if ((a.shift?.n ?? 0) !== 0) return undefined
  if (a.to || b.to || a.bound || b.bound) return undefined
  if (!a.date && !b.date && a.time?.is === 'clock' && b.time?.is === 'clock' && (a.zone || b.zone))
    return { time: { is: 'range', a: a.time, b: b.time }, zone: (b.zone ?? a.zone) as Zone }
  if (!b.date && !(a.date && b.time && a.time)) return undefined
  if (!a.date && !a.time) return undefined
  if (a.time?.is === 'range' || b.time?.is === 'range') return undefined
  if (!a.date && b.date && !b.time) return undefined
  if (b.date && !a.date && a.time && b.time) {
    // "2pm till tomorrow 4:30pm" starts today.
    if (!endsOnOtherDay(match)) return undefined
    const tomorrow = daysOf(b.date, match.context.now)
    if (!tomorrow || tomorrow.from <= match.context.now.day) return undefined
  }
  // "Monday 3 to 4" is one day; the clock rules parse the hours.
  if (!b.date)
    return a.time?.is === 'clock' && b.time?.is === 'clock'
      ? { ...a, time: { is: 'range', a: a.time, b: b.time } }
      : undefined
  // In "Mon 2-4pm, Tue after 3" the second day is another proposal.
  if (a.date && a.time && b.time && !endsOnOtherDay(match) && hasComma(match)) return undefined
  const { zone } = b.zone ? b : a
  const found = orderRange(match, a, b)
  return found && (zone ? { ...found, zone } : found)
}

const joinDayRange = (match: RuleMatch<Context>, first: Num | Fields, last: DatePart): When | undefined => {
  const start = dayOnly(first)
  const end = asFields(last)
  if (!start || !end || end.d === undefined || (start.d as number) >= end.d) return undefined
  return orderRange(
    match,
    {
      date: {
        ...start,
        ...(end.m === undefined ? {} : { m: end.m }),
        ...(end.y === undefined ? {} : { y: end.y }),
      },
    },
    { date: last },
  )
}

const joinDaysOfMonth = (
  match: RuleMatch<Context>,
  first: Num | Fields,
  last: Num | Fields,
  month: DatePart,
): When | undefined => {
  const [a, b] = [dayOnly(first), dayOnly(last)]
  const fields = asFields(month)
  if (
    !a ||
    !b ||
    !fields ||
    fields.m === undefined ||
    fields.d !== undefined ||
    (a.d as number) >= (b.d as number)
  )
    return undefined
  const [start, end] = [mergeDates(fields, a), mergeDates(fields, b)]
  return start && end ? orderRange(match, { date: start }, { date: end }) : undefined
}

const joinMonthDays = (match: RuleMatch<Context>, start: DatePart, last: Num): When | undefined => {
  const fields = asFields(start)
  const end = dayOnly(last)
  if (!fields || !end || fields.m === undefined || fields.d === undefined || (end.d as number) <= fields.d)
    return undefined
  return orderRange(match, { date: start }, { date: { ...fields, d: end.d as number } })
}

const joinYears = (_: RuleMatch<Context>, a: number, b: number): When | undefined =>
  a < b && a > 1000 ? { date: { is: 'fields', y: a }, to: { date: { is: 'fields', y: b } } } : undefined

const joinUntilEnd = (match: RuleMatch<Context>, a: When, edge: Days): When | undefined =>
  a.date && !a.to && !a.bound && edge.edge === 'end'
    ? orderRange(match, a, { date: { is: 'days', from: edge.to, to: edge.to + 1, grain: 'day' } })
    : undefined

const withDailyHours = (_: RuleMatch<Context>, when: When, { a, b }: ClockRange): When | undefined => {
  if (!when.to || when.time || when.to.time || when.bound) return undefined
  const hours = resolveRange({ is: 'range', a, b })
  return { ...when, time: hours.a, to: { ...when.to, time: hours.b } }
}

/** "Friday - June 15" names the same day twice. */
const isOneDate = (a: When, b: When): boolean =>
  a.date?.is === 'fields' &&
  a.date.dow !== undefined &&
  a.date.d === undefined &&
  b.date !== undefined &&
  mergeDates(a.date, b.date) !== undefined

export const rangeRules = define(
  [
    'when',
    '<when> @to @the? <when>',
    (match, a: When, b: When) => (isOneDate(a, b) ? undefined : joinRange(match, a, b)),
    0.3,
  ],
  ['when', '@from? @the? <when> , @to @the? <when>', joinRange, 0.5],
  [
    'when',
    '@from? <dotted> @to @the? <dotted>',
    (match, a: Fields, b: Fields) => orderRange(match, { date: a }, { date: b }),
    0.8,
  ],
  ['when', '@from @the? <when> @to @the|on? <when>', joinRange, 0.8],
  ['when', '@between @the? <when> @and|@to @the? <when>', joinRange, 0.8],
  // "From Monday to Wednesday, 9 to 5 each day" lasts from the first hour to the last.
  ['when', '<when> ,? jeweils @from|@between? <clockrange>', withDailyHours, 0.9],
  ['when', '<when> ,? jeweils <looserange>', withDailyHours, 0.9],
  ['when', '<when> , <clockrange> each|every|per day', withDailyHours, 0.9],
  // "New Year" alone may mean the whole year. After Christmas it is a day.
  [
    'when',
    '@between|@from? <when> @and|@to|und new year',
    (match, a: When) =>
      a.date?.is === 'days' && a.date.name
        ? joinRange(match, a, { date: { is: 'fields', m: 1, d: 1 } })
        : undefined,
    1,
  ],
  [
    'when',
    'zwischen den jahren',
    (match) =>
      orderRange(match, { date: { is: 'fields', m: 12, d: 27 } }, { date: { is: 'fields', m: 12, d: 31 } }),
    1,
  ],
  [
    'when',
    '<when> / <when>',
    (match, a: When, b: When) => (a.date && b.date && a.time && b.time ? joinRange(match, a, b) : undefined),
    0.5,
  ],
  ['when', '@the? <num> .? @to|/ <date>', joinDayRange, 0.4],
  ['when', '@from @the? <num> .? @to @the? <date>', joinDayRange, 0.9],
  ['when', '@between @the? <num> .? @and @the? <date>', joinDayRange, 0.9],
  ['when', '@from? <ordday> @to @the? <date>', joinDayRange, 0.6],
  ['when', '@between <ordday> @and <date>', joinDayRange, 0.9],
  ['when', '@from? <ordday> @to <ordday> @of? <date>', joinDaysOfMonth, 0.9],
  ['when', '@between <ordday> @and <ordday> @of? <date>', joinDaysOfMonth, 1],
  ['when', '@from? @the? <num> @to @the? <num> @of|in? <date>', joinDaysOfMonth, 0.6],
  ['when', '@between @the? <num> @and @the? <num> @of? <date>', joinDaysOfMonth, 0.8],
  [
    'when',
    '@from <dashed> @of|in? <date>',
    (match, pair: Fields, month: DatePart) =>
      joinDaysOfMonth(
        match,
        { n: Math.min(pair.m as number, pair.d as number), digits: 1 },
        { n: Math.max(pair.m as number, pair.d as number), digits: 1 },
        month,
      ),
    0.7,
  ],
  [
    'when',
    '@from? <ordday> @to <ordday>',
    (match, a: Fields, b: Fields) => orderRange(match, { date: a }, { date: b }),
    0.6,
  ],
  [
    'when',
    '@between <ordday> @and <ordday>',
    (match, a: Fields, b: Fields) => orderRange(match, { date: a }, { date: b }),
    0.6,
  ],
  ['when', '@from? <date> @to @the? <num>', joinMonthDays, 0.2],
  [
    'when',
    '@from? <date> @to <ordday>',
    (match, a: DatePart, b: Fields) =>
      a.is === 'fields' && a.d !== undefined && a.m !== undefined
        ? orderRange(match, { date: a }, { date: b })
        : undefined,
    0.6,
  ],
  ['when', '@from? <year> @to @the? <year>', joinYears, 0.4],
  ['when', '@between <year> @and|@to <year>', joinYears, 0.8],
  [
    'when',
    '@from @the? <ofdate> @to @the? <when>',
    (match, a: DatePart, b: When) => joinRange(match, { date: a }, b),
    0.6,
  ],
  [
    'when',
    '<yearonly> @to @the? <when>',
    (match, a: DatePart, b: When) => (b.date ? joinRange(match, { date: a }, b) : undefined),
    -0.3,
  ],
  ['when', '@from? @the? <when> @to @the? <edgedate>', joinUntilEnd, 1],
  ['when', '@between @the? <when> @and @the? <edgedate>', joinUntilEnd, 1],
  [
    'when',
    '@from @the? <yearonly> @to @the? <edgedate>',
    (match, a: DatePart, b: Days) => joinUntilEnd(match, { date: a }, b),
    1,
  ],
  [
    'when',
    '@between @the? <yearonly> @and @the? <edgedate>',
    (match, a: DatePart, b: Days) => joinUntilEnd(match, { date: a }, b),
    1,
  ],
)
