import { migrate, type Steps } from '../../database/migrate.ts'
import { expireUpgradeCopies } from '../../database/upgrade-copies.ts'
import type { Platform } from '../../platform/platform.ts'

/** Finishes upgrades: applies contract migrations when no older version runs, and deletes expired copies. */
export const createUpgrades = (
  { database, clock }: Platform,
  config: { dataDir: string; upgradeCopies: number },
  steps: Steps | undefined,
) => ({
  async settle(): Promise<void> {
    await migrate(database, undefined, steps)
    expireUpgradeCopies(database, config, clock.now())
  },
})
