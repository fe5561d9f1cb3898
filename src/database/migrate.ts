import { setTimeout } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Migration, MigrationResult, Migrator } from 'kysely/migration'
import { markRawQueries } from './all-accounts.ts'
import type { Database, Engine } from './database.ts'
import type { Db } from './db.ts'
import { hasTable } from './schema-info.ts'
import { isBusy } from './sqlite.ts'
import { tableKeys } from './tables.ts'
import { CONFLICT_CODES } from './transaction.ts'
import { isOlderRunning, lockOutOlder } from './version-locks.ts'

/**
 * A forward migration; there is no rollback. A released migration is never edited. `timezone` is the
 * instance's zone, for the case that no account has its own.
 */
export type Step = (db: Kysely<unknown>, engine: Engine, timezone: string) => Promise<void>

/** Migrations by name. Loaded when needed: nearly every start has nothing to migrate. */
export type Steps = Readonly<Record<string, () => Promise<Step>>>

export const releasedSteps: Steps = {
  '0001-accounts': async () => (await import('./migrations/0001-accounts.ts')).accounts,
  '0002-frame': async () => (await import('./migrations/0002-frame.ts')).frame,
  '0003-jobs': async () => (await import('./migrations/0003-jobs.ts')).jobs,
  '0004-calendar': async () => (await import('./migrations/0004-calendar.ts')).calendar,
  '0005-mail': async () => (await import('./migrations/0005-mail.ts')).mail,
  '0006-tasks': async () => (await import('./migrations/0006-tasks.ts')).tasks,
  '0007-mail-accounts': async () => (await import('./migrations/0007-mail-accounts.ts')).mailAccounts,
  '0008-ai': async () => (await import('./migrations/0008-ai.ts')).ai,
  '0009-bookings': async () => (await import('./migrations/0009-bookings.ts')).bookings,
  '0010-stream': async () => (await import('./migrations/0010-stream.ts')).stream,
  '0011-live': async () => (await import('./migrations/0011-live.ts')).live,
  '0012-settings': async () => (await import('./migrations/0012-settings.ts')).settings,
  '0013-webhooks': async () => (await import('./migrations/0013-webhooks.ts')).webhooks,
  '0014-deliveries': async () => (await import('./migrations/0014-deliveries.ts')).deliveries,
  '0015-task-links': async () => (await import('./migrations/0015-task-links.ts')).taskLinks,
  '0016-billing': async () => (await import('./migrations/0016-billing.ts')).billing,
  '0017-notifications': async () => (await import('./migrations/0017-notifications.ts')).notifications,
  '0018-due-days': async () => (await import('./migrations/0018-due-days.ts')).dueDays,
  '0019-calendar-accounts': async () =>
    (await import('./migrations/0019-calendar-accounts.ts')).calendarAccounts,
  '0020-links-and-removals': async () =>
    (await import('./migrations/0020-links-and-removals.ts')).linksAndRemovals,
  '0021-action-parts': async () => (await import('./migrations/0021-action-parts.ts')).actionParts,
  '0022-alarms-and-languages': async () =>
    (await import('./migrations/0022-alarms-and-languages.ts')).alarmsAndLanguages,
  '0023-mailing-lists': async () => (await import('./migrations/0023-mailing-lists.ts')).mailingLists,
  '0024-narrowed-windows': async () =>
    (await import('./migrations/0024-narrowed-windows.ts')).narrowedWindows,
  '0025-restores': async () => (await import('./migrations/0025-restores.ts')).restores,
  '0026-mail-rules': async () => (await import('./migrations/0026-mail-rules.ts')).mailRules,
  '0027-unreadable-mail': async () => (await import('./migrations/0027-unreadable-mail.ts')).unreadableMail,
  '0028-unreadable-items': async () =>
    (await import('./migrations/0028-unreadable-items.ts')).unreadableItems,
  '0029-reset-browsers': async () => (await import('./migrations/0029-reset-browsers.ts')).resetBrowsers,
  '0030-action-accounts': async () => (await import('./migrations/0030-action-accounts.ts')).actionAccounts,
  '0031-idempotency-processes': async () =>
    (await import('./migrations/0031-idempotency-processes.ts')).idempotencyProcesses,
  '0032-refresh-generations': async () =>
    (await import('./migrations/0032-refresh-generations.ts')).refreshGenerations,
  '0033-calendar-choices': async () =>
    (await import('./migrations/0033-calendar-choices.ts')).calendarChoices,
  '0034-plain-rows': async () => (await import('./migrations/0034-plain-rows.ts')).plainRows,
  '0035-column-names': async () => (await import('./migrations/0035-column-names.ts')).columnNames,
  '0036-event-rows': async () => (await import('./migrations/0036-event-rows.ts')).eventRows,
  '0037-email-rows': async () => (await import('./migrations/0037-email-rows.ts')).emailRows,
  '0038-task-creation': async () => (await import('./migrations/0038-task-creation.ts')).taskCreation,
  '0039-local-account': async () => (await import('./migrations/0039-local-account.ts')).localAccount,
  '0040-task-owner': async () => (await import('./migrations/0040-task-owner.ts')).taskOwner,
  '0041-event-owner': async () => (await import('./migrations/0041-event-owner.ts')).eventOwner,
  '0042-email-owner': async () => (await import('./migrations/0042-email-owner.ts')).emailOwner,
  '0043-stream-owner': async () => (await import('./migrations/0043-stream-owner.ts')).streamOwner,
  '0044-change-owner': async () => (await import('./migrations/0044-change-owner.ts')).changeOwner,
  '0045-booking-owner': async () => (await import('./migrations/0045-booking-owner.ts')).bookingOwner,
  '0046-ai-owner': async () => (await import('./migrations/0046-ai-owner.ts')).aiOwner,
  '0048-account-administration': async () =>
    (await import('./migrations/0048-account-administration.ts')).accountAdministration,
  '0049-usage-owner': async () => (await import('./migrations/0049-usage-owner.ts')).usageOwner,
  '0050-task-lists': async () => (await import('./migrations/0050-task-lists.ts')).taskLists,
  '0051-task-reminders': async () => (await import('./migrations/0051-task-reminders.ts')).taskReminders,
  '0052-calendars': async () => (await import('./migrations/0052-calendars.ts')).calendars,
  '0053-event-members': async () => (await import('./migrations/0053-event-members.ts')).eventMembers,
  '0054-storage-quota': async () => (await import('./migrations/0054-storage-quota.ts')).storageQuota,
  '0056-account-log': async () => (await import('./migrations/0056-account-log.ts')).accountLog,
  '0057-shares': async () => (await import('./migrations/0057-shares.ts')).shares,
  '0058-html-version': async () => (await import('./migrations/0058-html-version.ts')).htmlVersion,
  '0059-saved-searches': async () => (await import('./migrations/0059-saved-searches.ts')).savedSearches,
  '0060-server-folders': async () => (await import('./migrations/0060-server-folders.ts')).serverFolders,
  '0061-contacts': async () => (await import('./migrations/0061-contacts.ts')).contacts,
  '0062-mail-composer': async () => (await import('./migrations/0062-mail-composer.ts')).mailComposer,
  '0063-auto-schedule': async () => (await import('./migrations/0063-auto-schedule.ts')).autoSchedule,
  '0064-snoozed-mail': async () => (await import('./migrations/0064-snoozed-mail.ts')).snoozedMail,
  '0066-oauth-clients': async () => (await import('./migrations/0066-oauth-clients.ts')).oauthClients,
  '0067-provider-calendars': async () =>
    (await import('./migrations/0067-provider-calendars.ts')).providerCalendars,
  '0068-email-security': async () => (await import('./migrations/0068-email-security.ts')).emailSecurity,
  '0070-task-source': async () => (await import('./migrations/0070-task-source.ts')).taskSource,
  '0072-local-models': async () => (await import('./migrations/0072-local-models.ts')).localModels,
  '0073-commitments': async () => (await import('./migrations/0073-commitments.ts')).commitments,
  '0075-conversation-search': async () =>
    (await import('./migrations/0075-conversation-search.ts')).conversationSearch,
  '0078-file-imports': async () => (await import('./migrations/0078-file-imports.ts')).fileImports,
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
}

/** All migrations in order. */
export const migrations: readonly string[] = Object.keys(releasedSteps)
export const latestMigration = migrations.at(-1) as string

/** The newest migration of each released version. */
export const releases: Readonly<Record<string, string>> = {
  '0.1.0': '0037-email-rows',
  '0.2.0': '0078-file-imports',
}

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

const createMigrator = async (database: Migratable, timezone: string, steps: Steps): Promise<Migrator> => {
  const { Migrator } = await import('kysely/migration')
  const names = Object.keys(steps)
  const createMigration = ([name, load]: [string, () => Promise<Step>]): [string, Migration] => [
    name,
    {
      async up(db) {
        if (isContract(name) && hasNeighbours(database) && !(await lockOutOlder(db, name, names)))
          throw new Error('An instance of an older version has just started. Stop it, then start again.')
        const step = await load()
        await step(db.withPlugin(markRawQueries), database.engine, timezone)
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
  { db, engine }: Migratable,
  names: readonly string[] = migrations,
): Promise<MigrationState> => {
  const exists = await hasTable(db, engine, DONE)
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
const LONGEST_MIGRATION_MS = 10 * 60_000
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
  timezone: string | null = null,
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
  const migrator = await createMigrator(
    database,
    timezone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone,
    steps,
  )
  let { error, results } = await migrator.migrateTo(target)
  for (
    const since = performance.now();
    isConcurrent(error) && performance.now() - since < LONGEST_MIGRATION_MS;
  ) {
    await setTimeout(RETRY_MS)
    ;({ error, results } = await migrator.migrateTo(target))
  }
  if (error) throw new Error('The database could not be migrated.', { cause: error })
  return (results ?? []).map((result: MigrationResult) => result.migrationName)
}

/** Drops all tables of the application, as in a new database. Part of the transaction. */
export const dropEverything = async (tx: Db, engine: Engine): Promise<void> => {
  const { at } = await readMigrationState({ db: tx, engine })
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
