import { randomInt } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'

/** Shows the other processes on a database that this one lives. A row that names the process is void without it. */
export interface ProcessLock {
  /** The id of this process. No two processes have the same. */
  readonly id: number
  /** How long a living process may take to get its lock back after its connection was lost. */
  readonly recoveryMs: number
  /** Resolves when the lock is held. To be awaited before the id is written to a row. */
  acquire(): Promise<void>
  /** Whether the process with this id holds its lock. */
  isHeld(id: RawBuilder<number | null>): RawBuilder<boolean>
  close(): Promise<void>
}

/** Above 32 bits, where no advisory lock of a hashed name is. */
const LOWEST_ID = 2 ** 40
const HIGHEST_ID = 2 ** 47

export const newProcessId = (): number => randomInt(LOWEST_ID, HIGHEST_ID)

/** The embedded database belongs to one process: whatever another process left has ended with it. */
export const createLocalProcessLock = (): ProcessLock => {
  const id = newProcessId()
  return {
    id,
    recoveryMs: 0,
    acquire: async () => {},
    isHeld: (other) => sql<boolean>`${other} is ${id}`,
    close: async () => {},
  }
}
