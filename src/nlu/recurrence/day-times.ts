import { DAY, HOUR, MINUTE, modulo, SECOND } from './days.ts'
import { withStartTime } from './derivation.ts'
import { isWithinDay, type Rule } from './rule.ts'
import { type Steps, spend } from './steps.ts'

/**
 * Returns the indices that BYSETPOS selects from `size` items, ascending. Results are cached, because the
 * same few sizes occur again and again.
 */
export const createPositions = (byPosition: readonly number[]): ((size: number) => readonly number[]) => {
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

export const createDayTimes = (rule: Rule, startWall: number, steps: Steps): DayTimes => {
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
