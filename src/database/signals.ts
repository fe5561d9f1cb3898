/**
 * Word among all processes on one database that something was committed. It may be lost (a connection breaks), so
 * whoever listens also looks by itself now and then.
 */
export interface Signals {
  tell(): void
  /** Until the function that it returns is called. */
  listen(listener: () => void): () => void
  close(): Promise<void>
}

/** The embedded database belongs to one process. */
export const createLocalSignals = (): Signals => {
  const listeners = new Set<() => void>()
  return {
    tell() {
      for (const listener of listeners) listener()
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close() {
      listeners.clear()
    },
  }
}
