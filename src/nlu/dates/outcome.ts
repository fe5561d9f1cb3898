import { createCursor } from '../../recurrence/cursor.ts'
import { isWithinDay, readRule } from '../../recurrence/rule.ts'
import { occurrencesBetween } from '../../recurrence/series.ts'
import {
  addMonths,
  dayOf,
  daysInMonth,
  isValidDate,
  mondayOf,
  pickLikelyHalf,
  resolveRange,
  toDateStamp,
  weekdayOf,
  ymdOf,
} from './calendar.ts'
import type {
  Bound,
  Clock,
  DatePart,
  Days,
  Duration,
  Edge,
  Fields,
  Moment,
  PartName,
  Recurring,
  TimePart,
  Unit,
  When,
  Zone,
} from './values.ts'

/** The reader's current wall-clock time, as a day number and the seconds of that day. */
export interface Now {
  day: number
  seconds: number
}

const days = (from: number, to: number, grain: Days['grain']): Days => ({ is: 'days', from, to, grain })
const oneDay = (day: number): Days => days(day, day + 1, 'day')

/** Days in the past in which a date without a year still means this year, if its weekday matches. */
const RECENT_DAYS = 31

const monthAndDay = (fields: Fields, now: Now): Days | undefined => {
  const { m, d, dow, toward } = fields as Required<Fields>
  const { y } = ymdOf(now.day)
  const inYear = (year: number): number | undefined =>
    isValidDate(year, m, d) ? dayOf(year, m, d) : undefined
  const candidates = (years: number[]): number[] => years.map(inYear).filter((day) => day !== undefined)
  if (toward === 0) {
    const [day] = candidates([y])
    return day === undefined ? undefined : oneDay(day)
  }
  if (toward === -1) {
    const past = candidates([y, y - 1, y - 2, y - 3, y - 4]).find((day) => day < now.day)
    return past === undefined ? undefined : oneDay(past)
  }
  const ahead = candidates([y, y + 1, y + 2, y + 3, y + 4, y + 8]).filter((day) =>
    toward === 1 ? day > now.day : day >= now.day,
  )
  if (dow !== undefined) {
    const matching = (day: number): boolean => weekdayOf(day) === dow
    const recent = candidates([y, y - 1]).find((day) => day < now.day && now.day - day <= RECENT_DAYS)
    if (recent !== undefined && matching(recent)) return oneDay(recent)
    const right = ahead.slice(0, 2).find(matching)
    // For a near date the weekday is probably wrong. For a distant date it determines the year.
    const soon = ahead[0] !== undefined && ahead[0] - now.day <= 62
    if (right !== undefined && !soon) return oneDay(right)
  }
  return ahead[0] === undefined ? undefined : oneDay(ahead[0])
}

const dayOfMonth = (fields: Fields, now: Now): Days | undefined => {
  const { y, m, d: today } = ymdOf(now.day)
  const d = fields.d as number
  const months = Array.from({ length: 25 }, (_, index) => index + (fields.toward === 1 ? 1 : 0))
  const found = months
    .map((ahead) => ({
      year: y + Math.floor((m - 1 + ahead) / 12),
      month: ((m - 1 + ahead) % 12) + 1,
      ahead,
    }))
    .filter(({ year, month, ahead }) => d <= daysInMonth(year, month) && (ahead > 0 || d >= today))
    .map(({ year, month }) => dayOf(year, month, d))
  const right = fields.dow === undefined ? undefined : found.find((day) => weekdayOf(day) === fields.dow)
  const day = right ?? found[0]
  return day === undefined ? undefined : oneDay(day)
}

const weekday = (dow: number, toward: number | undefined, now: Now): number => {
  const monday = mondayOf(now.day)
  if (toward === 1) return monday + 7 + dow - 1
  if (toward === -1) return monday - 7 + dow - 1
  const ahead = (dow - weekdayOf(now.day) + 7) % 7
  return now.day + (ahead === 0 && toward === undefined ? 7 : ahead)
}

/** Resolves a date part to days. Returns undefined for an impossible date such as 30 February. */
export const daysOf = (part: DatePart, now: Now): Days | undefined => {
  if (part.is === 'days') return part
  const { y, m, d, dow, toward } = part
  if (y !== undefined && m !== undefined && d !== undefined) {
    if (isValidDate(y, m, d)) return oneDay(dayOf(y, m, d))
    return part.digits && isValidDate(y, d, m) ? oneDay(dayOf(y, d, m)) : undefined
  }
  if (m !== undefined && d !== undefined) return monthAndDay(part, now)
  if (d !== undefined) return dayOfMonth(part, now)
  if (dow !== undefined) return oneDay(weekday(dow, toward, now))
  if (m !== undefined) {
    const today = ymdOf(now.day)
    const year =
      y ??
      (toward === 0
        ? today.y
        : toward === -1
          ? today.y - (m >= today.m ? 1 : 0)
          : today.y + (m < today.m || (toward === 1 && m === today.m) ? 1 : 0))
    return days(dayOf(year, m, 1), dayOf(year, m + 1, 1), 'month')
  }
  if (y !== undefined) return days(dayOf(y, 1, 1), dayOf(y + 1, 1, 1), 'year')
  return undefined
}

const isBare = (fields: Fields, ...keys: (keyof Fields)[]): boolean =>
  (['y', 'm', 'd', 'dow'] as const).every((key) => keys.includes(key) === (fields[key] !== undefined))

const mergeWithFields = (known: Days, fields: Fields): Days | undefined => {
  if (known.grain === 'week' && isBare(fields, 'dow')) return oneDay(known.from + (fields.dow as number) - 1)
  if (known.grain !== 'day' || known.to - known.from !== 1) return undefined
  const { y, m, d } = ymdOf(known.from)
  const same =
    (fields.y ?? y) === y &&
    (fields.m ?? m) === m &&
    (fields.d ?? d) === d &&
    (fields.dow ?? weekdayOf(known.from)) === weekdayOf(known.from)
  return same ? known : undefined
}

/** Merges two adjacent dates such as "Friday" and "the 13th". Returns undefined if they contradict. */
export const mergeDates = (a: DatePart, b: DatePart): DatePart | undefined => {
  if (a.is === 'days') return b.is === 'days' ? undefined : mergeWithFields(a, b)
  if (b.is === 'days') return mergeWithFields(b, a)
  const merged: Fields = { ...a, ...b }
  for (const key of ['y', 'm', 'd', 'dow'] as const)
    if (a[key] !== undefined && b[key] !== undefined) return undefined
  if (a.toward !== undefined && b.toward !== undefined && a.toward !== b.toward) return undefined
  // In "next Friday, 9 June" the date overrides "next".
  if (a.dow !== undefined && b.m !== undefined && b.toward === undefined) delete merged.toward
  if (b.dow !== undefined && a.m !== undefined && a.toward === undefined) delete merged.toward
  if (merged.d !== undefined && merged.m === undefined && merged.y !== undefined) return undefined
  if (merged.dow !== undefined && merged.d === undefined) return undefined
  return merged
}

/**
 * Adds the months and days of a duration, or subtracts them if `sign` is -1. The caller handles the seconds.
 */
export const shiftDay = (day: number, { months, days: plus }: Duration, sign: 1 | -1): number =>
  addMonths(day, Math.trunc(months) * sign) + plus * sign

export type TimeKind =
  | 'date'
  | 'time'
  | 'datetime'
  | 'daterange'
  | 'timerange'
  | 'datetimerange'
  | 'duration'
  | 'recurrence'

/** The resolved meaning of an expression, relative to the reader's current time. */
export interface Outcome {
  kind: TimeKind
  /** The moment itself, or the first moment of a range. */
  start?: Moment
  /** The exclusive end of a range. For days it is the day after the last one, unless `inclusive` is set. */
  end?: Moment
  /** `end` is the last day of the range, not the day after it. */
  inclusive?: true
  grain: Unit
  bound?: Bound
  around?: true
  /** The text names the day. Otherwise `start` is the next day on which the time occurs. */
  dated: boolean
  part?: PartName
  edge?: Edge
  /** "the next 3 weeks": 3; "the last two": -2. */
  count?: number
  /** The distance from now, or the length. */
  duration?: Duration
  rule?: string
  zone?: Zone
  /** The time may be a.m. or p.m. */
  either?: true
  name?: string
  /** Alternative times, as in "3 or 4pm". */
  alternatives?: Moment[]
}

/** A time expression and its position in the text. */
export interface TimeExpression extends Outcome {
  text: string
  offset: number
  /** The confidence that the text means this time, 0 to 1. */
  confidence: number
  /** The offset of the zone name. The name may follow `text`. */
  zoneOffset?: number
}

/** The hours of each part of the day. "Early" and "late" are the halves of a part. */
export const DAY_PARTS: Readonly<Record<PartName, readonly [from: number, to: number]>> = {
  morning: [8, 12],
  breakfast: [7, 9],
  noon: [11, 14],
  lunch: [12, 14],
  afternoon: [12, 18],
  dinner: [18, 21],
  evening: [18, 22],
  night: [20, 24],
  daytime: [8, 18],
  nighttime: [0, 8],
  business: [9, 17],
}

const toSeconds = (clock: Clock): number => clock.h * 3600 + clock.mi * 60 + (clock.s ?? 0)

const toMoment = (day: number, clock: Clock): Moment => {
  const seconds = toSeconds(clock)
  const plus = (clock.plus ?? 0) + Math.floor(seconds / 86_400)
  return { day: day + plus, seconds: seconds % 86_400 }
}

interface Span {
  start: Moment
  end?: Moment
  grain: Unit
  either?: true
}

const partSpan = (day: number, name: PartName, edge: Edge | undefined): Span => {
  const [from, to] = DAY_PARTS[name]
  const middle = (from + to) / 2
  const [start, end] = edge === 'start' ? [from, middle] : edge === 'end' ? [middle, to] : [from, to]
  const at = (hours: number): Moment => ({ day: day + Math.floor(hours / 24), seconds: (hours % 24) * 3600 })
  return { start: at(start), end: at(end), grain: 'hour' }
}

const timeOn = (day: number, time: TimePart): Span => {
  if (time.is === 'part') return partSpan(day, time.name, time.edge)
  if (time.is === 'clock') {
    const clock = pickLikelyHalf(time)
    return { start: toMoment(day, clock), grain: clock.grain, ...(time.either ? { either: true } : {}) }
  }
  const { a, b } = resolveRange(time)
  const start = toMoment(day, a)
  let end = toMoment(day, b)
  if (end.day === start.day && (end.seconds as number) <= (start.seconds as number))
    end = { ...end, day: end.day + 1 }
  return {
    start,
    end,
    grain: a.grain === 'minute' || b.grain === 'minute' ? 'minute' : a.grain,
    ...(time.a.either && time.b.either ? { either: true } : {}),
  }
}

/** Picks the day for a time without a date: today, or tomorrow if the time is over. */
const nextDayFor = (time: TimePart, now: Now): number => {
  const { start, end } = timeOn(now.day, time)
  const last = end ?? start
  const over = last.day === now.day && (last.seconds as number) < now.seconds
  return over && (time.is !== 'part' || start.day === now.day) ? now.day + 1 : now.day
}

const addSeconds = (at: Moment, seconds: number): Moment => {
  const total = (at.seconds ?? 0) + seconds
  return { day: at.day + Math.floor(total / 86_400), seconds: ((total % 86_400) + 86_400) % 86_400 }
}

const toDetails = (when: When, days: Days | undefined): Partial<Outcome> => ({
  ...(when.bound ? { bound: when.bound } : {}),
  ...(when.around ? { around: true } : {}),
  ...(when.zone ? { zone: when.zone } : {}),
  ...(when.shift ? { duration: when.shift } : {}),
  ...(days?.edge ? { edge: days.edge } : {}),
  ...(days?.count ? { count: days.count } : {}),
  ...(days?.name ? { name: days.name } : {}),
  ...(when.time?.is === 'part'
    ? { part: when.time.name, ...(when.time.edge ? { edge: when.time.edge } : {}) }
    : {}),
})

const resolveRangeOutcome = (when: When, days: Days | undefined, now: Now): Outcome | undefined => {
  const to = when.to as When
  const last = to.date ? daysOf(to.date, now) : undefined
  const first = days ?? { from: now.day }
  if (!last) return undefined
  const more = toDetails(when, days)
  if (!when.time && !to.time) {
    const inclusive = last.grain === 'day' && !when.shift
    return {
      kind: 'daterange',
      start: { day: first.from },
      end: { day: last.from },
      ...(inclusive ? { inclusive: true } : {}),
      grain: last.grain === 'day' ? 'day' : last.grain,
      dated: true,
      ...more,
    }
  }
  const start = when.time
    ? timeOn(first.from, when.time)
    : { start: { day: first.from }, grain: 'day' as Unit }
  const end = to.time
    ? timeOn(last.from, to.time)
    : { start: { day: last.from + 1, seconds: 0 }, grain: 'day' as Unit }
  return {
    kind: 'datetimerange',
    start: start.start,
    end: end.end ?? end.start,
    grain: start.grain,
    dated: true,
    ...more,
  }
}

const resolveTimed = (when: When, days: Days | undefined, now: Now): Outcome => {
  const time = when.time as TimePart
  const tonight = days && days.from === now.day && time.is === 'clock' && !time.either
  let day = days ? days.from : nextDayFor(time, now)
  // "Tonight at 2am" is after midnight.
  if (tonight && time.h < 5 && toSeconds(time) < now.seconds && !when.shift) day += 1
  const span = timeOn(day, time)
  const end =
    span.end ??
    (when.shift && when.shift.seconds > 0 && !isFromNow(when)
      ? addSeconds(span.start, when.shift.seconds)
      : undefined)
  const isRange = end !== undefined || when.bound !== undefined
  return {
    kind: days ? (isRange ? 'datetimerange' : 'datetime') : isRange ? 'timerange' : 'time',
    start: span.start,
    ...(end ? { end } : {}),
    grain: span.grain,
    dated: days !== undefined,
    ...(span.either ? { either: true } : {}),
    ...(time.is === 'clock' && time.or ? { alternatives: [toMoment(day, pickLikelyHalf(time.or))] } : {}),
    ...toDetails(when, days),
  }
}

/** "In 2 hours" is already resolved; "at 3 for 2 hours" is not. */
const isFromNow = (when: When): boolean =>
  when.time?.is === 'clock' && when.time.grain === 'second' && when.shift !== undefined

export const outcomeOf = (when: When, now: Now): Outcome | undefined => {
  const days = when.date ? daysOf(when.date, now) : undefined
  if (when.date && !days) return undefined
  if (when.to) return resolveRangeOutcome(when, days, now)
  if (when.time) return resolveTimed(when, days, now)
  if (!days) return undefined
  const one = days.grain === 'day' && days.to - days.from === 1 && !days.count
  return {
    kind: one && !when.bound ? 'date' : 'daterange',
    start: { day: days.from },
    ...(one ? {} : { end: { day: days.to } }),
    ...(days.within ? { inclusive: true } : {}),
    grain: days.grain,
    dated: true,
    ...toDetails(when, days),
  }
}

const DAY_MS = 86_400_000

/** Returns the first day from `from` on that matches. A rule without days starts immediately. */
export const firstDay = (text: string, from: number): number => {
  const read = readRule(text.replace(/;INTERVAL=\d+/, ''))
  if ('fault' in read || isWithinDay(read.rule)) return from
  const start = from * DAY_MS
  const cursor = createCursor(read.rule, start, start, Number.POSITIVE_INFINITY)
  while (cursor.advance())
    for (let index = 0; index < cursor.size(); index++)
      if (cursor.at(index) >= start) return Math.floor(cursor.at(index) / DAY_MS)
  return from
}

const firstFor = (time: TimePart, now: Now): number => {
  const { start } = timeOn(now.day, time)
  return start.day === now.day && (start.seconds as number) < now.seconds ? now.day + 1 : now.day
}

/** Picks the next of several hours: at noon, "at 8am and 8pm" starts in the evening. */
const pickNextHour = ({ time, hours }: Recurring, now: Now): TimePart | undefined => {
  if (!hours || time?.is !== 'clock') return time
  const ordered = [...hours].sort((a, b) => a - b)
  const next = ordered.find((h) => h * 3600 + time.mi * 60 >= now.seconds) ?? (ordered[0] as number)
  return { ...time, h: next }
}

/** A daily or working-day routine at 7 is in the morning. */
const assumeMorning = (set: Recurring): Recurring => {
  const { time, rule } = set
  if (time?.is !== 'clock' || !time.either || time.h !== 7 || set.hours) return set
  const { either: _, ...morning } = time
  return /^FREQ=DAILY$|BYDAY=MO,TU,WE,TH,FR/.test(rule) ? { ...set, time: morning } : set
}

/** Half a year: a start without a year that is further ahead was in the last twelve months. */
const NEAR_DAYS = 183

/**
 * Returns the first day of a series that ends before `end`. "Starting 1 Nov" in the middle of November means this month.
 */
const firstDayOf = ({ from }: Recurring, now: Now, end: number | undefined): number | undefined => {
  const days = from?.date && daysOf(from.date, now)
  if (!from?.date || !days || from.date.is !== 'fields') return days?.from
  const { y, m, d } = from.date
  const isNext = end === undefined ? days.from - now.day > NEAR_DAYS : days.from >= end
  if (y !== undefined || m === undefined || d === undefined || !isNext) return days.from
  const year = ymdOf(days.from).y - 1
  return isValidDate(year, m, d) ? dayOf(year, m, d) : days.from
}

/** Returns the first day from today on of a series that has begun. Intervals count from its beginning. */
const nextDayOf = (text: string, begun: number, today: number): number => {
  const read = readRule(text)
  if ('fault' in read || isWithinDay(read.rule)) return today
  const series = {
    start: firstDay(text, begun) * DAY_MS,
    timezone: 'UTC',
    allDay: true,
    rules: [read.rule],
    exclusionRules: [],
    added: [],
    excluded: [],
  }
  const next = occurrencesBetween(series, today * DAY_MS, Number.POSITIVE_INFINITY).next().value
  return next === undefined ? today : next / DAY_MS
}

export const recurrenceOf = (recurring: Recurring, now: Now): Outcome => {
  const set = assumeMorning(recurring)
  const until = set.until?.date ? daysOf(set.until.date, now) : undefined
  const time = pickNextHour(set, now)
  // A series starts at a time in the future, even if its part of the day has begun.
  const from = firstDayOf(set, now, until?.to)
  const soonest = time && (from === undefined || from < now.day) ? firstFor(time, now) : now.day
  const day =
    from !== undefined && from < now.day
      ? nextDayOf(set.rule, from, soonest)
      : firstDay(set.rule, Math.max(soonest, from ?? 0))
  const span = time ? timeOn(day, time) : undefined
  const end = span?.end ?? (span && set.length ? addSeconds(span.start, set.length.seconds) : undefined)
  const last = until ? until.to - 1 : set.lasting ? shiftDay(day, set.lasting, 1) - 1 : undefined
  const hours = set.hours ? `;BYHOUR=${[...set.hours].sort((a, b) => a - b).join(',')}` : ''
  return {
    kind: 'recurrence',
    rule: `${set.rule}${hours}${last === undefined ? '' : `;UNTIL=${toDateStamp(last)}`}`,
    // An hourly or minutely series starts now.
    start: span?.start ?? {
      day,
      ...(/^FREQ=(?:HOURLY|MINUTELY)/.test(set.rule) ? { seconds: now.seconds - (now.seconds % 60) } : {}),
    },
    ...(end ? { end } : {}),
    ...(span?.either ? { either: true } : {}),
    grain: span?.grain ?? 'day',
    dated: true,
    ...(time?.is === 'part' ? { part: time.name } : {}),
    ...(set.zone ? { zone: set.zone } : {}),
  }
}

/** Counts 30 days per month and 365 per year, as people do when they compare lengths. */
export const durationSeconds = ({ months, days, seconds }: Duration): number =>
  (Math.floor(months / 12) * 365 + (months % 12) * 30 + days) * 86_400 + seconds
