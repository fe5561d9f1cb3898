import type { Database } from '../../database/database.ts'
import { migrate, type Steps } from '../../database/migrate.ts'
import { expireUpgradeCopies } from '../../database/upgrade-copies.ts'
import type { Clock } from '../../platform/clock.ts'

/** Finishes upgrades: applies contract migrations when no older version runs, and deletes expired copies. */
export const createUpgrades = (deps: {
  database: Database
  clock: Clock
  config: { dataDir: string; upgradeCopies: number }
  steps: Steps | undefined
}) => ({
  async settle(): Promise<void> {
    const { database, clock, config, steps } = deps
    await migrate(database, undefined, steps)
    expireUpgradeCopies(database, config, clock.now())
  },
})
