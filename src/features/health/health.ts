import type { Database } from '../../database/database.ts'
import type { Clock } from '../../platform/clock.ts'

const ANSWER_WITHIN_MS = 2_000

export interface Check {
  ok: boolean
  detail?: string
}

export interface Health {
  report(): Promise<HealthReport>
  /** From now on this instance is going: whoever balances load should send no more. */
  beginDraining(): void
}

export interface HealthReport {
  status: 'ok' | 'down'
  version: string
  uptimeSeconds: number
  database: { engine: Database['engine']; ok: boolean }
  checks: Record<string, Check>
}

const answersInTime = async (work: Promise<void>): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ANSWER_WITHIN_MS)
  })
  const answered = work.then(
    () => true,
    () => false,
  )
  try {
    return await Promise.race([answered, tooLate])
  } finally {
    clearTimeout(timer)
  }
}

export const createHealth = (deps: {
  database: Database
  clock: Clock
  version: string
  /** Called while the database answers. */
  checkWrites: () => Promise<Record<string, Check>>
}): Health => {
  const startedAt = deps.clock.now().getTime()
  let draining = false
  return {
    async report() {
      const ok = await answersInTime(deps.database.ping())
      const checks = { ...(ok && (await deps.checkWrites())), accepting: { ok: !draining } }
      return {
        status: ok && Object.values(checks).every((check) => check.ok) ? 'ok' : 'down',
        version: deps.version,
        uptimeSeconds: Math.max(0, Math.floor((deps.clock.now().getTime() - startedAt) / 1000)),
        database: { engine: deps.database.engine, ok },
        checks,
      }
    },
    beginDraining() {
      draining = true
    },
  }
}
