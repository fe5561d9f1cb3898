/** Whoever signs out may be gone before it is known how that went: nobody waits for them longer. */
const LONGEST_MS = 15_000

/**
 * While somebody signs out, here or in another tab, nothing is asked that would be refused a moment later: what is on
 * its way is given up, and what comes waits until it is known whether anybody is still signed in.
 */
export const createPause = () => {
  let cut = new AbortController()
  let over: Promise<void> = Promise.resolve()
  let lift = (): void => {}
  return {
    begin(): void {
      lift()
      over = new Promise((resolve) => {
        const timer = setTimeout(resolve, LONGEST_MS)
        lift = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      const before = cut
      cut = new AbortController()
      before.abort()
    },
    end: (): void => lift(),
    /** Resolves at once unless there is one. */
    untilOver: (): Promise<void> => over,
    /** Aborts when the next one begins. */
    next: (): AbortSignal => cut.signal,
  }
}
