import { migrate } from '../database/migrate.ts'
import { type Command, readArguments } from './command.ts'
import { openOrExplain } from './instance.ts'

const usage = 'migrate'

export const migrateCommand: Command = {
  usage,
  summary: 'Migrate the database (serve does it automatically)',
  async run(context) {
    readArguments(context.args, { usage, options: {}, words: [] })
    const database = await openOrExplain(context)
    try {
      const done = await migrate(database, undefined, context.config.timezone)
      context.print(done.length > 0 ? `Migrated: ${done.join(', ')}` : 'The database is up to date.')
      return 0
    } finally {
      await database.close()
    }
  },
}
