import type { Engine } from '../../database/database.ts'
import {
  explainMismatch,
  isBeforeBaseline,
  isContract,
  latestMigration,
  type MigrationState,
  OLDER_ADVICE,
} from '../../database/migrate.ts'
import { type Check, fail, ok, warn } from './checks-instance.ts'

/** Compares the migrations of the database with those of this version. */
const describeMigrations = (state: MigrationState, engine: Engine) => {
  const { at, pending, unknown } = state
  if (explainMismatch(state) !== undefined)
    return [
      fail(
        `migrated by another version, to ${at}`,
        at !== null && isBeforeBaseline(at)
          ? OLDER_ADVICE
          : `use that version or a newer one: this version supports ${latestMigration}`,
      ),
    ]
  if (at === null) return [ok('empty; the first start creates its tables')]
  if (unknown.length > 0)
    return [warn(`migrated by a newer version, to ${at}`, 'upgrade this one; until then both can run')]
  if (pending.length > 0 && pending.every(isContract))
    return [ok(`migrated to ${at}; ${pending.join(', ')} wait until no older version runs`)]
  if (pending.length > 0)
    return [
      warn(
        `at ${at}, behind ${latestMigration}`,
        engine === 'postgres'
          ? 'make a backup with the older version, then start the server, or run: factotum migrate'
          : 'start the server, or run: factotum migrate (it copies the database first)',
      ),
    ]
  return [ok(`migrated to ${at}`)]
}

export const migrationsCheck: Check = {
  what: 'database',
  run: ({ database, migration }) =>
    database && migration ? describeMigrations(migration, database.engine) : [],
}
