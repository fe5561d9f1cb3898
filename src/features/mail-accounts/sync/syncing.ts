import { type Random, randomId } from '../../../platform/random.ts'
import { type Lease, releaseLease, takeLease } from './lease.ts'
import type { Runner, RunnerDeps } from './runner.ts'

const POLL_MS = 2_000

export interface Syncing {
  start(): void
  /** Looks at once for what is new to be done with an account. */
  wake(accountId: string): void
  stop(): Promise<void>
}

/** Keeps every account in step that no other instance looks after. */
export const createSyncing = (deps: RunnerDeps & { random: Random }): Syncing => {
  const { db, clock, random, log } = deps
  const owner = randomId(random)
  const running = new Map<string, { runner: Runner; lease: Lease; ended: Promise<void> }>()
  let timer: NodeJS.Timeout | undefined
  let isStarted = false
  let looking: Promise<void> | undefined

  const begin = async (accountId: string): Promise<void> => {
    // With the first account: where there is none, all that speaks to mail servers is never loaded.
    const { startRunner } = await import('./runner.ts')
    const lease = await takeLease(db, accountId, owner, clock.now())
    if (!lease) return
    const runner = startRunner(deps, lease)
    const ended = runner.ended.then(async () => {
      running.delete(accountId)
      await releaseLease(db, lease).catch((error: unknown) =>
        log.warn({ err: error }, 'a lease was not given back'),
      )
    })
    running.set(accountId, { runner, lease, ended })
  }

  const look = async (): Promise<void> => {
    const accounts = await db.selectFrom('mail_accounts').select('id').where('enabled', '=', 1).execute()
    for (const { id } of accounts) if (isStarted && !running.has(id)) await begin(id)
  }

  const lookSafely = (): Promise<void> => {
    looking ??= look()
      .catch((error: unknown) => log.error({ err: error }, 'the mail accounts could not be read'))
      .finally(() => {
        looking = undefined
        if (!isStarted) return
        clearTimeout(timer)
        timer = setTimeout(() => void lookSafely(), POLL_MS)
      })
    return looking
  }

  return {
    start() {
      isStarted = true
      void lookSafely()
    },
    wake(accountId) {
      if (!isStarted) return
      const known = running.get(accountId)
      if (known) known.runner.wake()
      else void lookSafely()
    },
    async stop() {
      isStarted = false
      clearTimeout(timer)
      await looking
      const all = [...running.values()]
      for (const { runner } of all) runner.stop()
      await Promise.all(all.map(({ ended }) => ended))
    },
  }
}
