/** Names of the calendar's background jobs. */
export const EXPAND = 'calendar.expand'

export const REMIND = 'calendar.remind'

/** Brings the mirrored events of an account up to date after a large change. */
export const MIRROR = 'calendar.mirror'
