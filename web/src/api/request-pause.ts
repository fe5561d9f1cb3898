/** Upper limit for the pause, in case the tab that signs out is closed before the result arrives. */
const MAX_PAUSE_MS = 15_000

/**
 * Pauses requests during a sign-out, here or in another tab, because they would fail with 401. Running reads
 * are aborted. New requests wait until the result of the sign-out is known.
 */
export const createRequestPause = () => {
  let abortController = new AbortController()
  let over: Promise<void> = Promise.resolve()
  let lift = (): void => {}
  return {
    begin(): void {
      lift()
      over = new Promise((resolve) => {
        const timer = setTimeout(resolve, MAX_PAUSE_MS)
        lift = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      const before = abortController
      abortController = new AbortController()
      before.abort()
    },
    end: (): void => lift(),
    /** Resolves at once unless a pause is active. */
    untilOver: (): Promise<void> => over,
    /** Aborts when the next pause begins. */
    next: (): AbortSignal => abortController.signal,
  }
}
