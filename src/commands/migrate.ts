import { migrate } from '../database/migrate.ts'
import type { Command } from './command.ts'

export const migrateCommand: Command = {
  usage: 'migrate',
  summary: 'Bring the database up to date (serve does it by itself)',
  async run({ config, openDatabase, print }) {
    const database = await openDatabase()
    try {
      const done = await migrate(database, undefined, config.timezone)
      print(done.length > 0 ? `Migrated: ${done.join(', ')}` : 'The database is up to date.')
      return 0
    } finally {
      await database.close()
    }
  },
}
