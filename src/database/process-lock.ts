import { randomInt } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'

/**
 * Shows other processes on a database that this one is alive. A row that names a process is void if its lock
 * is not held.
 */
export interface ProcessLock {
  /** The unique id of this process. */
  readonly id: number
  /** Maximum time in which a live process regains its lock after its connection was lost. */
  readonly recoveryMs: number
  /** Resolves when the lock is held. Await it before the id is written to a row. */
  acquire(): Promise<void>
  /** Shows other versions that one with this newest migration runs: see version-locks.ts. */
  holdVersion(newestMigration: string): Promise<void>
  /** Whether the process with this id holds its lock. */
  isHeld(id: RawBuilder<number | null>): RawBuilder<boolean>
  close(): Promise<void>
}

/** Above 32 bits, so that it never equals an advisory lock of a hashed name. */
const LOWEST_ID = 2 ** 40
const HIGHEST_ID = 2 ** 47

export const newProcessId = (): number => randomInt(LOWEST_ID, HIGHEST_ID)

/** A SQLite database belongs to one process, so all earlier processes have ended. */
export const createLocalProcessLock = (): ProcessLock => {
  const id = newProcessId()
  return {
    id,
    recoveryMs: 0,
    acquire: async () => {},
    holdVersion: async () => {},
    isHeld: (other) => sql<boolean>`${other} is ${id}`,
    close: async () => {},
  }
}
