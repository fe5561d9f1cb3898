/** What the calendar does in the background, by name. */
export const EXPAND = 'calendar.expand'
export const REMIND = 'calendar.remind'
export const UPDATE_BY_MAIL = 'calendar.update-by-mail'
