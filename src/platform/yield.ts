import { setImmediate } from 'node:timers/promises'

/** A delay that users do not notice. */
const LONGEST_MS = 20

/**
 * Creates a function to call between the steps of long work. It yields to the event loop if the last yield
 * was too long ago.
 */
export const createYielder = (longestMs = LONGEST_MS): (() => Promise<void>) => {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < longestMs) return
    await setImmediate()
    since = performance.now()
  }
}
