/*
 * A place in time as one whole number: the instant in milliseconds times 2048, and a count among those of the same
 * millisecond. Rows that are listed by time have theirs in one column, unique, so that an index on it is small, a page
 * ends at a number, and an index of words can be numbered by it.
 */

/** How many rows of one millisecond have a place of their own. */
export const PLACES = 2048

/** Beyond these it would no longer be a whole number in JavaScript; nobody's mail is from there. */
const EARLIEST = Date.UTC(1900, 0, 1)
const LATEST = Date.UTC(2100, 0, 1)

/** The first place of an instant: everything from then on has this one or a greater one. */
export const positionOf = (instant: string): number =>
  Math.min(Math.max(Date.parse(instant), EARLIEST), LATEST) * PLACES
