/** Runs work, after earlier work if too much is running. */
export type TakeTurn = <T>(work: () => Promise<T>) => Promise<T>

/** Returns a function that resolves at once, but not earlier than `intervalMs` after the previous call resolved. */
export const createPace = (intervalMs: number): (() => Promise<void>) => {
  let nextAt = 0
  return async () => {
    const now = performance.now()
    const at = Math.max(now, nextAt)
    nextAt = at + intervalMs
    if (at > now) await new Promise<void>((resolve) => setTimeout(resolve, at - now))
  }
}

interface TurnOptions {
  /** While others wait, every piece of work is followed by a pause of its own duration. */
  pauses?: boolean
}

/** Runs at most `limit` pieces of work at the same time, in the order of the calls. Work must not take a turn itself. */
export const createTurns = (limit: number, { pauses = false }: TurnOptions = {}): TakeTurn => {
  const waiting: (() => void)[] = []
  let running = 0
  const passOn = (): void => {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
  return async (work) => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    const began = performance.now()
    try {
      return await work()
    } finally {
      if (pauses && waiting.length > 0) setTimeout(passOn, performance.now() - began)
      else passOn()
    }
  }
}
