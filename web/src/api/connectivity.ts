import { toServerPath } from './base-path.ts'
import { isFromProxy, unreachable } from './problem.ts'
import { createStore } from './store.ts'

const FIRST_PROBE_MS = 2_000
const MAX_PROBE_MS = 20_000

const probe = (): Promise<boolean> =>
  fetch(toServerPath('/api/health'), { cache: 'no-store' }).then(
    (response) => !isFromProxy(response),
    () => false,
  )

/** Imports a code-split module. */
export type Importer<Module> = () => Promise<Module>

export type Connectivity = ReturnType<typeof createConnectivity>

/**
 * Tracks whether the service responds. `navigator.onLine` is not used: a local instance responds without a
 * network, and a stopped instance does not respond with one.
 */
export const createConnectivity = () => {
  const isReachable = createStore(true)
  const modules = new Map<Importer<unknown>, unknown>()
  let waiting: Promise<void> | null = null

  const importModule = async <T>(importer: Importer<T>): Promise<T> => {
    const module = await importer()
    modules.set(importer, module)
    return module
  }

  const probeUntilReachable = async (): Promise<void> => {
    for (let waitMs = FIRST_PROBE_MS; ; waitMs = Math.min(waitMs * 1.5, MAX_PROBE_MS)) {
      await new Promise((resolve) => setTimeout(resolve, waitMs))
      if (await probe()) break
    }
    waiting = null
    isReachable.set(true)
  }

  /** Marks the service as unreachable. Resolves when a probe succeeds. */
  const markUnreachable = (): Promise<void> => {
    isReachable.set(false)
    waiting ??= probeUntilReachable()
    return waiting
  }

  return {
    isReachable,

    /** Sends a request. A network failure starts the probes. */
    async send(request: Request): Promise<Response> {
      const response = await fetch(request).catch((error: unknown) => {
        if (error instanceof DOMException && error.name === 'AbortError') throw error
        return null
      })
      if (response === null || isFromProxy(response)) {
        void markUnreachable()
        throw unreachable()
      }
      isReachable.set(true)
      return response
    },

    /**
     * Loads a code-split module, if necessary after the service is back. A module that no longer exists is an
     * error.
     */
    async load<T>(importer: Importer<T>): Promise<T> {
      try {
        return await importModule(importer)
      } catch (error) {
        if (await probe()) throw error
        await markUnreachable()
        return importModule(importer)
      }
    },

    /** Loads a module before it is rendered. A failed load is repeated when it is rendered. */
    prefetch: (importer: Importer<unknown>): void => void importModule(importer).catch(() => {}),

    /** Returns a module that is loaded already. */
    getLoaded: <T>(importer: Importer<T>): T | undefined => modules.get(importer) as T | undefined,
  }
}
