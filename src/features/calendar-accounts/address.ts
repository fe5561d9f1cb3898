/*
 * The address of a published calendar is often all that it takes to read it (tokens in the path or after the question
 * mark), so it is kept like a password. What else is kept of it, and shown, is the server.
 */

/** In no address as it is sealed: those are ASCII. */
const REST = '/…'

export const shorten = (url: string): string => new URL(url).origin + REST

export const isShortened = (url: string): boolean => url.endsWith(REST)

/** What the one calendar of a published file is called beside those of servers, which have addresses. */
export const FILE_HREF = 'file'
/** Of one that was made by an earlier version, or elsewhere. */
export const formerFileHref = (calendarId: number): string => `${FILE_HREF}-${calendarId}`
