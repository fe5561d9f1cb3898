import { unreachable } from './problem.ts'
import { createStore } from './store.ts'

const FIRST_PROBE_MS = 2_000
const SLOWEST_PROBE_MS = 20_000

export type Reach = ReturnType<typeof createReach>

/**
 * Whether the service answers. What the browser says about the network is not asked: an instance on this very machine
 * answers without any, and one that is down does not answer with the best.
 */
export const createReach = () => {
  const isUp = createStore(true)
  let probing = false

  const probe = async (waitMs: number): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    try {
      await fetch('/api/health', { cache: 'no-store' })
      probing = false
      isUp.set(true)
    } catch {
      await probe(Math.min(waitMs * 1.5, SLOWEST_PROBE_MS))
    }
  }

  return {
    isUp,
    /** Sends; a request that gets no answer at all starts the looking out for one. */
    async send(request: Request): Promise<Response> {
      try {
        const response = await fetch(request)
        isUp.set(true)
        return response
      } catch (error) {
        if (error instanceof DOMException && error.name === 'AbortError') throw error
        isUp.set(false)
        if (!probing) {
          probing = true
          void probe(FIRST_PROBE_MS)
        }
        throw unreachable()
      }
    },
  }
}
