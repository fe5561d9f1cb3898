import {
  createSteps,
  DAY,
  dateOf,
  firstWeekOf,
  HOUR,
  kindOfYear,
  MINUTE,
  type Month,
  modulo,
  monthOf,
  newYearOf,
  SECOND,
  type Steps,
  spend,
  weekdayOf,
  weekOf,
  weekYearOf,
  yearOf,
} from './days.ts'
import { type Frequency, isWithinDay, type Rule, withStartDay, withStartTime } from './rule.ts'

/**
 * Returns the indices that BYSETPOS selects from `size` items, ascending. Results are cached, because the
 * same few sizes occur again and again.
 */
const createPositions = (byPosition: readonly number[]): ((size: number) => readonly number[]) => {
  const cache = new Map<number, readonly number[]>()
  return (size) => {
    const cached = cache.get(size)
    if (cached) return cached
    const picked = byPosition
      .map((position) => (position > 0 ? position - 1 : size + position))
      .filter((index) => index >= 0 && index < size)
    const indices = [...new Set(picked)].sort((a, b) => a - b)
    cache.set(size, indices)
    return indices
  }
}

/** Times of a day in ascending order, in ms since midnight. */
export interface Times {
  size: number
  at(index: number): number
}

/** The times at which a rule recurs on a matching day. */
export interface DayTimes {
  on(day: number): Times
  /** BYSETPOS selects positions that no day or hour has, so the rule never recurs. */
  never: boolean
}

/** Listing times is cheaper than the other counted steps. */
const TIMES_PER_STEP = 8

/** The fixed cost of listing the times of a day, in addition to one step per tested time. */
const STEPS_PER_DAY = 5

/** Above this number of phases each day has so few times that a cache does not pay off. */
const MAX_CACHED_PHASES = 10_000

const combineTimes = (
  hours: readonly number[],
  minutes: readonly number[],
  seconds: readonly number[],
  rest: number,
): number[] =>
  hours.flatMap((hour) =>
    minutes.flatMap((minute) =>
      seconds.map((second) => hour * HOUR + minute * MINUTE + second * SECOND + rest),
    ),
  )

const toTimes = (times: readonly number[]): Times => ({
  size: times.length,
  at: (index) => times[index] as number,
})

const NONE = toTimes([])

const picked = (times: readonly number[], { byPosition }: Rule): readonly number[] =>
  byPosition ? createPositions(byPosition)(times.length).map((index) => times[index] as number) : times

/** Returns the step of the frequency and the limits that BYHOUR, BYMINUTE and BYSECOND set. */
const readStep = ({ frequency, byHour, byMinute, bySecond }: Rule) => {
  const step = frequency === 'HOURLY' ? HOUR : frequency === 'MINUTELY' ? MINUTE : SECOND
  /** Returns the time itself, or the end of the excluded hour, minute or second. */
  const nextAllowed = (time: number): number => {
    if (byHour && !byHour.includes(Math.floor(time / HOUR))) return time - (time % HOUR) + HOUR
    if (step === HOUR) return time
    if (byMinute && !byMinute.includes(Math.floor((time % HOUR) / MINUTE)))
      return time - (time % MINUTE) + MINUTE
    if (step === SECOND && bySecond && !bySecond.includes((time % MINUTE) / SECOND)) return time + SECOND
    return time
  }
  const isLimited =
    byHour !== undefined ||
    (byMinute !== undefined && step !== HOUR) ||
    (bySecond !== undefined && step === SECOND)
  return { step, nextAllowed, isLimited }
}

/** Computes the times of unlimited steps without listing them. */
const everyStep = (phase: number, stride: number, within: readonly number[]): Times => ({
  size: Math.max(0, Math.ceil((DAY - phase) / stride)) * within.length,
  at: (index) =>
    phase + Math.floor(index / within.length) * stride + (within[index % within.length] as number),
})

const greatestCommonDivisor = (a: number, b: number): number =>
  b === 0 ? a : greatestCommonDivisor(b, a % b)

const createDayTimes = (rule: Rule, startWall: number, steps: Steps): DayTimes => {
  const startTime = modulo(startWall, DAY)
  const rest = startTime % SECOND
  const { byHour = [0], byMinute = [0], bySecond = [0] } = withStartTime(rule, startWall)
  const combinations = byHour.length * byMinute.length * bySecond.length
  if (!spend(steps, combinations / TIMES_PER_STEP)) return { on: () => NONE, never: true }
  if (!isWithinDay(rule)) {
    const times = combineTimes(byHour, byMinute, bySecond, rest)
    const fixed = toTimes(rule.frequency === 'DAILY' ? picked(times, rule) : times)
    return { on: () => fixed, never: fixed.size === 0 }
  }

  const { step, nextAllowed, isLimited } = readStep(rule)
  const stride = rule.interval * step
  const anchor = startWall - (startTime % step)
  const within = picked(
    combineTimes([0], step === HOUR ? byMinute : [0], step === SECOND ? [0] : bySecond, rest),
    rule,
  )
  const never = within.length === 0
  const phaseOf = (day: number): number => modulo(anchor - day * DAY, stride)
  if (!isLimited) return { on: (day) => everyStep(phaseOf(day), stride, within), never }

  const timesFrom = (phase: number): Times => {
    const times: number[] = []
    let stepCount = STEPS_PER_DAY
    for (let time = phase; time < DAY; stepCount++) {
      const open = nextAllowed(time)
      if (open > time) time += Math.ceil((open - time) / stride) * stride
      else {
        for (const offset of within) times.push(time + offset)
        time += stride
      }
    }
    spend(steps, stepCount)
    return times.length === 0 ? NONE : toTimes(times)
  }
  // Days differ only in the phase of their first step. The phases repeat after a few days.
  const isCached = stride / greatestCommonDivisor(stride, DAY) <= MAX_CACHED_PHASES
  const cache = new Map<number, Times>()
  const on = (day: number): Times => {
    const phase = phaseOf(day)
    const cached = cache.get(phase)
    if (cached) return cached
    const times = timesFrom(phase)
    if (isCached) cache.set(phase, times)
    return times
  }
  return { on, never }
}

/** Tells whether a day of a month matches one part of the rule. */
type DayTest = (day: number, month: Month) => boolean

const maskOf = (values: readonly number[]): number => values.reduce((mask, value) => mask | (1 << value), 0)

const monthDayTest = (byMonthDay: readonly number[], takesLast: boolean): DayTest => {
  const fromStart = maskOf(byMonthDay.filter((date) => date > 0))
  const fromEnd = maskOf(byMonthDay.filter((date) => date < 0).map((date) => -date))
  const latest = Math.max(...byMonthDay)
  return (day, { first, length }) => {
    const date = day - first + 1
    return (
      (fromStart & (1 << date)) !== 0 ||
      (fromEnd & (1 << (length - date + 1))) !== 0 ||
      (takesLast && date === length && latest > date)
    )
  }
}

const yearDayTest = (byYearDay: readonly number[]): DayTest => {
  const named = new Set(byYearDay)
  return (day, { newYear, yearLength }) =>
    named.has(day - newYear + 1) || named.has(day - newYear - yearLength)
}

const weekNumberTest = (byWeekNumber: readonly number[], weekStart: number): DayTest => {
  const named = new Set(byWeekNumber)
  return (day) => {
    const year = weekYearOf(day, weekStart)
    const first = firstWeekOf(year, weekStart)
    const weeks = (firstWeekOf(year + 1, weekStart) - first) / 7
    const index = Math.floor((day - first) / 7)
    return named.has(index + 1) || named.has(index - weeks)
  }
}

/** Numbered weekdays count within the year for FREQ=YEARLY without BYMONTH, otherwise within the month. */
const weekdayTest = ({ frequency, byMonth, byWeekday = [] }: Rule): DayTest => {
  const every = maskOf(byWeekday.filter(({ nth }) => nth === 0).map(({ weekday }) => weekday))
  const numbered = byWeekday.filter(({ nth }) => nth !== 0)
  if (numbered.length === 0) return (day) => (every & (1 << weekdayOf(day))) !== 0
  const some = maskOf(numbered.map(({ weekday }) => weekday))
  const named = new Set(numbered.map(({ weekday, nth }) => nth * 7 + weekday))
  const inYear = frequency === 'YEARLY' && !byMonth
  return (day, { first, length, newYear, yearLength }) => {
    const weekday = weekdayOf(day)
    if ((every & (1 << weekday)) !== 0) return true
    if ((some & (1 << weekday)) === 0) return false
    const before = day - (inYear ? newYear : first)
    const after = (inYear ? yearLength : length) - 1 - before
    const fromStart = Math.floor(before / 7) + 1
    const fromEnd = -Math.floor(after / 7) - 1
    return named.has(fromStart * 7 + weekday) || named.has(fromEnd * 7 + weekday)
  }
}

const allOf = (tests: readonly DayTest[]): DayTest => {
  const [first, second] = tests
  if (!first) return () => true
  if (!second) return first
  return (day, month) => tests.every((test) => test(day, month))
}

/**
 * Creates the tests for days of the months in BYMONTH. `matches` applies all parts, `matchesExceptDate` all
 * parts but BYMONTHDAY.
 */
const createDayTests = (rule: Rule): { matches: DayTest; matchesExceptDate: DayTest } => {
  const { byMonthDay, byYearDay, byWeekNumber, byWeekday } = rule
  const others = [
    ...(byYearDay ? [yearDayTest(byYearDay)] : []),
    ...(byWeekNumber ? [weekNumberTest(byWeekNumber, rule.weekStart)] : []),
    ...(byWeekday ? [weekdayTest(rule)] : []),
  ]
  const dates = byMonthDay ? [monthDayTest(byMonthDay, rule.skip === 'BACKWARD')] : []
  return { matches: allOf([...dates, ...others]), matchesExceptDate: allOf(others) }
}

/** A month, keyed by its number, or a week, keyed by its first day, with the matching days in it. */
interface Period {
  key: number
  days: number[]
}

/** The matching days of a year for INTERVAL=1, counted from 1 January. */
interface YearTable {
  /** Grouped by month or week if the rule needs the groups, otherwise a single group. */
  periods: readonly Period[]
  all: readonly number[]
}

/** Returns the first day of a year. A rule that counts in weeks must not split a week between two years. */
const yearBounds = ({ frequency, byWeekNumber, weekStart }: Rule): ((year: number) => number) => {
  if (frequency === 'YEARLY' && byWeekNumber) return (year) => firstWeekOf(year, weekStart)
  if (frequency === 'WEEKLY') return (year) => weekOf(newYearOf(year) + 6, weekStart)
  return newYearOf
}

const readYear = (rule: Rule): ((year: number) => YearTable) => {
  const { frequency, byMonth, byMonthDay = [0], weekStart } = rule
  const { matches, matchesExceptDate } = createDayTests(rule)
  const bound = yearBounds(rule)
  // RFC 7529: SKIP=FORWARD moves a day that the month lacks to the first of the next month.
  const skipsForward = rule.skip === 'FORWARD' && (frequency === 'YEARLY' || frequency === 'MONTHLY')
  const latestDate = Math.max(...byMonthDay)
  const needsPeriods = rule.byPosition !== undefined || rule.interval > 1
  const byMonths = needsPeriods && frequency === 'MONTHLY'
  const byWeeks = needsPeriods && frequency === 'WEEKLY'

  return (tableYear) => {
    const origin = newYearOf(tableYear)
    const from = bound(tableYear)
    const until = bound(tableYear + 1)
    const periods: Period[] = []
    const addDay = (day: number, month: number): void => {
      const key = byMonths ? month : byWeeks ? weekOf(day, weekStart) - origin : 0
      const period = periods.at(-1)
      if (period?.key === key) period.days.push(day - origin)
      else periods.push({ key, days: [day - origin] })
    }
    let { year, month } = dateOf(from)
    for (let next = from; next < until; ) {
      const frame = monthOf(year, month)
      const end = frame.first + frame.length
      if (!byMonth || byMonth.includes(month)) {
        for (let day = Math.max(frame.first, from); day < end && day < until; day++)
          if (matches(day, frame)) addDay(day, month)
        if (skipsForward && latestDate > frame.length && matchesExceptDate(end, monthOf(year, month + 1)))
          addDay(end, month)
      }
      next = end
      if (month === 12) year++
      month = (month % 12) + 1
    }
    const all = periods.flatMap(({ days }) => days)
    return { periods, all: skipsForward ? [...new Set(all)] : all }
  }
}

/**
 * Caches one table per kind of year. There are few kinds, so searching far ahead is cheap. Calls `onRead` for
 * each new kind.
 */
const createYearTables = (rule: Rule, onRead: () => void): ((year: number) => YearTable) => {
  const read = readYear(rule)
  const cache = new Map<number, YearTable>()
  return (year) => {
    const kind = kindOfYear(year)
    const cached = cache.get(kind)
    if (cached) return cached
    onRead()
    const table = read(year)
    cache.set(kind, table)
    return table
  }
}

/** The days on which a rule recurs, year by year. */
interface DayPattern {
  /** Returns the first year that may contain this day or a later one. */
  yearFor(day: number): number
  yearAfter(year: number): number
  /**
   * Returns the days in order, counted from 1 January. With BYSETPOS each period is a batch, otherwise the
   * whole year is one batch.
   */
  batchesIn(year: number): readonly (readonly number[])[]
  /** After this many years without a recurrence the calendar repeats, so the rule never recurs. */
  maxSilentYears: number
}

const CALENDAR_CYCLE = 400

type Batches = (year: number, table: YearTable) => readonly (readonly number[])[]

/** Building the table of a year tests each of its days. */
const STEPS_PER_YEAR = 100
/** Filtering days is cheaper than the other counted steps. */
const DAYS_PER_STEP = 8

/**
 * Removes the periods that INTERVAL skips. `yearAfter` skips whole years, and `createDayTimes` parts of a
 * day.
 */
const createBatches = (rule: Rule, startDay: number, steps: Steps): Batches => {
  const { frequency, interval, byPosition, weekStart } = rule
  const toBatches = (periods: readonly Period[]) =>
    byPosition ? periods.map(({ days }) => days) : [periods.flatMap(({ days }) => days)]

  if (interval > 1 && frequency === 'DAILY')
    return (year, { all }) => {
      spend(steps, all.length / DAYS_PER_STEP)
      const sinceStart = newYearOf(year) - startDay
      return [all.filter((day) => (sinceStart + day) % interval === 0)]
    }
  if (interval > 1 && frequency === 'WEEKLY') {
    const startWeek = weekOf(startDay, weekStart)
    return (year, { periods }) => {
      spend(steps, periods.length / DAYS_PER_STEP)
      const sinceStart = newYearOf(year) - startWeek
      return toBatches(periods.filter(({ key }) => ((sinceStart + key) / 7) % interval === 0))
    }
  }
  if (interval > 1 && frequency === 'MONTHLY') {
    const start = dateOf(startDay)
    return (year, { periods }) => {
      const sinceStart = (year - start.year) * 12 - start.month
      return toBatches(periods.filter(({ key }) => (sinceStart + key) % interval === 0))
    }
  }
  return (_, { periods, all }) => (byPosition ? periods.map(({ days }) => days) : [all])
}

const createDayPattern = (original: Rule, startWall: number, steps: Steps): DayPattern => {
  const rule = withStartDay(original, startWall)
  const startDay = Math.floor(startWall / DAY)
  const { frequency, interval, byWeekNumber, weekStart } = rule
  const yearly = frequency === 'YEARLY'
  const tables = createYearTables(rule, () => spend(steps, STEPS_PER_YEAR))
  const batches = createBatches(rule, startDay, steps)
  const yearHolding = (day: number): number => {
    if (yearly && byWeekNumber) return weekYearOf(day, weekStart)
    return yearOf(frequency === 'WEEKLY' ? weekOf(day, weekStart) : day)
  }
  const startYear = yearHolding(startDay)
  const hasPhase = frequency === 'DAILY' || frequency === 'WEEKLY' || frequency === 'MONTHLY'
  return {
    yearFor: (day) => {
      const year = yearHolding(day)
      return yearly ? year + modulo(startYear - year, interval) : year
    },
    yearAfter: (year) => year + (yearly ? interval : 1),
    batchesIn: (year) => batches(year, tables(year)),
    maxSilentYears: CALENDAR_CYCLE * (hasPhase ? interval : 1),
  }
}

const LAST_YEAR = 9999

/**
 * Iterates over the recurrences of a rule in batches. A batch is a day, or the part of a period that BYSETPOS
 * selects. Counting a batch does not visit its recurrences, so long distances are cheap.
 */
export interface Cursor {
  /** Moves to the next non-empty batch. Returns false at the end. */
  advance(): boolean
  /**
   * Skips whole years after the start's year that end before `before`. Stops before it has skipped `most`
   * recurrences. Returns the number of skipped recurrences.
   */
  skipYears(before: number, most?: number): number
  size(): number
  /** Returns a wall-clock time of the batch, in ascending order. */
  at(index: number): number
}

const EMPTY_CURSOR: Cursor = { advance: () => false, skipYears: () => 0, size: () => 0, at: () => Number.NaN }

/** The maximum number of days in a period of BYSETPOS. */
const MAX_PERIOD_DAYS: Partial<Record<Frequency, number>> = { WEEKLY: 7, MONTHLY: 31, YEARLY: 371 }

/**
 * Iterates over the batches that contain a recurrence at or after `from`. It opens no year that begins after
 * `until`. The rule counts as ended when `steps` are used up.
 */
export const createCursor = (
  rule: Rule,
  start: number,
  from: number,
  until: number,
  steps: Steps = createSteps(),
): Cursor => {
  const startDay = Math.floor(start / DAY)
  const fromDay = Math.floor(from / DAY)
  const pattern = createDayPattern(rule, start, steps)
  const times = createDayTimes(rule, start, steps)
  // For frequencies within a day, `createDayTimes` has already applied BYSETPOS.
  const maxDays = MAX_PERIOD_DAYS[rule.frequency]
  const positions = maxDays && rule.byPosition ? createPositions(rule.byPosition) : undefined
  if (times.never || positions?.((maxDays ?? 0) * times.on(startDay).size).length === 0) return EMPTY_CURSOR

  const stepsWithinDay = isWithinDay(rule)
  let year = pattern.yearFor(fromDay)
  let newYear = 0
  let silentYears = 0
  let batches: readonly (readonly number[])[] = []
  let nextBatch = 0
  let days: readonly number[] = []
  let nextDay = 0
  let dayTimes = times.on(startDay)
  let indices: readonly number[] = []

  /** A year that consists of weeks begins up to six days before or after 1 January. */
  const openYear = (): boolean => {
    newYear = newYearOf(year)
    if (year > LAST_YEAR || (newYear - 7) * DAY >= until || ++silentYears > pattern.maxSilentYears)
      return false
    if (!spend(steps, 1)) return false
    batches = pattern.batchesIn(year)
    nextBatch = 0
    year = pattern.yearAfter(year)
    return true
  }

  const openBatch = (): boolean => {
    while (nextBatch === batches.length) if (!openYear()) return false
    if (!spend(steps, 1)) return false
    days = batches[nextBatch++] as readonly number[]
    return true
  }

  const advanceByPeriod = (pick: (size: number) => readonly number[]): boolean => {
    do {
      if (!openBatch()) return false
      indices = pick(days.length * dayTimes.size)
    } while (indices.length === 0)
    silentYears = 0
    return true
  }

  const advanceByDay = (): boolean => {
    do {
      while (nextDay === days.length) {
        if (!openBatch()) return false
        nextDay = 0
        while (nextDay < days.length && newYear + (days[nextDay] as number) < fromDay) nextDay++
      }
      dayTimes = times.on(newYear + (days[nextDay++] as number))
      // Recurrences that the caller receives are free. Recurrences that are only counted cost a step.
      const isFree = dayTimes.size > 0 && rule.count === undefined
      if (!isFree && !spend(steps, 1)) return false
      silentYears = 0
    } while (dayTimes.size === 0)
    return true
  }

  const skipYears = (before: number, most = Number.POSITIVE_INFINITY): number => {
    let skipped = 0
    const isBetweenYears = nextBatch === batches.length && (positions || nextDay === days.length)
    if (!isBetweenYears || stepsWithinDay || (newYearOf(year) - 7) * DAY <= start) return skipped
    for (; year <= LAST_YEAR && (newYearOf(year + 1) + 7) * DAY < before; year = pattern.yearAfter(year)) {
      let inYear = 0
      const batches = pattern.batchesIn(year)
      if (!spend(steps, 1 + batches.length)) break
      for (const batch of batches) {
        const size = batch.length * dayTimes.size
        inYear += positions ? positions(size).length : size
      }
      if (skipped + inYear >= most) break
      skipped += inYear
    }
    return skipped
  }

  return positions
    ? {
        advance: () => advanceByPeriod(positions),
        skipYears,
        size: () => indices.length,
        at: (index) => {
          const picked = indices[index] as number
          const day = newYear + (days[Math.floor(picked / dayTimes.size)] as number)
          return day * DAY + dayTimes.at(picked % dayTimes.size)
        },
      }
    : {
        advance: advanceByDay,
        skipYears,
        size: () => dayTimes.size,
        at: (index) => (newYear + (days[nextDay - 1] as number)) * DAY + dayTimes.at(index),
      }
}

/** Counts the recurrences of the current batch before a wall-clock time. */
export const sizeBefore = (cursor: Cursor, wall: number): number => {
  let low = 0
  let high = cursor.size()
  if (cursor.at(0) >= wall) return 0
  if (cursor.at(high - 1) < wall) return high
  while (low < high) {
    const middle = (low + high) >> 1
    if (cursor.at(middle) < wall) low = middle + 1
    else high = middle
  }
  return low
}
