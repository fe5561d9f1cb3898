import type { Db } from '../../database/db.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Logger } from '../../platform/log.ts'
import { type Random, randomId } from '../../platform/random.ts'
import { listDue, takeLease, writeUnderLease } from './lease-store.ts'
import { LEASE_MS, type TakeTurn } from './turn.ts'

/** How soon is seen what another process left behind, or what was put off. */
const LOOK_EVERY_MS = 1_000
const MOST_AT_ONCE = 8

/** Takes endpoints that something is due for, each by one instance at a time, and has it sent. */
export const createSending = (deps: {
  db: Db
  clock: Clock
  random: Random
  log: Logger
  takeTurn: TakeTurn
}) => {
  const { db, clock, random, log, takeTurn } = deps
  const stopping = new AbortController()
  const turns = new Map<string, Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  let isLooking = false
  let isCalled = false

  const work = async (webhookId: string): Promise<void> => {
    const owner = randomId(random)
    const now = clock.now()
    const until = new Date(now.getTime() + LEASE_MS).toISOString()
    if (!(await takeLease(db, webhookId, { owner, now: now.toISOString(), until }))) return
    try {
      await takeTurn(webhookId, owner, stopping.signal)
    } finally {
      await writeUnderLease(db, webhookId, owner, { leaseOwner: null, leaseUntil: null })
    }
  }

  const begin = (webhookId: string): void => {
    const turn = work(webhookId).then(
      () => {
        turns.delete(webhookId)
        wake()
      },
      (error: unknown) => {
        turns.delete(webhookId)
        // It is still due. What keeps it from being noted (a full disk) will not be over at once: the timer looks again.
        if (!stopping.signal.aborted) log.error({ err: error, webhookId }, 'webhooks could not be sent')
      },
    )
    turns.set(webhookId, turn)
  }

  let looking: Promise<void> | undefined
  const look = async (): Promise<void> => {
    const free = MOST_AT_ONCE - turns.size
    if (free <= 0) return
    const due = await listDue(db, clock.now().toISOString(), free + turns.size)
    for (const id of due.filter((each) => !turns.has(each)).slice(0, free)) begin(id)
  }

  const wake = (): void => {
    isCalled = true
    if (isLooking || timer === undefined || stopping.signal.aborted) return
    isLooking = true
    isCalled = false
    looking = look()
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) log.warn({ err: error }, 'due webhooks could not be read')
      })
      .finally(() => {
        isLooking = false
        if (isCalled) wake()
      })
  }

  return {
    wake,
    start(): void {
      timer ??= setInterval(wake, LOOK_EVERY_MS)
      wake()
    },
    /** What is on its way is dropped, and sent again by whoever comes next. */
    async stop(): Promise<void> {
      clearInterval(timer)
      timer = undefined
      stopping.abort(new Error('The process is ending.'))
      // Whoever is still reading what is due would find the database closed.
      await looking
      await Promise.all(turns.values())
    },
  }
}
