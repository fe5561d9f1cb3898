/**
 * `npm test` runs the longest proofs in a short form, so that the whole run stays under 15 minutes on two cores.
 * `npm run test:full` runs them in full.
 */
export const isFullRun = process.env.TEST_SCALE === 'full'

export const scaled = ({ full, short }: { full: number; short: number }): number => (isFullRun ? full : short)

/** In the short form, takes this many items, evenly spread over all. */
export const sampleOf = <T>(items: readonly T[], count: number): readonly T[] => {
  if (isFullRun || items.length <= count) return items
  return Array.from({ length: count }, (_, n) => items[Math.floor((n * items.length) / count)] as T)
}
