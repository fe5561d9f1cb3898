import { randomInt } from 'node:crypto'
import { generateKeyBetween } from 'fractional-indexing'

/*
 * A position is a text. Between any two positions there is another one, so that a move writes one row. Positions are
 * compared byte by byte.
 */

const HALVINGS = 12

/**
 * Returns a position behind the last one. New tasks do not lock their list. A part of the position is random, so that two
 * tasks that are added at once rarely get the same one.
 */
export const positionAtEnd = (last: string | null): string => {
  let [low, high] = [last, generateKeyBetween(last, null)]
  for (let n = 0; n < HALVINGS; n++) {
    const middle = generateKeyBetween(low, high)
    if (randomInt(2) === 0) low = middle
    else high = middle
  }
  return high
}

/** Longer positions are replaced. Only more than a thousand moves to the same place make them. */
const MAX_LENGTH = 200

/** Returns a position between two others, or undefined if there is none left. Null means the first or the last one. */
export const positionBetween = (before: string | null, after: string | null): string | undefined => {
  if (before !== null && after !== null && before >= after) return undefined
  const position = generateKeyBetween(before, after)
  return position.length > MAX_LENGTH ? undefined : position
}

/** The position of a task that was written without one: behind those that were numbered by `createPositions`. */
export const positionOfId = (id: number): string => `h${String(id).padStart(8, '0')}`

export const isPosition = (given: string): boolean => {
  try {
    generateKeyBetween(given, null)
    return given.length <= MAX_LENGTH
  } catch {
    return false
  }
}

/** Returns positions for a whole list, in its order. */
export const createPositions = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `g${String(index + 1).padStart(7, '0')}`)
