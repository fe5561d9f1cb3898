import { resolve } from 'node:path'
import type { Db } from '../../database/db.ts'
import { getLocalUserId } from '../../database/local-account.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Visit } from '../../platform/access/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import { conflict, invalidField } from '../../platform/errors.ts'
import { requireMatch } from '../../platform/http/etag.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { parseTarget } from '../../platform/outbound/outbound.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import type { Activity } from '../auth/activity.ts'
import { type BackupDestination, createBucketDestination, createFolderDestination } from './destination.ts'
import { findLastProven, findSchedule, type ScheduleRecord, saveSchedule, sealSecrets } from './repository.ts'
import { nextRun } from './schedule-time.ts'
import type { BackupScheduleInput } from './schema.ts'

const PASSPHRASE_SEAL = 'backup_schedule.passphrase'
const SECRET_SEAL = 'backup_schedule.secretAccessKey'

export interface ScheduleDeps {
  db: Db
  clock: Clock
  sealer: Sealer
  outbound: Pick<Outbound, 'fetch'>
  activity: Activity
  zoneOf: (userId: number) => Promise<string>
  /** The folder of an instance that names none. */
  defaultFolder: string
  /** No other directory below this one may hold backups. */
  dataDir: string
  /** The passphrase of the configuration. */
  fallbackPassphrase: string | null
}

const DEFAULTS: Omit<ScheduleRecord, 'id' | 'updatedAt'> = {
  enabled: 0,
  frequency: 'daily',
  weekday: 'sunday',
  time: '03:00',
  keepCount: 7,
  keepDays: null,
  passphrase: null,
  destination: 'folder',
  folder: null,
  endpoint: null,
  region: null,
  bucket: null,
  prefix: null,
  accessKeyId: null,
  secretAccessKey: null,
  nextRunAt: null,
  version: 0,
}

export type BackupSchedules = ReturnType<typeof createBackupSchedules>

/** The settings of backups: their time, retention, passphrase and destination. */
export const createBackupSchedules = (deps: ScheduleDeps) => {
  const { db, clock, sealer, outbound, activity, zoneOf } = deps

  const read = async (view: Db): Promise<ScheduleRecord> =>
    (await findSchedule(view)) ?? { ...DEFAULTS, id: 1, updatedAt: '' }

  const openSecret = (sealed: string | null, context: string): string | null =>
    sealed === null ? null : sealer.open(sealed, context)

  const openDestination = (row: Omit<ScheduleRecord, 'id'>): BackupDestination => {
    if (row.destination === 'folder') return createFolderDestination(row.folder ?? deps.defaultFolder)
    return createBucketDestination(
      {
        endpoint: row.endpoint ?? '',
        region: row.region ?? '',
        bucket: row.bucket ?? '',
        prefix: row.prefix ?? '',
        accessKeyId: row.accessKeyId ?? '',
        secretAccessKey: openSecret(row.secretAccessKey, SECRET_SEAL) ?? '',
      },
      { outbound, clock },
    )
  }

  const checkFolder = (folder: string | null): void => {
    if (folder === null) return
    const [path, root] = [resolve(folder), resolve(deps.dataDir)]
    if (path !== resolve(deps.defaultFolder) && `${path}/`.startsWith(`${root}/`))
      throw invalidField('folder', 'must not be in DATA_DIR: choose another directory, or none')
  }

  /** A stored secret is only sent to the server that it was entered for. */
  const chooseSecret = (input: NonNullable<BackupScheduleInput['s3']>, before: ScheduleRecord): string => {
    if (input.secretAccessKey !== undefined) return sealer.seal(input.secretAccessKey, SECRET_SEAL)
    const isSame = input.endpoint === before.endpoint && input.accessKeyId === before.accessKeyId
    if (!isSame || before.secretAccessKey === null)
      throw invalidField('s3.secretAccessKey', 'is required for a new endpoint or access key')
    return before.secretAccessKey
  }

  const bucketColumns = (input: BackupScheduleInput, before: ScheduleRecord) => {
    if (input.destination === 'folder') return {}
    if (input.s3 === null) throw invalidField('s3', 'is required for the destination s3')
    const { region, bucket, accessKeyId } = input.s3
    const endpoint = parseTarget(input.s3.endpoint).href.replace(/\/+$/, '')
    const prefix = input.s3.prefix.replace(/^\/+/, '')
    return {
      endpoint,
      region,
      bucket,
      prefix: prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`,
      accessKeyId,
      secretAccessKey: chooseSecret({ ...input.s3, endpoint }, before),
    }
  }

  const toRow = async (
    input: BackupScheduleInput,
    before: ScheduleRecord,
    userId: number,
  ): Promise<Omit<ScheduleRecord, 'id'>> => {
    const { enabled, frequency, weekday, time, keepCount, keepDays, passphrase, destination, folder } = input
    checkFolder(folder)
    const { id: _id, ...kept } = before
    const now = clock.now()
    return {
      ...kept,
      ...bucketColumns(input, before),
      enabled: enabled ? 1 : 0,
      frequency,
      weekday,
      time,
      keepCount,
      keepDays,
      destination,
      folder,
      ...(passphrase !== undefined && {
        passphrase: passphrase === null ? null : sealer.seal(passphrase, PASSPHRASE_SEAL),
      }),
      nextRunAt: enabled ? nextRun(now, input, await zoneOf(userId)).toISOString() : null,
      version: before.version + 1,
      updatedAt: now.toISOString(),
    }
  }

  const view = async (row: ScheduleRecord) => {
    const { endpoint, region, bucket, prefix, accessKeyId } = row
    const hasBucket = endpoint && region && bucket && accessKeyId
    const lastProvenAt = await findLastProven(db)
    return {
      id: 1,
      version: row.version,
      extra: lastProvenAt,
      enabled: row.enabled === 1,
      frequency: row.frequency,
      weekday: row.weekday as BackupScheduleInput['weekday'],
      time: row.time,
      timezone: await zoneOf(await getLocalUserId(db)),
      keepCount: row.keepCount,
      keepDays: row.keepDays,
      hasPassphrase: row.passphrase !== null || deps.fallbackPassphrase !== null,
      destination: row.destination,
      folder: row.folder,
      defaultFolder: deps.defaultFolder,
      s3: hasBucket ? { endpoint, region, bucket, prefix: prefix ?? '', accessKeyId } : null,
      nextRunAt: row.nextRunAt,
      lastProvenAt,
    }
  }

  return {
    read,
    openDestination,
    passphraseOf: (row: ScheduleRecord): string | null =>
      openSecret(row.passphrase, PASSPHRASE_SEAL) ?? deps.fallbackPassphrase,

    get: async () => view(await read(db)),

    /** Checks the destination before it is saved, so that a wrong key is noticed now and not at night. */
    async change(
      userId: number,
      input: BackupScheduleInput,
      { visit, ifMatch }: { visit: Visit; ifMatch: string | undefined },
      afterSave: (tx: Db, row: ScheduleRecord) => Promise<void>,
    ) {
      const before = await read(db)
      requireMatch(ifMatch, before)
      const row = await toRow(input, before, userId)
      await openDestination(row).check()
      const saved = await inTransaction(db, async (tx) => {
        if ((await read(tx)).version !== before.version)
          throw conflict('The schedule was changed in the meantime. Fetch it, then repeat the change.')
        await activity.record(tx, userId, visit, 'instance.changed', { backups: input.destination })
        const stored = await saveSchedule(tx, row)
        await afterSave(tx, stored)
        return stored
      })
      return view(saved)
    },

    /** Seals the secrets again after a change of SECRET_KEY. */
    async reseal(tx: Db): Promise<void> {
      const row = await findSchedule(tx)
      if (!row) return
      const renew = (sealed: string | null, context: string): string | null =>
        sealed !== null && sealer.isStale(sealed) && sealer.opens(sealed)
          ? sealer.seal(sealer.open(sealed, context), context)
          : sealed
      await sealSecrets(tx, {
        passphrase: renew(row.passphrase, PASSPHRASE_SEAL),
        secretAccessKey: renew(row.secretAccessKey, SECRET_SEAL),
      })
    },
  }
}
