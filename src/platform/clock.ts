/** The only source of time. Tests pass a clock that they control. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }
