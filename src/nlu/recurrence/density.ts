import { DAY, HOUR, MINUTE, SECOND } from './days.ts'
import { isWithinDay, type Rule } from './rule.ts'

const STEPS = { HOURLY: HOUR, MINUTELY: MINUTE, SECONDLY: SECOND }

/**
 * Returns the average distance in ms between the recurrences of a rule on its busiest day. It is a day or
 * more if the rule recurs at most once a day. If the distance depends on the start, this is a lower bound.
 */
export const closestAverage = (rule: Rule): number => {
  const { frequency, interval, byHour, byMinute, bySecond, byPosition } = rule
  const most = (times: number): number => Math.min(times, byPosition?.length ?? times)
  const [minutes, seconds] = [byMinute?.length ?? 1, bySecond?.length ?? 1]
  if (!isWithinDay(rule)) return DAY / most((byHour?.length ?? 1) * minutes * seconds)
  const step = STEPS[frequency as keyof typeof STEPS]
  const within = most(frequency === 'HOURLY' ? minutes * seconds : frequency === 'MINUTELY' ? seconds : 1)
  const open =
    (byHour?.length ?? 24) *
    (frequency === 'HOURLY' ? 1 : (byMinute?.length ?? 60)) *
    (frequency === 'SECONDLY' ? (bySecond?.length ?? 60) : 1)
  return Math.max(interval * step, DAY / open) / within
}
