/*
 * The score of an address is the sum of its uses. A use counts half after each half-life. The sum would change every
 * day, so its logarithm is stored: base two, in half-lives since 1970. It keeps the order, and an index can hold it.
 */

const HALF_LIFE_MS = 60 * 86_400_000
/** A score is stored as a whole number: millionths of a half-life. */
const UNIT = 1_000_000
/** Writing to somebody says more than receiving mail. */
const WEIGHTS = { sent: 4, received: 1 } as const

/** Adds a use to a score. 0 is the score of an address without uses. */
export const addUse = (score: number, direction: keyof typeof WEIGHTS, at: number): number => {
  const use = Math.log2(WEIGHTS[direction]) + Math.max(at, 1) / HALF_LIFE_MS
  if (score === 0) return Math.max(1, Math.round(use * UNIT))
  return addScores(score, Math.round(use * UNIT))
}

/** Returns the score of an address that has the uses of both. */
export const addScores = (one: number, other: number): number => {
  if (one === 0 || other === 0) return one + other
  const [high, low] = one > other ? [one, other] : [other, one]
  return Math.round(high + Math.log2(1 + 2 ** ((low - high) / UNIT)) * UNIT)
}
