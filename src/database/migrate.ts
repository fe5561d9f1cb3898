import { setTimeout } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Migration, MigrationResult, Migrator } from 'kysely/migration'
import type { Database, Engine } from './database.ts'
import type { Db } from './db.ts'
import { baselineNames } from './migrations/baseline/names.ts'
import { hasTable } from './schema-info.ts'
import { isBusy } from './sqlite.ts'
import { tableKeys } from './tables.ts'
import { CONFLICT_CODES } from './transaction.ts'
import { isOlderRunning, lockOutOlder } from './version-locks.ts'

/** A forward migration; there is no rollback. A released migration is never edited. */
export type Step = (db: Kysely<unknown>, engine: Engine) => Promise<void>

/** Migrations by name. Loaded when needed: nearly every start has nothing to migrate. */
export type Steps = Readonly<Record<string, () => Promise<Step>>>

/** The first name creates the whole baseline. The others are only recorded. */
const baselineSteps: Steps = Object.fromEntries(
  baselineNames.map((name, index) => [
    name,
    async () =>
      index === 0 ? (await import('./migrations/baseline/baseline.ts')).createBaseline : async () => {},
  ]),
)

export const releasedSteps: Steps = {
  ...baselineSteps,
  '0079-commitment-reminders': async () =>
    (await import('./migrations/0079-commitment-reminders.ts')).commitmentReminders,
  '0082-backups': async () => (await import('./migrations/0082-backups.ts')).backups,
  '0084-email-tallies': async () => (await import('./migrations/0084-email-tallies.ts')).emailTallies,
  '0085-mail-placements': async () => (await import('./migrations/0085-mail-placements.ts')).mailPlacements,
  '0089-smtp-utf8': async () => (await import('./migrations/0089-smtp-utf8.ts')).smtpUtf8,
  '0093-contact-fields': async () => (await import('./migrations/0093-contact-fields.ts')).contactFields,
  '0097-notification-data': async () =>
    (await import('./migrations/0097-notification-data.ts')).notificationData,
  '0100-action-proposers': async () =>
    (await import('./migrations/0100-action-proposers.ts')).actionProposers,
  '0104-action-subjects': async () => (await import('./migrations/0104-action-subjects.ts')).actionSubjects,
  '0106-reservations': async () => (await import('./migrations/0106-reservations.ts')).reservations,
  '0110-task-trees': async () => (await import('./migrations/0110-task-trees.ts')).taskTrees,
  '0120-calendar-mirrors': async () =>
    (await import('./migrations/0120-calendar-mirrors.ts')).calendarMirrors,
  '0121-calendar-notifications': async () =>
    (await import('./migrations/0121-calendar-notifications.ts')).calendarNotifications,
  '0122-task-filters': async () => (await import('./migrations/0122-task-filters.ts')).taskFilters,
  '0123-task-templates': async () => (await import('./migrations/0123-task-templates.ts')).taskTemplates,
  '0124-task-comments': async () => (await import('./migrations/0124-task-comments.ts')).taskComments,
  '0125-time-entries': async () => (await import('./migrations/0125-time-entries.ts')).timeEntries,
  '0126-conferencing-links': async () =>
    (await import('./migrations/0126-conferencing-links.ts')).conferencingLinks,
  '0127-event-buffers': async () => (await import('./migrations/0127-event-buffers.ts')).eventBuffers,
  '0130-app-passwords': async () => (await import('./migrations/0130-app-passwords.ts')).appPasswords,
  '0131-dav': async () => (await import('./migrations/0131-dav.ts')).dav,
}

/** All migrations in order. */
export const migrations: readonly string[] = Object.keys(releasedSteps)
export const latestMigration = migrations.at(-1) as string

/** The newest migration of each released version that can be upgraded. */
export const releases: Readonly<Record<string, string>> = {
  '0.2.0': '0078-file-imports',
}

/** A database or backup with an older schema is refused. */
export const isBeforeBaseline = (migration: string): boolean => migration < (baselineNames.at(-1) as string)

export const OLDER_ADVICE = 'Install version 0.2.0 and start it once. Then install this version.'

/**
 * A contract migration removes what only older versions use. Its name starts with NUMBER-contract, so that an
 * older version recognises it in the database. All others expand: the previous version runs beside them.
 */
export const isContract = (name: string): boolean => /^\d+-contract-/.test(name)

const DONE = 'migrations'
const LOCK = 'migration_lock'
/** The tables that record the migrations. */
export const migrationTables: readonly string[] = [DONE, LOCK]

/** A database, or a transaction. */
export type Migratable = Pick<Database, 'db' | 'engine'> & Partial<Pick<Database, 'processLock'>>

/** Instances of other versions may run: not on SQLite, and not while a transaction replaces all tables. */
const hasNeighbours = ({ db, engine }: Migratable): boolean => engine === 'postgres' && !db.isTransaction

const createMigrator = async (database: Migratable, steps: Steps): Promise<Migrator> => {
  const { Migrator } = await import('kysely/migration')
  const names = Object.keys(steps)
  const createMigration = ([name, load]: [string, () => Promise<Step>]): [string, Migration] => [
    name,
    {
      async up(db) {
        if (isContract(name) && hasNeighbours(database) && !(await lockOutOlder(db, name, names)))
          throw new Error('An instance of an older version has just started. Stop it, then start again.')
        const step = await load()
        await step(db, database.engine)
      },
    },
  ]
  return new Migrator({
    db: database.db,
    migrationTableName: DONE,
    migrationLockTableName: LOCK,
    provider: { getMigrations: async () => Object.fromEntries(Object.entries(steps).map(createMigration)) },
  })
}

export interface MigrationState {
  /** The last applied migration; null before the first. */
  readonly at: string | null
  /** Time of the first migration. It identifies a database. */
  readonly since: string | null
  readonly pending: readonly string[]
  /** Migrations that a newer program version applied. */
  readonly unknown: readonly string[]
}

/** Reads the migration state. Changes nothing. */
export const readMigrationState = async (
  { db }: Pick<Migratable, 'db'>,
  names: readonly string[] = migrations,
): Promise<MigrationState> => {
  const exists = await hasTable(db, DONE)
  const applied = db as unknown as Kysely<{ [DONE]: { name: string; timestamp: string } }>
  const rows = exists
    ? await applied.selectFrom(DONE).select(['name', 'timestamp']).orderBy('name').execute()
    : []
  const done = rows.map((row) => row.name)
  return {
    at: done.at(-1) ?? null,
    since: rows[0]?.timestamp ?? null,
    pending: names.filter((name) => !done.includes(name)),
    unknown: done.filter((name) => !names.includes(name)),
  }
}

/** Returns why this version cannot use the database; undefined if it can, perhaps after its migrations. */
export const explainMismatch = (
  { at, pending, unknown }: MigrationState,
  names: readonly string[] = migrations,
): string | undefined => {
  const latest = names.at(-1) as string
  const skipped = at === null ? [] : pending.filter((name) => name < at)
  const foreign = [...unknown.filter((name) => name < latest), ...skipped]
  if (foreign.length > 0)
    return `The database was made by a development version whose migrations differ from the released ones (${foreign.join(', ')}). Export your data with that version and import it into a new database, or restore a backup of a released version.`
  if (at !== null && isBeforeBaseline(at))
    return `The database has the schema ${at}, which is older than version 0.2.0. This version upgrades only from 0.2.0. ${OLDER_ADVICE}`
  const contract = unknown.findLast(isContract)
  if (contract !== undefined)
    return `The database was migrated by a newer version of Factotum (${contract}): upgrade this one, or go back with the newer one's "factotum rollback" or a backup that was made before the upgrade.`
  return undefined
}

/**
 * Returns the migration to stop at. A contract migration waits while an older version runs. Undefined if
 * nothing can run yet.
 */
const chooseTarget = async (
  database: Migratable,
  pending: readonly string[],
): Promise<string | undefined> => {
  if (!hasNeighbours(database)) return pending.at(-1)
  for (const [index, name] of pending.entries()) {
    if (!isContract(name) || !(await isOlderRunning(database.db, name))) continue
    if (pending.slice(index).some((later) => !isContract(later)))
      throw new Error(
        `An instance of a version before ${name} still runs. Stop it, then start this version again.`,
      )
    return index === 0 ? undefined : pending[index - 1]
  }
  return pending.at(-1)
}

/** The time that another process may take to migrate the same file, and the pause between two attempts. */
const MAX_MIGRATION_MS = 10 * 60_000
const RETRY_MS = 100

/** Another process migrates the same file, or requests of the previous version use the same tables. */
const isConcurrent = (error: unknown): boolean =>
  isBusy(error) || (error instanceof Error && 'code' in error && CONFLICT_CODES.includes(String(error.code)))

/**
 * Migrates the schema to the latest version, or to `upTo`, in one transaction. If several instances start at
 * once, the others wait and then find nothing to do. Contract migrations wait until no older version runs;
 * the next call applies them. Tests pass other `steps`.
 */
export const migrate = async (
  database: Migratable,
  upTo?: string,
  steps: Steps = releasedSteps,
): Promise<string[]> => {
  const names = Object.keys(steps)
  // Before the state is read: from now on, a contract migration of a newer version waits for this process.
  await database.processLock?.holdVersion(names.at(-1) as string)
  const state = await readMigrationState(database, names)
  const mismatch = explainMismatch(state, names)
  if (mismatch !== undefined) throw new Error(mismatch)
  // Nearly every start: a read suffices, and no lock is taken.
  if (upTo === undefined && state.pending.length === 0) return []
  const target = upTo ?? (await chooseTarget(database, state.pending))
  if (target === undefined) return []
  const migrator = await createMigrator(database, steps)
  let { error, results } = await migrator.migrateTo(target)
  for (
    const since = performance.now();
    isConcurrent(error) && performance.now() - since < MAX_MIGRATION_MS;
  ) {
    await setTimeout(RETRY_MS)
    ;({ error, results } = await migrator.migrateTo(target))
  }
  if (error) throw new Error('The database could not be migrated.', { cause: error })
  return (results ?? []).map((result: MigrationResult) => result.migrationName)
}

/** Drops all tables of the application, as in a new database. Part of the transaction. */
export const dropEverything = async (tx: Db, engine: Engine): Promise<void> => {
  const { at } = await readMigrationState({ db: tx })
  if (at === null) return
  // An older schema may have tables that are unknown here; the newest has exactly the known ones.
  await migrate({ db: tx, engine })
  if (engine === 'sqlite') {
    await sql`pragma defer_foreign_keys = on`.execute(tx)
    // A trigger that refers to a dropped table would prevent the drop of its own table.
    const { rows } = await sql<{
      name: string
    }>`select name from sqlite_master where type = 'trigger'`.execute(tx)
    for (const { name } of rows) await sql`drop trigger ${sql.ref(name)}`.execute(tx)
  }
  const children = Object.keys(tableKeys).reverse()
  for (const table of [...children, ...migrationTables]) await tx.schema.dropTable(table).ifExists().execute()
}
