/** Names of the calendar's background jobs. */
export const EXPAND = 'calendar.expand'

export const REMIND = 'calendar.remind'
