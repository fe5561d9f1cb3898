import { daysInMonth, weekdayOf, ymdOf } from './calendar.ts'
import { likely, settleRange } from './clocks.ts'
import { daysOf, type Now, shiftDay } from './resolve.ts'
import type {
  Bound,
  Clock,
  Days,
  Duration,
  Edge,
  PartName,
  Recurring,
  TimePart,
  Unit,
  When,
  Zone,
} from './values.ts'

export type TimeKind =
  | 'date'
  | 'time'
  | 'datetime'
  | 'daterange'
  | 'timerange'
  | 'datetimerange'
  | 'duration'
  | 'recurrence'

/** A wall-clock moment; without `seconds` the whole day. */
export interface Moment {
  day: number
  seconds?: number
}

/** What an expression comes to, seen from the reader's now. */
export interface Outcome {
  kind: TimeKind
  /** The moment, or the first of a stretch. */
  start?: Moment
  /** The first moment after a stretch; of days, the day after the last one, unless `inclusive`. */
  end?: Moment
  /** The end is the last day that was named, not the one after. */
  inclusive?: true
  grain: Unit
  bound?: Bound
  around?: true
  /** The text says which day; otherwise it is the next on which the clock shows the time. */
  dated: boolean
  part?: PartName
  edge?: Edge
  /** "the next 3 weeks": 3; "the last two": -2. */
  count?: number
  /** How much from now, or for how long. */
  duration?: Duration
  rule?: string
  zone?: Zone
  /** Both halves of the day are possible. */
  either?: true
  name?: string
  /** The other hours that would do as well, as in "3 or 4pm". */
  alternatives?: Moment[]
}

/** When the parts of a day are; "late" and "early" are halves of them. */
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

const secondsOf = (clock: Clock): number => clock.h * 3600 + clock.mi * 60 + (clock.s ?? 0)

const moment = (day: number, clock: Clock): Moment => {
  const seconds = secondsOf(clock)
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
    const clock = likely(time)
    return { start: moment(day, clock), grain: clock.grain, ...(time.either ? { either: true } : {}) }
  }
  const { a, b } = settleRange(time)
  const start = moment(day, a)
  let end = moment(day, b)
  if (end.day === start.day && (end.seconds as number) <= (start.seconds as number))
    end = { ...end, day: end.day + 1 }
  return {
    start,
    end,
    grain: a.grain === 'minute' || b.grain === 'minute' ? 'minute' : a.grain,
    ...(time.a.either && time.b.either ? { either: true } : {}),
  }
}

/** The day on which a time without one is meant: today, or tomorrow when it is over. */
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

const details = (when: When, days: Days | undefined): Partial<Outcome> => ({
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

const between = (when: When, days: Days | undefined, now: Now): Outcome | undefined => {
  const to = when.to as When
  const last = to.date ? daysOf(to.date, now) : undefined
  const first = days ?? { from: now.day }
  if (!last) return undefined
  const more = details(when, days)
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

const timed = (when: When, days: Days | undefined, now: Now): Outcome => {
  const time = when.time as TimePart
  const tonight = days && days.from === now.day && time.is === 'clock' && !time.either
  let day = days ? days.from : nextDayFor(time, now)
  // "tonight at 2am" is still to come.
  if (tonight && time.h < 5 && secondsOf(time) < now.seconds && !when.shift) day += 1
  const span = timeOn(day, time)
  const end =
    span.end ??
    (when.shift && when.shift.seconds > 0 && !isFromNow(when)
      ? addSeconds(span.start, when.shift.seconds)
      : undefined)
  const stretch = end !== undefined || when.bound !== undefined
  return {
    kind: days ? (stretch ? 'datetimerange' : 'datetime') : stretch ? 'timerange' : 'time',
    start: span.start,
    ...(end ? { end } : {}),
    grain: span.grain,
    dated: days !== undefined,
    ...(span.either ? { either: true } : {}),
    ...(time.is === 'clock' && time.or ? { alternatives: [moment(day, likely(time.or))] } : {}),
    ...details(when, days),
  }
}

/** "in 2 hours" has been worked out already; "at 3 for 2 hours" has not. */
const isFromNow = (when: When): boolean =>
  when.time?.is === 'clock' && when.time.grain === 'second' && when.shift !== undefined

export const outcomeOf = (when: When, now: Now): Outcome | undefined => {
  const days = when.date ? daysOf(when.date, now) : undefined
  if (when.date && !days) return undefined
  if (when.to) return between(when, days, now)
  if (when.time) return timed(when, days, now)
  if (!days) return undefined
  const one = days.grain === 'day' && days.to - days.from === 1 && !days.count
  return {
    kind: one && !when.bound ? 'date' : 'daterange',
    start: { day: days.from },
    ...(one ? {} : { end: { day: days.to } }),
    ...(days.within ? { inclusive: true } : {}),
    grain: days.grain,
    dated: true,
    ...details(when, days),
  }
}

const DAY_CODES = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

/** Whether a day fits the parts of a rule that name days. */
const fits = (rule: string, day: number): boolean => {
  const part = (name: string): string[] | undefined =>
    new RegExp(`;${name}=([^;]+)`).exec(rule)?.[1]?.split(',')
  const { y, m, d } = ymdOf(day)
  const last = daysInMonth(y, m)
  const weekday = DAY_CODES[weekdayOf(day) - 1] as string
  const named = part('BYDAY')?.some((code) => {
    const [, n, name] = /^(-?\d+)?([A-Z]{2})$/.exec(code) ?? []
    if (name !== weekday) return false
    return (
      n === undefined || Number(n) === (Number(n) > 0 ? Math.ceil(d / 7) : -Math.ceil((last - d + 1) / 7))
    )
  })
  const numbered = part('BYMONTHDAY')?.some((n) => Number(n) === d || Number(n) === d - last - 1)
  const inMonth = part('BYMONTH')?.some((n) => Number(n) === m)
  return (named ?? true) && (numbered ?? true) && (inMonth ?? true)
}

/** The first or last of the days in its month that fit. */
const isAtPosition = (rule: string, day: number): boolean => {
  const position = Number(/;BYSETPOS=(-?1)(?:;|$)/.exec(rule)?.[1] ?? 0)
  if (position === 0) return true
  const { y, m, d } = ymdOf(day)
  const rest = position > 0 ? d - 1 : daysInMonth(y, m) - d
  return !Array.from({ length: rest }, (_, index) => day - position * (index + 1)).some((other) =>
    fits(rule, other),
  )
}

/** The first day on or after another that fits; a rule without days starts at once. */
export const firstDay = (rule: string, from: number): number => {
  for (let day = from; day < from + 800; day++) if (fits(rule, day) && isAtPosition(rule, day)) return day
  return from
}

const firstFor = (time: TimePart, now: Now): number => {
  const { start } = timeOn(now.day, time)
  return start.day === now.day && (start.seconds as number) < now.seconds ? now.day + 1 : now.day
}

/** Of several hours the next: at noon, "at 8am and 8pm" begins in the evening. */
const nextOf = ({ time, hours }: Recurring, now: Now): TimePart | undefined => {
  if (!hours || time?.is !== 'clock') return time
  const ordered = [...hours].sort((a, b) => a - b)
  const next = ordered.find((h) => h * 3600 + time.mi * 60 >= now.seconds) ?? (ordered[0] as number)
  return { ...time, h: next }
}

/** On every working day, seven is in the morning. */
const routine = (set: Recurring): Recurring => {
  const { time, rule } = set
  if (time?.is !== 'clock' || !time.either || time.h !== 7 || set.hours) return set
  const { either: _, ...morning } = time
  return /^FREQ=DAILY$|BYDAY=MO,TU,WE,TH,FR/.test(rule) ? { ...set, time: morning } : set
}

export const recurrenceOf = (said: Recurring, now: Now): Outcome => {
  const set = routine(said)
  const until = set.until?.date ? daysOf(set.until.date, now) : undefined
  const from = set.from?.date ? daysOf(set.from.date, now) : undefined
  const time = nextOf(set, now)
  // What comes back begins with a time that is still to come, though its part of the day may be under way.
  const soonest = time && !from ? firstFor(time, now) : Math.max(now.day, from?.from ?? 0)
  const day = firstDay(set.rule, soonest)
  const span = time ? timeOn(day, time) : undefined
  const end = span?.end ?? (span && set.length ? addSeconds(span.start, set.length.seconds) : undefined)
  const last = until ? until.to - 1 : set.lasting ? shiftDay(day, set.lasting, 1) - 1 : undefined
  const stamp = last === undefined ? undefined : ymdOf(last)
  const pad = (n: number, width = 2): string => String(n).padStart(width, '0')
  const hours = set.hours ? `;BYHOUR=${[...set.hours].sort((a, b) => a - b).join(',')}` : ''
  return {
    kind: 'recurrence',
    rule: `${set.rule}${hours}${stamp ? `;UNTIL=${pad(stamp.y, 4)}${pad(stamp.m)}${pad(stamp.d)}` : ''}`,
    // Every so many hours, the first is now.
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

/** Months count 30 days and years 365, as people do when they compare lengths. */
export const durationSeconds = ({ months, days, seconds }: Duration): number =>
  (Math.floor(months / 12) * 365 + (months % 12) * 30 + days) * 86_400 + seconds
