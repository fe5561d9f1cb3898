import type { Clock } from '../../src/platform/clock.ts'

export interface MovableClock extends Clock {
  advance(ms: number): void
}

/** Runs with the real one, and can be moved ahead of it. */
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
