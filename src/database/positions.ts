/*
 * A position in time as one integer: the instant in milliseconds times 2048, plus a counter within the
 * millisecond. Time-sorted rows store it in one unique column. So the index is small, a page ends at a
 * number, and a word index can use it as rowid.
 */

/** Maximum number of rows with the same millisecond. */
export const PLACES = 2048

/** Outside this range it would not be a safe integer in JavaScript. No mail has such a date. */
const EARLIEST = Date.UTC(1900, 0, 1)
const LATEST = Date.UTC(2100, 0, 1)

/** Returns the first position of an instant: all later rows have this or a greater one. */
export const positionOf = (instant: string): number =>
  Math.min(Math.max(Date.parse(instant), EARLIEST), LATEST) * PLACES

/** Returns the instant of a position. */
export const instantAt = (position: number): string => new Date(Math.floor(position / PLACES)).toISOString()
