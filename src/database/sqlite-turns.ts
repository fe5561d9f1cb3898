import type { Database as Handle } from 'better-sqlite3'

/** How long a finished turn may wait for the turns behind it, so that one trip to the disk serves them all. */
const LONGEST_WAIT_MS = 5
const MOST_TOGETHER = 64
/** How much a turn may leave for later before it does that itself, so that a long one does not fill the memory. */
const MOST_LEFT = 64
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
 * goes through what has arrived, share one transaction: each but the first is a savepoint in it, undone by itself if
 * need be, and all are answered only after the commit. So many small writes at once cost one flush of the disk instead
 * of one each, and are as durable.
 */
export const createTurns = (handle: Handle, execute: Execute, beginStatement: string) => {
  let last = Promise.resolve()
  let beganAt = 0
  let turnBeganAt = 0
  let finished: Waiting[] = []
  let isTaken = false
  /** The present turn began its transaction, and so needs no savepoint to be undone. */
  let isFirst = false
  let planned: NodeJS.Immediate | undefined
  /** How many turns there have been, and how many when the commit was last put off. */
  let begun = 0
  let counted = 0
  /** What the present turn, and what those before it, have left to be done right before the commit. */
  let left: (() => void)[] = []
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
      // A failed commit leaves the transaction open: it must not swallow the next writer's work.
      if (handle.inTransaction) execute('rollback')
      settle(({ reject }) => reject(error))
    }
    due = []
  }

  /** Some failures (a full disk) end the whole transaction, and with it what others had written in it. */
  const loseAll = (): void => {
    due = []
    settle(({ reject }) => reject(new Error('The database ended the transaction by itself.')))
  }

  const isDue = (): boolean =>
    performance.now() - beganAt > LONGEST_WAIT_MS || finished.length >= MOST_TOGETHER

  const plan = (): void => {
    counted = begun
    planned = setImmediate(commitOnceQuiet)
  }

  /**
   * Those who were just answered mostly ask again at once: while every look at the network brings another turn, it is
   * worth another look. Whoever has the turn at that moment commits for all when it is over.
   */
  const commitOnceQuiet = (): void => {
    planned = undefined
    if (isTaken || !handle.inTransaction) return
    if (begun === counted || isDue()) commit()
    else plan()
  }

  const pass = (leave: () => void): void => {
    isTaken = false
    if (!handle.inTransaction) loseAll()
    else if (isDue()) commit()
    else if (!planned) plan()
    // Long ones in a row, such as the steps of a job, would keep everybody from being heard until the last is over.
    if (performance.now() - turnBeganAt > LONGEST_WAIT_MS) setImmediate(leave)
    else leave()
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
    left = []
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
        due.push(...left)
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

    /**
     * Has the one whose turn it is leave something for the moment before the commit, in the same transaction: a word
     * index writes its pages anew at every savepoint, and costs a fraction when the turns that share a commit do that
     * together. It must not fail for what it is about, for then all of them would.
     */
    beforeCommit(work: () => void): void {
      left.push(work)
      // Behind what others have left, for it may be about the same.
      if (left.length < MOST_LEFT || due.length > 0) return
      for (const one of left) one()
      left = []
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
