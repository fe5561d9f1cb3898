import type { Kysely } from 'kysely'
import { type Migration, type MigrationResult, Migrator } from 'kysely/migration'
import type { Database, Engine } from './database.ts'
import { accounts } from './migrations/0001-accounts.ts'
import { frame } from './migrations/0002-frame.ts'
import { jobs } from './migrations/0003-jobs.ts'

/** A step forward; there is no way back. Once landed it is never edited. */
export type Step = (db: Kysely<unknown>, engine: Engine) => Promise<void>

const steps: Record<string, Step> = {
  '0001-accounts': accounts,
  '0002-frame': frame,
  '0003-jobs': jobs,
}

export const latestMigration = Object.keys(steps).at(-1) as string

const createMigrator = (database: Database): Migrator =>
  new Migrator({
    db: database.db,
    migrationTableName: 'migrations',
    migrationLockTableName: 'migration_lock',
    provider: {
      getMigrations: async () =>
        Object.fromEntries(
          Object.entries(steps).map(([name, step]): [string, Migration] => [
            name,
            { up: (db) => step(db, database.engine) },
          ]),
        ),
    },
  })

/**
 * Brings the schema up to date, or to `upTo`, in one transaction. Safe when several instances start at once:
 * the others wait, then find nothing to do.
 */
export const migrate = async (database: Database, upTo?: string): Promise<string[]> => {
  const migrator = createMigrator(database)
  const { error, results } = upTo ? await migrator.migrateTo(upTo) : await migrator.migrateToLatest()
  if (error) throw new Error('The database could not be migrated.', { cause: error })
  return (results ?? []).map((result: MigrationResult) => result.migrationName)
}
