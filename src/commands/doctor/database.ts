import { statSync } from 'node:fs'
import { sql } from 'kysely'
import { type Database, sqliteFile } from '../../database/database.ts'
import { latestMigration, type MigrationState } from '../../database/migrate.ts'
import { type Check, fail, ok, warn } from './finding.ts'

const LARGEST_WAL = 256 * 1024 * 1024
const LEAST_POSTGRES = 13
const MEND_FILE = 'give the file to the user that runs the service; if it is damaged, restore the last backup'
const MEND_SERVER = 'see that the server runs, and that DATABASE_URL has its address, name and password'

const migrationFindings = ({ at, pending, unknown }: MigrationState) => {
  if (unknown.length > 0)
    return [fail(`migrated by a newer version, to ${at}`, `upgrade: this one knows ${latestMigration}`)]
  if (at === null) return [ok('empty; the first start makes its tables')]
  if (pending.length > 0)
    return [warn(`at ${at}, behind ${latestMigration}`, 'start the service, or run: factotum migrate')]
  return [ok(`migrated to ${at}`)]
}

const sqliteFindings = async ({ db, location }: Database) => {
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check(5)`.execute(db)
  const faults = rows.map((row) => row.quick_check).filter((line) => line !== 'ok')
  const wal = statSync(`${location}-wal`, { throwIfNoEntry: false })?.size ?? 0
  const size = statSync(location).size
  return [
    faults.length === 0
      ? ok(`SQLite, whole, ${megabytes(size)}`)
      : fail(`damaged: ${faults[0]}`, 'stop the service and restore the last backup'),
    ...(wal > LARGEST_WAL
      ? [
          warn(
            `its write-ahead log has grown to ${megabytes(wal)}`,
            'end what keeps the database open for long',
          ),
        ]
      : []),
  ]
}

const postgresFindings = async ({ db, location }: Database) => {
  const { rows } = await sql<{ server_version: string }>`show server_version`.execute(db)
  const version = rows[0]?.server_version ?? 'unknown'
  return Number.parseInt(version, 10) >= LEAST_POSTGRES
    ? [ok(`PostgreSQL ${version} at ${location}`)]
    : [fail(`PostgreSQL ${version} at ${location}`, `upgrade it to ${LEAST_POSTGRES} or newer`)]
}

const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`

export const databaseCheck: Check = {
  what: 'database',
  async run({ config, database, complaint, migration }) {
    if (complaint !== null) return [fail(complaint, config.databaseUrl === null ? MEND_FILE : MEND_SERVER)]
    if (!database || !migration)
      return [ok(`none yet; ${sqliteFile(config.dataDir)} is made on the first start`)]
    const findings =
      database.engine === 'sqlite' ? await sqliteFindings(database) : await postgresFindings(database)
    return [...findings, ...migrationFindings(migration)]
  },
}
