import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { sql } from 'kysely'
import { type Database, sqliteFile } from '../../database/database.ts'
import type { Db } from '../../database/db.ts'
import { latestMigration, type MigrationState } from '../../database/migrate.ts'
import { everyRow } from '../../database/schema-info.ts'
import { createActivityLog, FOREIGN_SEAL } from '../../features/auth/activity.ts'
import { openBlobPlace } from '../../platform/blobs/blobs.ts'
import type { BlobPlace } from '../../platform/blobs/storage.ts'
import { openJobs } from '../../platform/jobs/queue.ts'
import { createLog } from '../../platform/log.ts'
import { createSealer, deriveKeys } from '../../platform/secrets/seal.ts'
import { findSecret } from '../../platform/secrets/secret-file.ts'
import { type Check, fail, ok, warn } from './checks-instance.ts'

const LARGEST_WAL = 256 * 1024 * 1024
const LEAST_POSTGRES = 13
const REPAIR_FILE_HINT =
  'make the user that runs the server its owner; if the file is damaged, restore the last backup'
const REPAIR_SERVER_HINT =
  'check that the server runs, and that DATABASE_URL has the correct host, user name and password'

const migrationFindings = ({ at, pending, unknown }: MigrationState) => {
  if (unknown.length > 0)
    return [
      fail(`migrated by a newer version, to ${at}`, `upgrade: this version supports ${latestMigration}`),
    ]
  if (at === null) return [ok('empty; the first start creates its tables')]
  if (pending.length > 0)
    return [warn(`at ${at}, behind ${latestMigration}`, 'start the server, or run: factotum migrate')]
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
      : fail(`damaged: ${faults[0]}`, 'stop the server and restore the last backup'),
    ...(wal > LARGEST_WAL
      ? [
          warn(
            `its write-ahead log has grown to ${megabytes(wal)}`,
            'end long-running readers of the database',
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
  async run({ config, database, databaseError, migration }) {
    if (databaseError !== null)
      return [fail(databaseError, config.databaseUrl === null ? REPAIR_FILE_HINT : REPAIR_SERVER_HINT)]
    if (!database || !migration)
      return [ok(`none yet; ${sqliteFile(config.dataDir)} is created on the first start`)]
    const findings =
      database.engine === 'sqlite' ? await sqliteFindings(database) : await postgresFindings(database)
    return [...findings, ...migrationFindings(migration)]
  },
}

const MAX_LISTED = 1000

export const jobsCheck: Check = {
  what: 'jobs',
  async run({ context: { clock, random }, database, migration }) {
    if (
      !database ||
      !migration ||
      migration.at === null ||
      migration.pending.length + migration.unknown.length > 0
    )
      return []
    const jobs = await openJobs({ database, clock, random, log: createLog('silent') })
    try {
      const parked = await jobs.list({ state: 'parked', limit: MAX_LISTED })
      if (parked.length === 0) return [ok('none has failed permanently')]
      const count = parked.length < MAX_LISTED ? parked.length : `${MAX_LISTED} or more`
      const names = [...new Set(parked.map((job) => job.name))].sort().join(', ')
      return [
        warn(
          `${count} failed permanently: ${names}. Last error: ${parked[0]?.error}`,
          'fix the cause, then retry or delete them',
        ),
      ]
    } finally {
      await jobs.drain(0)
    }
  },
}

/** Total size of files that are read completely. For further files only their existence is checked. */
const MAX_READ_BYTES = 1024 * 1024 * 1024

type Fault = 'missing' | 'damaged'

const faultOf = async (
  db: Db,
  place: BlobPlace,
  hash: string,
  isRead: boolean,
): Promise<Fault | undefined> => {
  if (!(await place.has(db, hash))) return 'missing'
  if (!isRead) return undefined
  const sum = createHash('sha256')
  try {
    for await (const chunk of place.read(db, hash)) sum.update(chunk)
  } catch {
    return 'damaged'
  }
  return sum.digest('hex') === hash ? undefined : 'damaged'
}

const REPAIR_HINT =
  'restore it from a backup; the emails that refer to it exist, but the attachment is missing'

export const blobsCheck: Check = {
  what: 'blobs',
  async run({ context, config, database, migration }) {
    if (
      !database ||
      !migration ||
      migration.at === null ||
      migration.pending.length + migration.unknown.length > 0
    )
      return []
    const { db } = database
    const place = openBlobPlace({ ...context, database, dataDir: config.dataDir })
    const rows = everyRow<{ hash: string; size: number }>((after, limit) =>
      db
        .selectFrom('blobs')
        .select(['hash', 'size'])
        .where('hash', '>', after?.hash ?? '')
        .where('unusedSince', 'is', null)
        .orderBy('hash')
        .limit(limit)
        .execute(),
    )
    const faults: Record<Fault, string[]> = { missing: [], damaged: [] }
    let count = 0
    let read = 0
    for await (const { hash, size } of rows) {
      count++
      read += size
      const fault = await faultOf(db, place, hash, read <= MAX_READ_BYTES)
      if (fault) faults[fault].push(hash)
    }
    const findings = (Object.entries(faults) as [Fault, string[]][]).flatMap(([fault, hashes]) =>
      hashes.length === 0
        ? []
        : [fail(`${hashes.length} of ${count} ${fault}, the first is ${hashes[0]}`, REPAIR_HINT)],
    )
    return findings.length > 0 ? findings : [ok(`${count} stored, none missing`)]
  },
}

/** Verifies the whole activity chain. */
export const activityCheck: Check = {
  what: 'activity',
  async run({ context, config, database, migration }) {
    if (!database || !migration || migration.at === null) return []
    if (migration.pending.length + migration.unknown.length > 0) return []
    const secret = config.secretKey ?? findSecret(config.dataDir)
    if (secret === undefined) return []
    const previous = config.secretKeyPrevious === null ? null : deriveKeys(config.secretKeyPrevious)
    const sealer = createSealer(deriveKeys(secret), previous, context.random)
    const { entries, unsealed, fault } = await createActivityLog({ db: database.db, sealer }).examine()
    if (fault === FOREIGN_SEAL)
      return [
        fail(`the activity log cannot be verified: ${fault}`, 'set SECRET_KEY_PREVIOUS to the previous key'),
      ]
    if (fault !== null)
      return [
        fail(
          `the activity log is not consistent: ${fault}`,
          'the database was changed manually: compare it with a backup',
        ),
      ]
    return unsealed > 0
      ? [
          warn(
            `${entries} entries are consistent, ${unsealed} are not sealed yet`,
            'the server seals them; check again after it has run',
          ),
        ]
      : [ok(`${entries} entries are consistent`)]
  },
}
