import { setImmediate } from 'node:timers/promises'

/** Other requests wait for one step of each long work, and several may run at once. */
const MAX_BLOCKED_MS = 2

/**
 * Creates a function to call between the steps of long work. It yields to the event loop if the last yield
 * was too long ago.
 */
export const createYielder = (maxMs = MAX_BLOCKED_MS): (() => Promise<void>) => {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < maxMs) return
    await setImmediate()
    since = performance.now()
  }
}
