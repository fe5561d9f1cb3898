import { setImmediate } from 'node:timers/promises'

/** What nobody notices who waits meanwhile. */
const LONGEST_MS = 20

/** For long work, between its steps: lets others have their turn when it has been long since they had one. */
export const createBreather = (): (() => Promise<void>) => {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < LONGEST_MS) return
    await setImmediate()
    since = performance.now()
  }
}
