// Texts of the first download: they can appear before any page has loaded.

export const pageFailed = 'Could not show this page'
export const pageFailedHelp = 'Factotum may have been updated. Reload to get the current version.'
export const reload = 'Reload'
export const signIn = 'Sign in'
export const dismiss = 'Dismiss'
export const unreachable = 'Could not reach Factotum. Check your connection.'
export const sessionEnded = 'Your session has ended. Sign in again.'
export const unexpectedStatus = (status: number) =>
  `The server answered with status ${status}. Try again later.`
export const unexpectedError = 'Something went wrong on this page. Reload it and try again.'
export const waitMinute = 'Too many attempts. Try again in a minute.'
/** For two minutes or more. */
export const waitMinutes = (minutes: number) => `Too many attempts. Try again in ${minutes} minutes.`
