import type { Database as Handle } from 'better-sqlite3'

/** Maximum time that a finished turn waits for later turns, so that they share one disk flush. */
const LONGEST_WAIT_MS = 5
const MOST_TOGETHER = 64
/** Maximum number of deferred operations per turn. A longer turn runs them itself, to limit memory. */
const MAX_DEFERRED = 64
/** Maximum time that another process may hold the file, and the retry interval. */
const LONGEST_BUSY_MS = 5_000
const ASKED_AGAIN_MS = 5

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')

/** Exclusive use of the writing handle. The owner must end it exactly once. */
export interface Turn {
  /** Resolves when the changes are on disk. */
  keep(): Promise<void>
  undo(): void
}

interface Waiting {
  resolve(): void
  reject(error: unknown): void
}

type Execute = (statement: string) => void

/**
 * Writers take turns, first come first served. Consecutive turns, and turns that arrive in the same event
 * loop iteration, share one transaction. Each turn after the first is a savepoint that can be rolled back
 * alone. All are answered after the commit. Many small writes then cost one disk flush instead of one each,
 * with the same durability.
 */
export const createTurns = (handle: Handle, execute: Execute, beginStatement: string) => {
  let last = Promise.resolve()
  let beganAt = 0
  let turnBeganAt = 0
  let finished: Waiting[] = []
  let isTaken = false
  /** The current turn started the transaction, so it needs no savepoint for a rollback. */
  let isFirst = false
  let planned: NodeJS.Immediate | undefined
  /** Number of turns so far, and their number when the commit was last postponed. */
  let begun = 0
  let counted = 0
  /** Operations that the current turn, and earlier ones, deferred until right before the commit. */
  let deferred: (() => void)[] = []
  let due: (() => void)[] = []

  const enter = async (): Promise<() => void> => {
    const before = last
    let leave = () => {}
    last = new Promise((resolve) => {
      leave = resolve
    })
    await before
    isTaken = true
    turnBeganAt = performance.now()
    return leave
  }

  const settle = (outcome: (waiting: Waiting) => void): void => {
    const settled = finished
    finished = []
    for (const waiting of settled) outcome(waiting)
  }

  const commit = (): void => {
    clearImmediate(planned)
    planned = undefined
    try {
      for (const work of due) work()
      execute('commit')
      settle(({ resolve }) => resolve())
    } catch (error) {
      // A failed commit leaves the transaction open. It must not include the next writer's changes.
      if (handle.inTransaction) execute('rollback')
      settle(({ reject }) => reject(error))
    }
    due = []
  }

  /** Some failures (a full disk) end the whole transaction, and with it the changes of other turns. */
  const rejectAll = (): void => {
    due = []
    settle(({ reject }) => reject(new Error('The database ended the transaction.')))
  }

  const isDue = (): boolean =>
    performance.now() - beganAt > LONGEST_WAIT_MS || finished.length >= MOST_TOGETHER

  const plan = (): void => {
    counted = begun
    planned = setImmediate(commitOnceQuiet)
  }

  /**
   * Clients that just got an answer often send the next request at once. While each poll of the network
   * brings another turn, the commit waits for another poll. The turn that is active then commits for all.
   */
  const commitOnceQuiet = (): void => {
    planned = undefined
    if (isTaken || !handle.inTransaction) return
    if (begun === counted || isDue()) commit()
    else plan()
  }

  const pass = (leave: () => void): void => {
    isTaken = false
    if (!handle.inTransaction) rejectAll()
    else if (isDue()) commit()
    else if (!planned) plan()
    // Consecutive long turns, such as the steps of a job, would otherwise block the event loop until the last
    // one ends.
    if (performance.now() - turnBeganAt > LONGEST_WAIT_MS) setImmediate(leave)
    else leave()
  }

  /** Another process may be writing. Waits for it without blocking this process. */
  const beginWhenFree = async (): Promise<void> => {
    for (const since = performance.now(); ; )
      try {
        return execute(beginStatement)
      } catch (error) {
        if (!isBusy(error) || performance.now() - since > LONGEST_BUSY_MS) throw error
        await new Promise((resolve) => setTimeout(resolve, ASKED_AGAIN_MS))
      }
  }

  const begin = async (): Promise<void> => {
    deferred = []
    begun++
    isFirst = !handle.inTransaction
    if (!isFirst) return execute('savepoint turn')
    await beginWhenFree()
    beganAt = performance.now()
  }

  const keep = (leave: () => void): Promise<void> =>
    new Promise((resolve, reject) => {
      try {
        if (!isFirst) execute('release turn')
        due.push(...deferred)
        finished.push({ resolve, reject })
      } catch (error) {
        reject(error)
      }
      pass(leave)
    })

  const undo = (leave: () => void): void => {
    if (handle.inTransaction && isFirst) execute('rollback')
    else if (handle.inTransaction) {
      execute('rollback to turn')
      execute('release turn')
    }
    pass(leave)
  }

  return {
    /** Runs synchronous work in its own turn. */
    async run<T>(work: () => T): Promise<T> {
      const leave = await enter()
      let result: T
      try {
        await begin()
        result = work()
      } catch (error) {
        undo(leave)
        throw error
      }
      await keep(leave)
      return result
    },

    async take(): Promise<Turn> {
      const leave = await enter()
      try {
        await begin()
      } catch (error) {
        pass(leave)
        throw error
      }
      let isOver = false
      return {
        keep() {
          isOver = true
          return keep(leave)
        },
        undo() {
          if (isOver) return
          isOver = true
          undo(leave)
        },
      }
    },

    /**
     * Defers work of the current turn until right before the commit, in the same transaction. A word index
     * rewrites its pages at every savepoint, so deferring it to the shared commit costs a fraction. The work
     * must not fail because of its data, because then all turns of the commit would fail.
     */
    beforeCommit(work: () => void): void {
      deferred.push(work)
      // Runs after the deferred work of earlier turns, because both may concern the same row.
      if (deferred.length < MAX_DEFERRED || due.length > 0) return
      for (const one of deferred) one()
      deferred = []
    },

    /** Waits for the current turn, and accepts no more. */
    async close(): Promise<() => void> {
      const leave = await enter()
      if (handle.inTransaction) commit()
      return leave
    },
  }
}
export type Turns = ReturnType<typeof createTurns>
