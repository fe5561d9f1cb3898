import { isFromProxy, unreachable } from './problem.ts'
import { createStore } from './store.ts'

const FIRST_PROBE_MS = 2_000
const SLOWEST_PROBE_MS = 20_000

const answers = (): Promise<boolean> =>
  fetch('/api/health', { cache: 'no-store' }).then(
    (response) => !isFromProxy(response),
    () => false,
  )

export type Reach = ReturnType<typeof createReach>

/**
 * Whether the service answers. What the browser says about the network is not asked: an instance on this very machine
 * answers without any, and one that is down does not answer with the best.
 */
export const createReach = () => {
  const isUp = createStore(true)
  let waiting: Promise<void> | null = null

  const lookOut = async (): Promise<void> => {
    for (let waitMs = FIRST_PROBE_MS; ; waitMs = Math.min(waitMs * 1.5, SLOWEST_PROBE_MS)) {
      await new Promise((resolve) => setTimeout(resolve, waitMs))
      if (await answers()) break
    }
    waiting = null
    isUp.set(true)
  }

  /** From here on nothing gets through; settles when something does again. */
  const goDown = (): Promise<void> => {
    isUp.set(false)
    waiting ??= lookOut()
    return waiting
  }

  return {
    isUp,

    /** Sends; a request that gets no answer at all starts the looking out for one. */
    async send(request: Request): Promise<Response> {
      const response = await fetch(request).catch((error: unknown) => {
        if (error instanceof DOMException && error.name === 'AbortError') throw error
        return null
      })
      if (response === null || isFromProxy(response)) {
        void goDown()
        throw unreachable()
      }
      isUp.set(true)
      return response
    },

    /** Loads a part of the console, later if it has to be. One that is gone for good is a failure. */
    async load<T>(part: () => Promise<T>): Promise<T> {
      try {
        return await part()
      } catch (error) {
        if (await answers()) throw error
        await goDown()
        return part()
      }
    },
  }
}
