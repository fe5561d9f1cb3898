import { AsyncLocalStorage } from 'node:async_hooks'

/** A request whose reads may take long. */
export interface LongRead {
  /** Reads with the same key run one after another, so that nobody takes all threads. */
  readonly key: string
  /** Aborted when nobody waits for the result any more. */
  readonly signal: AbortSignal
}

const current = new AsyncLocalStorage<LongRead | undefined>()

/**
 * SQLite: runs the reads of `work` outside transactions in a thread with its own connection. Other requests are
 * answered meanwhile. PostgreSQL runs all reads in its own processes.
 */
export const withLongReads = <T>(read: LongRead, work: () => T): T => current.run(read, work)

/** Runs the reads of `work` in this thread, for reads that must see the same state. */
export const withoutLongReads = <T>(work: () => T): T =>
  current.getStore() === undefined ? work() : current.run(undefined, work)

export const currentLongRead = (): LongRead | undefined => current.getStore()
