import { existsSync } from 'node:fs'
import { type App, buildApp } from '../app.ts'
import { type Database, sqliteFile } from '../database/database.ts'
import { readMigrationState } from '../database/migrate.ts'
import { type OpenedPlace, openBlobPlace } from '../platform/blobs/blobs.ts'
import { BlobDamaged } from '../platform/blobs/storage.ts'
import { AppError } from '../platform/errors.ts'
import { createLog } from '../platform/log.ts'
import { createOutbound } from '../platform/outbound/outbound.ts'
import type { Outbound } from '../platform/outbound/port.ts'
import { type Command, type CommandContext, CommandError, messageOf, readArguments } from './command.ts'
import { upgradeDatabase } from './upgrade.ts'

/** Whether a database exists. Otherwise opening would create one. */
export const hasDatabase = ({ databaseUrl, dataDir }: CommandContext['config']): boolean =>
  databaseUrl !== null || existsSync(sqliteFile(dataDir))

/** For commands that require an instance: a misspelled DATA_DIR must not create a new one. */
export const requireInstance = ({ config }: CommandContext): void => {
  if (!hasDatabase(config))
    throw new CommandError(`There is no instance: ${sqliteFile(config.dataDir)} does not exist.`)
}

/** Opens the database, or throws one line that explains the problem. */
export const openOrExplain = async (context: CommandContext): Promise<Database> => {
  const { config } = context
  try {
    const database = await context.openDatabase()
    try {
      await database.ping()
      return database
    } catch (error) {
      await database.close()
      throw error
    }
  } catch (error) {
    const where = config.databaseUrl === null ? sqliteFile(config.dataDir) : 'in DATABASE_URL'
    throw new CommandError(`The database ${where} cannot be opened: ${messageOf(error)}`)
  }
}

/** Runs `work` with the whole application without an HTTP server, and closes everything afterwards. */
export const withApp = async <T>(
  context: CommandContext,
  work: (app: App, database: Database) => Promise<T>,
): Promise<T> => {
  const database = await openOrExplain(context)
  let app: App | undefined
  try {
    await upgradeDatabase(context, database)
    // The log would go to stdout and mix with the result.
    app = await buildApp(context.config, { ...context.createDeps(database), log: createLog('silent') })
    return await work(app, database)
  } finally {
    await (app ?? database).close()
  }
}

export const openOutbound = ({ config, version }: Pick<CommandContext, 'config' | 'version'>): Outbound =>
  createOutbound({
    allow: config.outboundAllow,
    typedMayBePrivate: config.access === 'open',
    userAgent: `Factotum/${version}`,
  })

/** The operator may read the reason, which responses to users leave out. */
const explainStorage = (error: unknown): unknown => {
  if (error instanceof BlobDamaged) return new CommandError(error.message)
  if (!(error instanceof AppError) || error.code !== 'storage_unavailable') return error
  return new CommandError(
    error.cause === undefined
      ? error.message
      : `The bucket in BLOBS_URL cannot be used: ${messageOf(error.cause)}`,
  )
}

/** Runs `work` with the storage of blobs, and closes its connections afterwards. */
export const withBlobPlace = async <T>(
  context: CommandContext,
  database: Pick<Database, 'db' | 'engine'>,
  work: (opened: OpenedPlace) => Promise<T>,
): Promise<T> => {
  const { config, clock, random } = context
  const outbound = openOutbound(context)
  const bucket = config.blobs?.bucket ?? null
  try {
    return await work(openBlobPlace({ database, dataDir: config.dataDir, bucket, outbound, clock, random }))
  } catch (error) {
    throw explainStorage(error)
  } finally {
    await outbound.close()
  }
}

const usage = 'migrate'

export const migrateCommand: Command = {
  usage,
  summary: 'Migrate the database (serve does it automatically)',
  async run(context) {
    readArguments(context.args, { usage, options: {}, words: [] })
    const database = await openOrExplain(context)
    try {
      const done = await upgradeDatabase(context, database)
      context.print(done.length > 0 ? `Migrated: ${done.join(', ')}` : 'The database is up to date.')
      const { pending } = await readMigrationState(database)
      if (pending.length > 0) context.print(`Waiting until no older version runs: ${pending.join(', ')}`)
      return 0
    } finally {
      await database.close()
    }
  },
}
