import { existsSync } from 'node:fs'
import { type App, buildApp } from '../app.ts'
import { type Database, sqliteFile } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import { createLog } from '../platform/log.ts'
import { type CommandContext, CommandError } from './command.ts'
import { messageOf } from './failure.ts'

/** Whether there is a database to open, or opening it would make one. */
export const hasDatabase = ({ databaseUrl, dataDir }: CommandContext['config']): boolean =>
  databaseUrl !== null || existsSync(sqliteFile(dataDir))

/** A database that answers, or one line that says why it does not. */
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
    const where = config.databaseUrl === null ? sqliteFile(config.dataDir) : 'that DATABASE_URL names'
    throw new CommandError(`The database ${where} does not open: ${messageOf(error)}`)
  }
}

/** Runs `work` on the whole application, without a server in front, and lets go of everything after. */
export const withApp = async <T>(
  context: CommandContext,
  work: (app: App, database: Database) => Promise<T>,
): Promise<T> => {
  const database = await openOrExplain(context)
  let app: App | undefined
  try {
    await migrate(database, undefined, context.config.timezone)
    // The log goes where the answer goes: here it would stand in somebody's pipe.
    app = await buildApp(context.config, { ...context.worldOf(database), log: createLog('silent') })
    return await work(app, database)
  } finally {
    await (app ?? database).close()
  }
}
