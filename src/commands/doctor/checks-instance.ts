import { accessSync, constants, existsSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { sql } from 'kysely'
import { type Config, variables } from '../../config/config.ts'
import { isSettingName } from '../../config/setting-files.ts'
import { ALL_ACCOUNTS } from '../../database/all-accounts.ts'
import { type Database, sqliteFile } from '../../database/database.ts'
import type { MigrationState } from '../../database/migrate.ts'
import { createActivityLog, FOREIGN_SEAL } from '../../features/auth/activity.ts'
import { nearest } from '../../platform/collections.ts'
import { openJobs } from '../../platform/jobs/open-jobs.ts'
import { createLog } from '../../platform/log.ts'
import { randomId } from '../../platform/random.ts'
import { createSealer, deriveKeys } from '../../platform/secrets/seal.ts'
import { findSecret, secretFile } from '../../platform/secrets/secret-file.ts'
import { type CommandContext, messageOf } from '../command.ts'
import { stagedRestores } from '../restore-staging.ts'

export interface Finding {
  level: 'ok' | 'warn' | 'FAIL'
  what: string
  detail: string
  /** Advice on how to fix it. */
  remedy?: string
}

/** The instance, as far as it can be opened. */
export interface InspectedInstance {
  context: CommandContext
  config: Config
  /** Null if it does not exist yet, or does not answer. */
  database: Database | null
  /** The reason why it does not answer. */
  databaseError: string | null
  migration: MigrationState | null
}

/**
 * Checks one subject. It changes nothing. It connects only to the database and to the servers in
 * PUBLIC_URL, SMTP_URL and BLOBS_URL.
 */
export interface Check {
  what: string
  run(instance: InspectedInstance): Promise<Omit<Finding, 'what'>[]> | Omit<Finding, 'what'>[]
}

type Part = Omit<Finding, 'what'>

export const ok = (detail: string): Part => ({ level: 'ok', detail })
export const warn = (detail: string, remedy: string): Part => ({ level: 'warn', detail, remedy })
export const fail = (detail: string, remedy: string): Part => ({ level: 'FAIL', detail, remedy })

/** The database, if it has the schema of this version. */
export const currentDatabase = ({ database, migration }: InspectedInstance): Database | undefined =>
  migration !== null && migration.at !== null && migration.pending.length + migration.unknown.length === 0
    ? (database ?? undefined)
    : undefined

const MIN_NODE = 24

export const nodeCheck: Check = {
  what: 'node',
  run({ context: { nodeVersion } }) {
    const isNewEnough = Number.parseInt(nodeVersion, 10) >= MIN_NODE
    return [
      isNewEnough
        ? ok(nodeVersion)
        : fail(nodeVersion, `use Node ${MIN_NODE} or newer; npm start brings its own`),
    ]
  },
}

const KNOWN = Object.keys(variables)

/** Finds names in `.env` that look like settings but are unknown. They have no effect. */
const unknownNames = (names: readonly string[]) =>
  names
    .filter((name) => !isSettingName(name))
    .flatMap((name) => {
      const suggestion = nearest(name, KNOWN)
      return suggestion
        ? [
            warn(
              `${name} in .env is not a setting; did you mean ${suggestion}?`,
              `rename it to ${suggestion}`,
            ),
          ]
        : []
    })

/** Unlike the other checks it needs no settings: it reports whether they can be parsed. */
export const checkSettings = (context: CommandContext) => {
  const findings = unknownNames(context.envFileNames)
  try {
    const { dataDir } = context.config
    return [ok(`can be read; DATA_DIR is ${dataDir}`), ...findings]
  } catch (error) {
    return [
      fail(messageOf(error), 'change it in .env or in the environment; .env.example explains each'),
      ...findings,
    ]
  }
}

const MIN_SECRET_LENGTH = 32

const countSealed = async ({
  database,
  migration,
}: InspectedInstance): Promise<ReadonlyMap<string, number>> => {
  const counts = new Map<string, number>()
  if (!database || !migration || migration.at === null) return counts
  const rows = await database.db
    .selectFrom('users')
    .select('twoFactorSecret as sealed')
    .where('twoFactorSecret', 'is not', null)
    .execute()
  const { db } = database
  const secrets =
    migration.pending.length > 0
      ? []
      : [
          ...(await db.selectFrom('mail_accounts').select('secret as sealed').execute()),
          ...(await db.selectFrom('calendar_accounts').select('secret as sealed').execute()),
          ...(await db.selectFrom('oauth_clients').select('secret as sealed').execute()),
          ...(await db
            .selectFrom('stream_credentials')
            .select('secret as sealed')
            .modifyEnd(ALL_ACCOUNTS)
            .execute()),
          ...(await db.selectFrom('webhooks').select('secret as sealed').modifyEnd(ALL_ACCOUNTS).execute()),
          ...(await db.selectFrom('backup_schedule').select('passphrase as sealed').execute()),
          ...(await db.selectFrom('backup_schedule').select('secretAccessKey as sealed').execute()),
          ...(await db
            .selectFrom('webhooks')
            .select('previousSecret as sealed')
            .modifyEnd(ALL_ACCOUNTS)
            .execute()),
        ]
  for (const { sealed } of [...rows, ...secrets]) {
    if (sealed === null) continue
    const keyId = sealed?.split('.')[1] ?? ''
    counts.set(keyId, (counts.get(keyId) ?? 0) + 1)
  }
  return counts
}

const presence = (secret: string | undefined, isSet: boolean, isNeeded: boolean) => {
  if (secret === undefined)
    return isNeeded
      ? fail(
          'secret.key is missing, and the secrets it encrypted cannot be read',
          'restore it from a backup, or set SECRET_KEY',
        )
      : ok('created on the first start')
  if (secret.length < MIN_SECRET_LENGTH)
    return fail('secret.key is incomplete', 'restore it from a backup, or set SECRET_KEY')
  return ok(isSet ? 'SECRET_KEY is set' : 'secret.key exists')
}

const previousFinding = (previousId: string | undefined, sealed: ReadonlyMap<string, number>) => {
  if (previousId === undefined) return []
  const left = sealed.get(previousId) ?? 0
  return left > 0
    ? [
        warn(
          `SECRET_KEY_PREVIOUS is still needed (stored secrets: ${left})`,
          'start the server once: it encrypts them with the new key',
        ),
      ]
    : [ok('SECRET_KEY_PREVIOUS is no longer needed and can be removed')]
}

export const secretCheck: Check = {
  what: 'secret',
  async run(instance) {
    const { config } = instance
    const secret = config.secretKey ?? findSecret(config.dataDir)
    const sealed = await countSealed(instance)
    const idOf = (key: string | null | undefined): string | undefined =>
      key ? deriveKeys(key).id : undefined
    const [currentId, previousId] = [idOf(secret), idOf(config.secretKeyPrevious)]
    const otherKeys = [...sealed].filter(([id]) => id !== currentId && id !== previousId)
    return [
      presence(secret, config.secretKey !== null, sealed.size > 0),
      ...(secret === undefined ? [] : otherKeys).map(([id, count]) =>
        fail(
          `stored secrets encrypted with another key (${id}): ${count}`,
          'set SECRET_KEY_PREVIOUS to the previous key',
        ),
      ),
      ...previousFinding(previousId, sealed),
    ]
  },
}

const MIB = 1024 * 1024
const SCARCE = 1024 * MIB
const TOO_LITTLE = 100 * MIB
const OTHERS = 0o077

/** Returns DATA_DIR, or its nearest existing parent. */
const existing = (path: string): string => (existsSync(path) ? path : existing(dirname(path)))

const amount = (bytes: number): string =>
  bytes >= SCARCE ? `${(bytes / 1024 / MIB).toFixed(1)} GiB` : `${Math.floor(bytes / MIB)} MiB`

export const diskCheck: Check = {
  what: 'disk',
  run({ config }) {
    const { bavail, bsize } = statfsSync(existing(resolve(config.dataDir)))
    const free = bavail * bsize
    if (free < TOO_LITTLE) return [fail(`${amount(free)} free`, 'free disk space: writes will fail soon')]
    if (free < SCARCE) return [warn(`${amount(free)} free`, 'free disk space')]
    return [ok(`${amount(free)} free`)]
  },
}

const isWritable = (path: string): boolean => {
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

const isOpenToOthers = (path: string): boolean =>
  ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS) !== 0

export const dataDirectoryCheck: Check = {
  what: 'data',
  run({ config: { dataDir } }) {
    const place = resolve(dataDir)
    const leftBehind = stagedRestores(dataDir).map((directory) =>
      warn(`${directory} was left by an unfinished restore`, 'remove it, unless a restore is running'),
    )
    if (!existsSync(place))
      return isWritable(existing(place))
        ? [ok(`${place} is created on the first start`)]
        : [fail(`${place} cannot be created`, 'create it, and make the user that runs the server its owner')]
    if (!isWritable(place))
      return [fail(`${place} is not writable`, 'make the user that runs the server its owner')]
    const key = secretFile(dataDir)
    const open = [
      ...(isOpenToOthers(place) ? [warn(`other users can read ${place}`, `chmod 700 ${place}`)] : []),
      ...(isOpenToOthers(key) ? [warn(`other users can read ${key}`, `chmod 600 ${key}`)] : []),
    ]
    return [...(open.length > 0 ? open : [ok(`only its owner can read ${place}`)]), ...leftBehind]
  },
}

export const consoleCheck: Check = {
  what: 'console',
  run: ({ context: { consoleDirectory } }) => [
    existsSync(join(consoleDirectory, 'index.html'))
      ? ok('built')
      : warn('not built; the API works without it', 'npm start builds it'),
  ],
}

const OFF_MS = 2_000
const FAR_OFF_MS = 30_000
const REMEDY = 'synchronize the clocks with NTP: sign-in codes and sessions depend on them'

const compare = (whose: string, theirsMs: number, oursMs: number) => {
  const byMs = theirsMs - oursMs
  const detail = `${whose} is ${(Math.abs(byMs) / 1000).toFixed(1)} s ${byMs < 0 ? 'behind' : 'ahead of'} this machine's clock`
  if (Math.abs(byMs) > FAR_OFF_MS) return fail(detail, REMEDY)
  if (Math.abs(byMs) > OFF_MS) return warn(detail, REMEDY)
  return ok(`${whose} and this machine's clock agree`)
}

/** A network disk uses the clock of its server. */
const compareDisk = ({ context: { clock, random }, config }: InspectedInstance) => {
  if (!existsSync(config.dataDir)) return []
  const file = join(config.dataDir, `clock-${randomId(random)}.lock`)
  try {
    writeFileSync(file, '', { flag: 'wx', mode: 0o600 })
    return [compare('the disk', statSync(file).mtimeMs, clock.now().getTime())]
  } finally {
    rmSync(file, { force: true })
  }
}

const compareServer = async ({ context: { clock }, database }: InspectedInstance) => {
  if (database?.engine !== 'postgres') return []
  const before = clock.now().getTime()
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(database.db)
  const between = (before + clock.now().getTime()) / 2
  return rows.map(({ at }) => compare("PostgreSQL's clock", at.getTime(), between))
}

/** The newest stored time cannot be in the future, unless the clock was set back. */
const compareHistory = async ({ context: { clock }, database, migration }: InspectedInstance) => {
  if (!database || !migration || migration.at === null) return []
  const last = await database.db
    .selectFrom('changes')
    .select('at')
    .orderBy('id', 'desc')
    .limit(1)
    .modifyEnd(ALL_ACCOUNTS)
    .executeTakeFirst()
  const aheadMs = last ? Date.parse(last.at) - clock.now().getTime() : 0
  return aheadMs > OFF_MS
    ? [
        warn(
          `the last change is ${Math.round(aheadMs / 1000)} s in the future: the clock was set back`,
          REMEDY,
        ),
      ]
    : []
}

export const clockCheck: Check = {
  what: 'clock',
  run: async (instance) => [
    ...compareDisk(instance),
    ...(await compareServer(instance)),
    ...(await compareHistory(instance)),
  ],
}

const MAX_WAL_BYTES = 256 * 1024 * 1024
const MIN_POSTGRES = 13
const REPAIR_FILE_HINT =
  'make the user that runs the server its owner; if the file is damaged, restore the last backup'
const REPAIR_SERVER_HINT =
  'check that the server runs, and that DATABASE_URL has the correct host, user name and password'

const sqliteFindings = async ({ db, location }: Database) => {
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check(5)`.execute(db)
  const faults = rows.map((row) => row.quick_check).filter((line) => line !== 'ok')
  const wal = statSync(`${location}-wal`, { throwIfNoEntry: false })?.size ?? 0
  const size = statSync(location).size
  return [
    faults.length === 0
      ? ok(`SQLite, whole, ${megabytes(size)}`)
      : fail(`damaged: ${faults[0]}`, 'stop the server and restore the last backup'),
    ...(wal > MAX_WAL_BYTES
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
  return Number.parseInt(version, 10) >= MIN_POSTGRES
    ? [ok(`PostgreSQL ${version} at ${location}`)]
    : [fail(`PostgreSQL ${version} at ${location}`, `upgrade it to ${MIN_POSTGRES} or newer`)]
}

const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`

export const databaseCheck: Check = {
  what: 'database',
  async run({ config, database, databaseError, migration }) {
    if (databaseError !== null)
      return [fail(databaseError, config.databaseUrl === null ? REPAIR_FILE_HINT : REPAIR_SERVER_HINT)]
    if (!database || !migration)
      return [ok(`none yet; ${sqliteFile(config.dataDir)} is created on the first start`)]
    return database.engine === 'sqlite' ? sqliteFindings(database) : postgresFindings(database)
  },
}

const MAX_LISTED = 1000

export const jobsCheck: Check = {
  what: 'jobs',
  async run(instance) {
    const { clock, random } = instance.context
    const database = currentDatabase(instance)
    if (!database) return []
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

/** Verifies the whole activity chain. */
export const activityCheck: Check = {
  what: 'activity',
  async run(instance) {
    const { context, config } = instance
    const database = currentDatabase(instance)
    if (!database) return []
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
