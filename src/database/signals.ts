/**
 * Notifies all processes on one database of a commit. A signal may be lost when a connection breaks, so
 * listeners also poll.
 */
export interface Signals {
  notify(): void
  /** Returns the function that removes the listener. */
  listen(listener: () => void): () => void
  close(): Promise<void>
}

/** A SQLite database belongs to one process. */
export const createLocalSignals = (): Signals => {
  const listeners = new Set<() => void>()
  return {
    notify() {
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
