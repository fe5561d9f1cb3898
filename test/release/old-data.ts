import { mkdirSync } from 'node:fs'
import { openDatabase } from '../../src/database/database.ts'
import { migrate } from '../../src/database/migrate.ts'

/** The newest migration of version 0.1.0. */
const OLD_MIGRATION = '0035-column-names'

/** Creates a data directory with the schema of version 0.1.0. */
export const createOldData = async (dataDir: string): Promise<void> => {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const database = await openDatabase({ dataDir, databaseUrl: null, onIdleError: () => {} })
  await migrate(database, OLD_MIGRATION)
  await database.close()
}
