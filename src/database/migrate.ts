import { type Kysely, sql } from 'kysely'
import { type Migration, type MigrationResult, Migrator } from 'kysely/migration'
import { readCatalogue } from './catalogue.ts'
import type { Database, Engine } from './database.ts'
import { accounts } from './migrations/0001-accounts.ts'
import { frame } from './migrations/0002-frame.ts'
import { jobs } from './migrations/0003-jobs.ts'
import { calendar } from './migrations/0004-calendar.ts'
import { mail } from './migrations/0005-mail.ts'
import { tasks } from './migrations/0006-tasks.ts'
import { mailAccounts } from './migrations/0007-mail-accounts.ts'
import { ai } from './migrations/0008-ai.ts'
import { bookings } from './migrations/0009-bookings.ts'
import { stream } from './migrations/0010-stream.ts'
import { live } from './migrations/0011-live.ts'
import { settings } from './migrations/0012-settings.ts'
import { webhooks } from './migrations/0013-webhooks.ts'
import { deliveries } from './migrations/0014-deliveries.ts'
import { taskLinks } from './migrations/0015-task-links.ts'
import { billing } from './migrations/0016-billing.ts'
import { notifications } from './migrations/0017-notifications.ts'

/** A step forward; there is no way back. Once landed it is never edited. */
export type Step = (db: Kysely<unknown>, engine: Engine) => Promise<void>

const steps: Record<string, Step> = {
  '0001-accounts': accounts,
  '0002-frame': frame,
  '0003-jobs': jobs,
  '0004-calendar': calendar,
  '0005-mail': mail,
  '0006-tasks': tasks,
  '0007-mail-accounts': mailAccounts,
  '0008-ai': ai,
  '0009-bookings': bookings,
  '0010-stream': stream,
  '0011-live': live,
  '0012-settings': settings,
  '0013-webhooks': webhooks,
  '0014-deliveries': deliveries,
  '0015-task-links': taskLinks,
  '0016-billing': billing,
  '0017-notifications': notifications,
}

/** Every step there is, the first first. */
export const migrations: readonly string[] = Object.keys(steps)
export const latestMigration = migrations.at(-1) as string

const DONE = 'migrations'
const LOCK = 'migration_lock'
/** Where the steps themselves are recorded. */
export const migrationTables: readonly string[] = [DONE, LOCK]

/** A database, or a transaction in it. */
export type Migratable = Pick<Database, 'db' | 'engine'>

const createMigrator = (database: Migratable): Migrator =>
  new Migrator({
    db: database.db,
    migrationTableName: DONE,
    migrationLockTableName: LOCK,
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

export interface MigrationState {
  /** The last step that was taken; null before the first. */
  readonly at: string | null
  /** When the first step was taken: no two databases that were made say the same. */
  readonly since: string | null
  readonly pending: readonly string[]
  /** Steps that a newer program has taken. */
  readonly unknown: readonly string[]
}

/** How far a database has come. Changes nothing. */
export const readMigrationState = async ({ db, engine }: Migratable): Promise<MigrationState> => {
  const exists = (await readCatalogue(db, engine)).has(DONE)
  const { rows } = exists
    ? await sql<{ name: string; timestamp: string }>`
        select name, timestamp from ${sql.table(DONE)} order by name`.execute(db)
    : { rows: [] }
  const done = rows.map((row) => row.name)
  return {
    at: done.at(-1) ?? null,
    since: rows[0]?.timestamp ?? null,
    pending: migrations.filter((name) => !done.includes(name)),
    unknown: done.filter((name) => !migrations.includes(name)),
  }
}

const explain = async (database: Migratable): Promise<string> => {
  // After a failure a transaction answers nothing more.
  const state = database.db.isTransaction
    ? undefined
    : await readMigrationState(database).catch(() => undefined)
  return state && state.unknown.length > 0
    ? `The database was migrated by a newer version of Factotum (${state.at}): upgrade this one.`
    : 'The database could not be migrated.'
}

/**
 * Brings the schema up to date, or to `upTo`, in one transaction. Safe when several instances start at once:
 * the others wait, then find nothing to do.
 */
export const migrate = async (database: Migratable, upTo?: string): Promise<string[]> => {
  const { pending, unknown } = await readMigrationState(database)
  // Nearly every start: a look will do, and no lock is taken.
  if (upTo === undefined && pending.length === 0 && unknown.length === 0) return []
  const migrator = createMigrator(database)
  const { error, results } = upTo ? await migrator.migrateTo(upTo) : await migrator.migrateToLatest()
  if (error) throw new Error(await explain(database), { cause: error })
  return (results ?? []).map((result: MigrationResult) => result.migrationName)
}
