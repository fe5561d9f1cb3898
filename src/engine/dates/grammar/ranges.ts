import { addMonths } from '../calendar.ts'
import type { Place } from '../chart.ts'
import { settleRange } from '../clocks.ts'
import type { Num } from '../numbers.ts'
import { daysOf, mergeDates } from '../resolve.ts'
import type { ClockRange, DatePart, Days, Fields, When, Zone } from '../values.ts'
import { type Context, define } from './context.ts'

const dayOnly = (n: Num | Fields): Fields | undefined => {
  if ('is' in n) return n.m === undefined && n.d !== undefined ? n : undefined
  return n.digits <= 2 && n.n >= 1 && n.n <= 31 ? { is: 'fields', d: n.n } : undefined
}

const asFields = (date: DatePart | undefined): Fields | undefined =>
  date?.is === 'fields' ? date : undefined

/** What one end leaves out, the other says: "5/1-5/7/2020", "Nov-Feb 2017", "July 13 through 15". */
const complete = ({ context }: Place<Context>, a: When, b: When): [When, When] => {
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
        // "from April 27th to the third": of the next month.
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

/** After the start: the end's year or week is the first that comes after it. */
const ordered = (place: Place<Context>, a: When, b: When): When | undefined => {
  const { now } = place.context
  const [first, last] = complete(place, a, b)
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
    // A start that is taken from the year to come, while the end is still ahead: the stretch is under way.
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
    // "between Jan 22 and now": the last one.
    const begun = asFields(first.date)
    const before = begun && begun.y === undefined ? daysOf({ ...begun, toward: -1 }, now) : undefined
    return before && before.from <= end.from
      ? { ...first, date: before, to: { ...last, date: end } }
      : undefined
  }
  return { ...first, to: end ? { ...last, date: end } : last }
}

/** "4pm to 6pm on Friday" is one day, "4pm to Friday 6pm" is not: there the day comes first. */
const endsOnOtherDay = ({ tokens, from, to }: Place<Context>): boolean => {
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

/** Behind what links its two ends. */
const hasComma = ({ tokens, from, to }: Place<Context>): boolean => {
  const inside = tokens.slice(from, to)
  const link = inside.findLastIndex(({ text }) => /^(?:to|till|til|until|bis|-|–|—)$/.test(text))
  return link >= 0 && inside.slice(link).some(({ text }) => text === ',')
}

const isNow = ({ shift, time }: When): boolean => shift?.n === 0 && time !== undefined

const between = (place: Place<Context>, first: When, last: When): When | undefined => {
  // Beside a date, now is today.
  const plain = (when: When, other: When): When =>
    isNow(when) && !other.time && when.date ? { date: when.date } : when
  const [a, b] = [plain(first, last), plain(last, first)]
  if ((a.shift?.n ?? 0) !== 0) return undefined
  if (a.to || b.to || a.bound || b.bound) return undefined
  if (!a.date && !b.date && a.time?.is === 'clock' && b.time?.is === 'clock' && (a.zone || b.zone))
    return { time: { is: 'range', a: a.time, b: b.time }, zone: (b.zone ?? a.zone) as Zone }
  if (!b.date && !(a.date && b.time && a.time)) return undefined
  if (!a.date && !a.time) return undefined
  if (a.time?.is === 'range' || b.time?.is === 'range') return undefined
  if (!a.date && b.date && !b.time) return undefined
  if (b.date && !a.date && a.time && b.time) {
    // "2pm till tomorrow 4:30pm": from today.
    if (!endsOnOtherDay(place)) return undefined
    const tomorrow = daysOf(b.date, place.context.now)
    if (!tomorrow || tomorrow.from <= place.context.now.day) return undefined
  }
  // "Monday 3 to 4" is one day; the hours are read there.
  if (!b.date)
    return a.time?.is === 'clock' && b.time?.is === 'clock'
      ? { ...a, time: { is: 'range', a: a.time, b: b.time } }
      : undefined
  // "Mon 2-4pm, Tue after 3": the second day is another proposal.
  if (a.date && a.time && b.time && !endsOnOtherDay(place) && hasComma(place)) return undefined
  const { zone } = b.zone ? b : a
  const found = ordered(place, a, b)
  return found && (zone ? { ...found, zone } : found)
}

const dayRange = (place: Place<Context>, first: Num | Fields, last: DatePart): When | undefined => {
  const start = dayOnly(first)
  const end = asFields(last)
  if (!start || !end || end.d === undefined || (start.d as number) >= end.d) return undefined
  return ordered(
    place,
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

const daysOfMonth = (
  place: Place<Context>,
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
  return start && end ? ordered(place, { date: start }, { date: end }) : undefined
}

const monthDays = (place: Place<Context>, start: DatePart, last: Num): When | undefined => {
  const fields = asFields(start)
  const end = dayOnly(last)
  if (!fields || !end || fields.m === undefined || fields.d === undefined || (end.d as number) <= fields.d)
    return undefined
  return ordered(place, { date: start }, { date: { ...fields, d: end.d as number } })
}

const years = (_: Place<Context>, a: number, b: number): When | undefined =>
  a < b && a > 1000 ? { date: { is: 'fields', y: a }, to: { date: { is: 'fields', y: b } } } : undefined

const untilEnd = (place: Place<Context>, a: When, edge: Days): When | undefined =>
  a.date && !a.to && !a.bound && edge.edge === 'end'
    ? ordered(place, a, { date: { is: 'days', from: edge.to, to: edge.to + 1, grain: 'day' } })
    : undefined

const dailyWithin = (_: Place<Context>, when: When, { a, b }: ClockRange): When | undefined => {
  if (!when.to || when.time || when.to.time || when.bound) return undefined
  const hours = settleRange({ is: 'range', a, b })
  return { ...when, time: hours.a, to: { ...when.to, time: hours.b } }
}

/** "Friday - June 15" names one day twice. */
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
    (place, a: When, b: When) => (isOneDate(a, b) ? undefined : between(place, a, b)),
    0.3,
  ],
  ['when', '@from? @the? <when> , @to @the? <when>', between, 0.5],
  [
    'when',
    '@from? <dotted> @to @the? <dotted>',
    (place, a: Fields, b: Fields) => ordered(place, { date: a }, { date: b }),
    0.8,
  ],
  ['when', '@from @the? <when> @to @the|on? <when>', between, 0.8],
  ['when', '@between @the? <when> @and|@to @the? <when>', between, 0.8],
  // "From Monday to Wednesday, 9 to 5 each day": from the first hour to the last.
  ['when', '<when> ,? jeweils @from|@between? <clockrange>', dailyWithin, 0.9],
  ['when', '<when> ,? jeweils <looserange>', dailyWithin, 0.9],
  ['when', '<when> , <clockrange> each|every|per day', dailyWithin, 0.9],
  // "New Year" by itself may be the whole of it; after Christmas it is a day.
  [
    'when',
    '@between|@from? <when> @and|@to|und new year',
    (place, a: When) =>
      a.date?.is === 'days' && a.date.name
        ? between(place, a, { date: { is: 'fields', m: 1, d: 1 } })
        : undefined,
    1,
  ],
  [
    'when',
    'zwischen den jahren',
    (place) =>
      ordered(place, { date: { is: 'fields', m: 12, d: 27 } }, { date: { is: 'fields', m: 12, d: 31 } }),
    1,
  ],
  [
    'when',
    '<when> / <when>',
    (place, a: When, b: When) => (a.date && b.date && a.time && b.time ? between(place, a, b) : undefined),
    0.5,
  ],
  ['when', '@the? <num> .? @to|/ <date>', dayRange, 0.4],
  ['when', '@from @the? <num> .? @to @the? <date>', dayRange, 0.9],
  ['when', '@between @the? <num> .? @and @the? <date>', dayRange, 0.9],
  ['when', '@from? <ordday> @to @the? <date>', dayRange, 0.6],
  ['when', '@between <ordday> @and <date>', dayRange, 0.9],
  ['when', '@from? <ordday> @to <ordday> @of? <date>', daysOfMonth, 0.9],
  ['when', '@between <ordday> @and <ordday> @of? <date>', daysOfMonth, 1],
  ['when', '@from? @the? <num> @to @the? <num> @of|in? <date>', daysOfMonth, 0.6],
  ['when', '@between @the? <num> @and @the? <num> @of? <date>', daysOfMonth, 0.8],
  [
    'when',
    '@from <dashed> @of|in? <date>',
    (place, pair: Fields, month: DatePart) =>
      daysOfMonth(
        place,
        { n: Math.min(pair.m as number, pair.d as number), digits: 1 },
        { n: Math.max(pair.m as number, pair.d as number), digits: 1 },
        month,
      ),
    0.7,
  ],
  [
    'when',
    '@from <ordday> @to <ordday>',
    (place, a: Fields, b: Fields) => ordered(place, { date: a }, { date: b }),
    0.6,
  ],
  [
    'when',
    '@between <ordday> @and <ordday>',
    (place, a: Fields, b: Fields) => ordered(place, { date: a }, { date: b }),
    0.6,
  ],
  [
    'when',
    '@the <ordday> @to <ordday>',
    (place, a: Fields, b: Fields) => ordered(place, { date: a }, { date: b }),
    0.4,
  ],
  ['when', '@from? <date> @to @the? <num>', monthDays, 0.2],
  [
    'when',
    '@from? <date> @to <ordday>',
    (place, a: DatePart, b: Fields) =>
      a.is === 'fields' && a.d !== undefined && a.m !== undefined
        ? ordered(place, { date: a }, { date: b })
        : undefined,
    0.6,
  ],
  ['when', '@from? <year> @to @the? <year>', years, 0.4],
  ['when', '@between <year> @and|@to <year>', years, 0.8],
  [
    'when',
    '@from @the? <ofdate> @to @the? <when>',
    (place, a: DatePart, b: When) => between(place, { date: a }, b),
    0.6,
  ],
  [
    'when',
    '<yearonly> @to @the? <when>',
    (place, a: DatePart, b: When) => (b.date ? between(place, { date: a }, b) : undefined),
    -0.3,
  ],
  ['when', '@from? @the? <when> @to @the? <edgedate>', untilEnd, 1],
  ['when', '@between @the? <when> @and @the? <edgedate>', untilEnd, 1],
  [
    'when',
    '@from @the? <yearonly> @to @the? <edgedate>',
    (place, a: DatePart, b: Days) => untilEnd(place, { date: a }, b),
    1,
  ],
  [
    'when',
    '@between @the? <yearonly> @and @the? <edgedate>',
    (place, a: DatePart, b: Days) => untilEnd(place, { date: a }, b),
    1,
  ],
)
