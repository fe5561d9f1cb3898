import type { Database as Handle } from 'better-sqlite3'

/** How long a finished turn may wait for the turns behind it, so that one trip to the disk serves them all. */
const LONGEST_WAIT_MS = 5
const MOST_TOGETHER = 64
/** How long another process may hold the file, and how soon it is asked for again. */
const LONGEST_BUSY_MS = 5_000
const ASKED_AGAIN_MS = 5

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')

/** One writer's time with the writing handle. Whoever has been given one ends it, once. */
export interface Turn {
  /** Resolves when what was written is on the disk. */
  keep(): Promise<void>
  undo(): void
}

interface Waiting {
  resolve(): void
  reject(error: unknown): void
}

type Execute = (statement: string) => void

/**
 * Writers take turns, first come first served. Turns that wait behind each other, or come while the event loop still
 * goes through what has arrived, share one transaction: each is a savepoint in it, undone by itself if need be, and
 * answered only after the commit of all. So many small writes at once cost one flush of the disk instead of one each,
 * and are as durable.
 */
export const createTurns = (handle: Handle, execute: Execute, beginStatement: string) => {
  let last = Promise.resolve()
  let beganAt = 0
  let finished: Waiting[] = []
  let isTaken = false
  let planned: NodeJS.Immediate | undefined

  const enter = async (): Promise<() => void> => {
    const before = last
    let leave = () => {}
    last = new Promise((resolve) => {
      leave = resolve
    })
    await before
    isTaken = true
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
      execute('commit')
      settle(({ resolve }) => resolve())
    } catch (error) {
      // A failed commit leaves the transaction open: it must not swallow the next writer's work.
      if (handle.inTransaction) execute('rollback')
      settle(({ reject }) => reject(error))
    }
  }

  /** Some failures (a full disk) end the whole transaction, and with it what others had written in it. */
  const loseAll = (): void =>
    settle(({ reject }) => reject(new Error('The database ended the transaction by itself.')))

  /** Whoever has the turn at that moment commits for all when it is over. */
  const commitUnlessTaken = (): void => {
    planned = undefined
    if (!isTaken && handle.inTransaction) commit()
  }

  const pass = (leave: () => void): void => {
    isTaken = false
    const isDue = performance.now() - beganAt > LONGEST_WAIT_MS || finished.length >= MOST_TOGETHER
    if (!handle.inTransaction) loseAll()
    else if (isDue) commit()
    else planned ??= setImmediate(commitUnlessTaken)
    leave()
  }

  /** Another process may be writing: it is waited for without keeping anybody else in this one from going on. */
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
    if (!handle.inTransaction) {
      await beginWhenFree()
      beganAt = performance.now()
    }
    execute('savepoint turn')
  }

  const keep = (leave: () => void): Promise<void> =>
    new Promise((resolve, reject) => {
      try {
        execute('release turn')
        finished.push({ resolve, reject })
      } catch (error) {
        reject(error)
      }
      pass(leave)
    })

  const undo = (leave: () => void): void => {
    if (handle.inTransaction) {
      execute('rollback to turn')
      execute('release turn')
    }
    pass(leave)
  }

  return {
    /** A turn for one piece of work that does not wait for anything. */
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

    /** Waits for whoever has a turn, and lets nobody in after. */
    async close(): Promise<() => void> {
      const leave = await enter()
      if (handle.inTransaction) commit()
      return leave
    },
  }
}
export type Turns = ReturnType<typeof createTurns>
