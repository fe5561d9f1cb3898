import type { Clock } from '../../src/platform/clock.ts'

export interface MovableClock extends Clock {
  advance(ms: number): void
}

/** A clock that follows the real one and can be advanced. */
export const createMovableClock = (): MovableClock => {
  let ahead = 0
  return {
    now: () => new Date(Date.now() + ahead),
    advance(ms) {
      ahead += ms
    },
  }
}

export const MINUTE = 60_000
export const DAY = 86_400_000
