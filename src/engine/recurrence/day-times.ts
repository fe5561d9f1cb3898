import { DAY, HOUR, MINUTE, modulo, SECOND } from './days.ts'
import { withStartTime } from './derivation.ts'
import { createPositions } from './positions.ts'
import { isWithinDay, type Rule } from './rule.ts'
import { type Steps, spend } from './steps.ts'

/** Times of a day in order, in ms since midnight. */
export interface Times {
  size: number
  at(index: number): number
}

/** At what times a rule recurs on a day that it names. */
export interface DayTimes {
  on(day: number): Times
  /** BYSETPOS picks from every day or hour what none has. */
  never: boolean
}

/** Listing times is quicker than anything else that is counted. */
const TIMES_OF_STEP = 8

/** Making the list of a day's times, beside each look at a time. */
const STEPS_OF_DAY = 5

/** With more phases than this, each day has so few times that they are found faster than they are kept. */
const KEPT_PHASES = 10_000

const combined = (
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

const listed = (times: readonly number[]): Times => ({
  size: times.length,
  at: (index) => times[index] as number,
})

const NONE = listed([])

const picked = (times: readonly number[], { byPosition }: Rule): readonly number[] =>
  byPosition ? createPositions(byPosition)(times.length).map((index) => times[index] as number) : times

/** The step from hour to hour, minute to minute or second to second, and where BYHOUR and its like let it tread. */
const stepOf = ({ frequency, byHour, byMinute, bySecond }: Rule) => {
  const step = frequency === 'HOURLY' ? HOUR : frequency === 'MINUTELY' ? MINUTE : SECOND
  /** The time itself, or the end of the hour, minute or second that is ruled out. */
  const openFrom = (time: number): number => {
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
  return { step, openFrom, isLimited }
}

/** Every step of the day: nothing needs to be listed to be counted. */
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
  if (!spend(steps, combinations / TIMES_OF_STEP)) return { on: () => NONE, never: true }
  if (!isWithinDay(rule)) {
    const times = combined(byHour, byMinute, bySecond, rest)
    const fixed = listed(rule.frequency === 'DAILY' ? picked(times, rule) : times)
    return { on: () => fixed, never: fixed.size === 0 }
  }

  const { step, openFrom, isLimited } = stepOf(rule)
  const stride = rule.interval * step
  const anchor = startWall - (startTime % step)
  const within = picked(
    combined([0], step === HOUR ? byMinute : [0], step === SECOND ? [0] : bySecond, rest),
    rule,
  )
  const never = within.length === 0
  const phaseOf = (day: number): number => modulo(anchor - day * DAY, stride)
  if (!isLimited) return { on: (day) => everyStep(phaseOf(day), stride, within), never }

  const timesFrom = (phase: number): Times => {
    const times: number[] = []
    let looks = STEPS_OF_DAY
    for (let time = phase; time < DAY; looks++) {
      const open = openFrom(time)
      if (open > time) time += Math.ceil((open - time) / stride) * stride
      else {
        for (const offset of within) times.push(time + offset)
        time += stride
      }
    }
    spend(steps, looks)
    return times.length === 0 ? NONE : listed(times)
  }
  // A day differs from another only by when its first step comes, and that comes round after a few days.
  const areFew = stride / greatestCommonDivisor(stride, DAY) <= KEPT_PHASES
  const known = new Map<number, Times>()
  const on = (day: number): Times => {
    const phase = phaseOf(day)
    const seen = known.get(phase)
    if (seen) return seen
    const times = timesFrom(phase)
    if (areFew) known.set(phase, times)
    return times
  }
  return { on, never }
}
