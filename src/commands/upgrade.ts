import type { Database } from '../database/database.ts'
import { explainMismatch, migrate, readMigrationState } from '../database/migrate.ts'
import { CopyError, makeCopy } from '../database/upgrade-copies.ts'
import { type CommandContext, CommandError } from './command.ts'

const BACKUP_ADVICE = 'PostgreSQL is not copied: to go back, you need your own backup. See docs/upgrading.md.'

/** Copies a SQLite database before its first migration of this version. Returns when the copy is on disk. */
const prepareUpgrade = async (context: CommandContext, database: Database): Promise<void> => {
  const { config, clock, version, note } = context
  const state = await readMigrationState(database)
  if (state.at === null || state.pending.length === 0 || explainMismatch(state) !== undefined) return
  const range = `from ${state.at} to ${state.pending.at(-1)}`
  if (database.engine === 'postgres') return note(`Migrating the database ${range}. ${BACKUP_ADVICE}`)
  if (config.upgradeCopies === 0)
    return note(`Migrating the database ${range}, without a copy: UPGRADE_COPIES is 0.`)
  try {
    const options = { version, now: clock.now(), kept: config.upgradeCopies }
    const file = await makeCopy(config.dataDir, options)
    note(`Migrating the database ${range}. The copy ${file} allows: factotum rollback`)
  } catch (error) {
    throw error instanceof CopyError ? new CommandError(error.message) : error
  }
}

/** Migrates the database, with a copy of the SQLite file first. Returns the applied migrations. */
export const upgradeDatabase = async (context: CommandContext, database: Database): Promise<string[]> => {
  await prepareUpgrade(context, database)
  return migrate(database)
}
