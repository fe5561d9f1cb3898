import type { Db } from '../../database/db.ts'
import { getLocalUserId } from '../../database/local-account.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Visit } from '../../platform/access/caller.ts'
import { conflict, invalidField } from '../../platform/errors.ts'
import { requireMatch } from '../../platform/http/etag.ts'
import { parseTarget } from '../../platform/outbound/outbound.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Activity } from '../auth/activity.ts'
import { type BackupDestination, createBucketDestination, createFolderDestination } from './destination.ts'
import type { BackupFolders } from './folders.ts'
import { findLastProven, findSchedule, type ScheduleRecord, saveSchedule, sealSecrets } from './repository.ts'
import { nextRun } from './schedule-time.ts'
import type { BackupScheduleInput } from './schema.ts'

const PASSPHRASE_SEAL = 'backup_schedule.passphrase'
const SECRET_SEAL = 'backup_schedule.secretAccessKey'

interface ScheduleNeeds {
  activity: Activity
  zoneOf: (userId: number) => Promise<string>
  withPassword: (userId: number, password: string, work: () => Promise<void>) => Promise<void>
  folders: BackupFolders
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

type ScheduleFields = Omit<BackupScheduleInput, 'password'>

interface ScheduleActivity {
  action: 'backup_destination.changed' | 'backup_passphrase.changed'
  details: Readonly<Record<string, unknown>>
}

export type BackupSchedules = ReturnType<typeof createBackupSchedules>

/** The settings of backups: their time, retention, passphrase and destination. */
export const createBackupSchedules = (platform: Platform, needs: ScheduleNeeds) => {
  const { db, clock, sealer } = platform
  const { activity, zoneOf, folders, fallbackPassphrase } = needs

  const read = async (view: Db): Promise<ScheduleRecord> =>
    (await findSchedule(view)) ?? { ...DEFAULTS, id: 1, updatedAt: '' }

  const openSecret = (sealed: string | null, context: string): string | null =>
    sealed === null ? null : sealer.open(sealed, context)

  const openDestination = (row: Omit<ScheduleRecord, 'id'>): BackupDestination => {
    if (row.destination === 'folder') return createFolderDestination(row.folder ?? folders.fallback, folders)
    return createBucketDestination(
      {
        endpoint: row.endpoint ?? '',
        region: row.region ?? '',
        bucket: row.bucket ?? '',
        prefix: row.prefix ?? '',
        accessKeyId: row.accessKeyId ?? '',
        secretAccessKey: openSecret(row.secretAccessKey, SECRET_SEAL) ?? '',
      },
      platform,
    )
  }

  /** A stored secret is only sent to the server that it was entered for. */
  const chooseSecret = (input: NonNullable<BackupScheduleInput['s3']>, before: ScheduleRecord): string => {
    if (input.secretAccessKey !== undefined) return sealer.seal(input.secretAccessKey, SECRET_SEAL)
    const isSame = input.endpoint === before.endpoint && input.accessKeyId === before.accessKeyId
    if (!isSame || before.secretAccessKey === null)
      throw invalidField('s3.secretAccessKey', 'is required for a new endpoint or access key')
    return before.secretAccessKey
  }

  const bucketColumns = (input: ScheduleFields, before: ScheduleRecord) => {
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
    input: ScheduleFields,
    before: ScheduleRecord,
    userId: number,
  ): Promise<Omit<ScheduleRecord, 'id'>> => {
    const { enabled, frequency, weekday, time, keepCount, keepDays, passphrase, destination, folder } = input
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

  /** Other keys may open a bucket of the same name that belongs to somebody else. */
  const identifyDestination = (row: Omit<ScheduleRecord, 'id'>): string =>
    `${row.destination} ${openDestination(row).location} ${row.destination === 's3' ? row.accessKeyId : ''}`

  /** Returns the changes that could give the data to somebody else. */
  const findDangers = (before: ScheduleRecord, row: Omit<ScheduleRecord, 'id'>): ScheduleActivity[] => {
    const found: ScheduleActivity[] = []
    if (identifyDestination(before) !== identifyDestination(row))
      found.push({
        action: 'backup_destination.changed',
        details: { destination: openDestination(row).location },
      })
    if (before.passphrase !== row.passphrase)
      found.push({
        action: 'backup_passphrase.changed',
        details: { isRemoved: row.passphrase === null },
      })
    return found
  }

  const requirePassword = async (userId: number, password: string | undefined): Promise<void> => {
    if (password === undefined)
      throw invalidField('password', 'is required to change the destination or the passphrase')
    await needs.withPassword(userId, password, async () => {})
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
      hasPassphrase: row.passphrase !== null || fallbackPassphrase !== null,
      destination: row.destination,
      folder: row.folder,
      defaultFolder: folders.fallback,
      allowedFolders: [...folders.named],
      s3: hasBucket ? { endpoint, region, bucket, prefix: prefix ?? '', accessKeyId } : null,
      nextRunAt: row.nextRunAt,
      lastProvenAt,
    }
  }

  return {
    read,
    openDestination,
    passphraseOf: (row: ScheduleRecord): string | null =>
      openSecret(row.passphrase, PASSPHRASE_SEAL) ?? fallbackPassphrase,

    get: async () => view(await read(db)),

    /** Checks the destination before it is saved, so that a wrong key is noticed now and not at night. */
    async change(
      userId: number,
      { password, ...input }: BackupScheduleInput,
      { visit, ifMatch }: { visit: Visit; ifMatch: string | undefined },
      afterSave: (tx: Db, row: ScheduleRecord) => Promise<void>,
    ) {
      const before = await read(db)
      requireMatch(ifMatch, before)
      const row = await toRow(input, before, userId)
      const dangers = findDangers(before, row)
      // Without the password, a stolen session must not even connect to the new server.
      if (dangers.length > 0) await requirePassword(userId, password)
      await openDestination(row).check()
      const saved = await inTransaction(db, async (tx) => {
        if ((await read(tx)).version !== before.version)
          throw conflict('The schedule was changed in the meantime. Fetch it, then repeat the change.')
        for (const { action, details } of dangers) await activity.record(tx, userId, visit, action, details)
        if (dangers.length === 0)
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
