import { randomId } from '../../../platform/random.ts'
import { createPace, createTurns } from '../../../platform/turns.ts'
import type { Runner, RunnerDeps } from './runner.ts'
import { mailLeases, type SyncTurns } from './session.ts'

const POLL_MS = 2_000
/** After a start, many accounts connect one after the other. */
const CONNECT_INTERVAL_MS = 50
/** Accounts that download messages at the same time. It limits the memory. */
const MAX_FETCHES = 8
/** Accounts that parse or write at the same time. Each needs CPU time, and a connection to PostgreSQL. */
const MAX_STORES = 2

export interface Syncing {
  start(): void
  /** Checks an account for pending work at once. */
  wake(accountId: string): void
  stop(): Promise<void>
}

/** Syncs every enabled account that no other instance holds. */
export const createSyncing = (given: Omit<RunnerDeps, 'turns'>): Syncing => {
  const turns: SyncTurns = {
    connect: createPace(CONNECT_INTERVAL_MS),
    fetch: createTurns(MAX_FETCHES),
    store: createTurns(MAX_STORES, { pauses: true }),
  }
  const deps: RunnerDeps = { ...given, turns }
  const { db, clock, random, log } = deps
  const owner = randomId(random)
  const running = new Map<string, { runner: Runner; ended: Promise<void> }>()
  let timer: NodeJS.Timeout | undefined
  let isStarted = false
  let pendingPoll: Promise<void> | undefined

  const startAccount = async (accountId: string): Promise<void> => {
    // Load the IMAP code with the first account, so that instances without mail do not load it.
    const { startRunner } = await import('./runner.ts')
    const lease = await mailLeases.take(db, accountId, { owner, now: clock.now() })
    if (!lease) return
    const runner = startRunner(deps, lease)
    const ended = runner.ended.then(async () => {
      running.delete(accountId)
      await mailLeases
        .release(db, lease)
        .catch((error: unknown) => log.warn({ err: error }, 'could not release a lease'))
    })
    running.set(accountId, { runner, ended })
  }

  const startMissingRunners = async (): Promise<void> => {
    const accounts = await db.selectFrom('mail_accounts').select('id').where('enabled', '=', 1).execute()
    for (const { id } of accounts) if (isStarted && !running.has(id)) await startAccount(id)
  }

  const pollAccounts = (): Promise<void> => {
    pendingPoll ??= startMissingRunners()
      .catch((error: unknown) => log.error({ err: error }, 'could not read the mail accounts'))
      .finally(() => {
        pendingPoll = undefined
        if (!isStarted) return
        clearTimeout(timer)
        timer = setTimeout(() => void pollAccounts(), POLL_MS)
      })
    return pendingPoll
  }

  return {
    start() {
      isStarted = true
      void pollAccounts()
    },
    wake(accountId) {
      if (!isStarted) return
      const known = running.get(accountId)
      if (known) known.runner.wake()
      else void pollAccounts()
    },
    async stop() {
      isStarted = false
      clearTimeout(timer)
      await pendingPoll
      const all = [...running.values()]
      for (const { runner } of all) runner.stop()
      await Promise.all(all.map(({ ended }) => ended))
    },
  }
}
