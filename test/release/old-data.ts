import { mkdirSync } from 'node:fs'
import { openDatabase } from '../../src/database/database.ts'
import { migrate, releases } from '../../src/database/migrate.ts'

/** Creates a data directory with the schema of version 0.2.0. */
export const createOldData = async (dataDir: string): Promise<void> => {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const database = await openDatabase({ dataDir, databaseUrl: null, onIdleError: () => {} })
  await migrate(database, releases['0.2.0'])
  await database.close()
}
