/** Runs work, after earlier work if too much is running. */
export type TakeTurn = <T>(work: () => Promise<T>) => Promise<T>

/** Runs at most `limit` pieces of work at the same time, in the order of the calls. Work must not take a turn itself. */
export const createTurns = (limit: number): TakeTurn => {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await work()
    } finally {
      // The turn passes to the next one, or ends.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
