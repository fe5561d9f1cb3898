import { accessSync, constants, existsSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { sql } from 'kysely'
import type { Config } from '../../config/config.ts'
import { variables } from '../../config/variables.ts'
import type { Database } from '../../database/database.ts'
import type { MigrationState } from '../../database/migrate.ts'
import { nearest } from '../../platform/collections.ts'
import { randomId } from '../../platform/random.ts'
import { deriveKeys } from '../../platform/secrets/seal.ts'
import { findSecret, secretFile } from '../../platform/secrets/secret-file.ts'
import type { CommandContext } from '../command.ts'
import { messageOf } from '../failure.ts'
import { stagedRestores } from '../restore/staging.ts'

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

/** Checks one subject. It changes nothing, and connects only to the database and the server in SMTP_URL. */
export interface Check {
  what: string
  run(instance: InspectedInstance): Promise<Omit<Finding, 'what'>[]> | Omit<Finding, 'what'>[]
}

type Part = Omit<Finding, 'what'>

export const ok = (detail: string): Part => ({ level: 'ok', detail })
export const warn = (detail: string, remedy: string): Part => ({ level: 'warn', detail, remedy })
export const fail = (detail: string, remedy: string): Part => ({ level: 'FAIL', detail, remedy })

const LEAST = 24

export const nodeCheck: Check = {
  what: 'node',
  run({ context: { nodeVersion } }) {
    const isNewEnough = Number.parseInt(nodeVersion, 10) >= LEAST
    return [
      isNewEnough
        ? ok(nodeVersion)
        : fail(nodeVersion, `use Node ${LEAST} or newer; npm start brings its own`),
    ]
  },
}

const KNOWN = Object.keys(variables)

/** Finds names in `.env` that look like settings but are unknown. They have no effect. */
const unknownNames = (names: readonly string[]) =>
  names
    .filter((name) => !KNOWN.includes(name))
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

const SHORTEST = 32

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
          ...(await db.selectFrom('stream_credentials').select('secret as sealed').execute()),
          ...(await db.selectFrom('webhooks').select('secret as sealed').execute()),
          ...(await db.selectFrom('webhooks').select('previousSecret as sealed').execute()),
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
  if (secret.length < SHORTEST)
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
