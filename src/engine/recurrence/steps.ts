/**
 * A limit for the work of one question about a series. A rule that matches rarely or never is searched until the
 * steps are used up, and is taken to have ended then. One step takes less than 0.2 µs on an ordinary machine.
 */
export interface Steps {
  left: number
}

/** Enough for 400 years of any rule that a person writes, and for 100,000 days of one that repeats within the day. */
const MOST_STEPS = 150_000

export const createSteps = (): Steps => ({ left: MOST_STEPS })

/** Spends steps. False when none are left. */
export const spend = (steps: Steps, count: number): boolean => {
  steps.left -= count
  return steps.left > 0
}
