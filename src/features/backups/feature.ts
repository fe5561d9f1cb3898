import { resolve } from 'node:path'
import Type from 'typebox'
import type { Db } from '../../database/db.ts'
import { AppError } from '../../platform/errors.ts'
import type { FeatureRoutes, Platform } from '../../platform/platform.ts'
import type { Activity } from '../auth/activity.ts'
import { Backups, RUN_JOB, type RunCommand, SCHEDULE_JOB } from './backups.ts'
import { createBackupFolders } from './folders.ts'
import { findLastProven } from './repository.ts'
import { backupRoutes } from './routes.ts'
import { createBackupSchedules } from './schedule.ts'

export type { RunCommand } from './backups.ts'

interface BackupsNeeds {
  activity: Activity
  zoneOf: (userId: number) => Promise<string>
  security: {
    withPassword: <T>(userId: number, password: string, work: (tx: Db) => Promise<T>) => Promise<T>
  }
  /** Undefined in tools that start no processes. */
  deps: { runCommand?: RunCommand; consoleDirectory: string; helpDirectory: string }
  config: { dataDir: string; backupFolders: readonly string[]; backupPassphrase: string | null }
}

const rejectCommand: RunCommand = () =>
  Promise.reject(new AppError('unavailable', 'unavailable', 'This server cannot start other processes.'))

/** A killed process is noticed after this time. */
const LEASE_SECONDS = 20

export const createBackupsFeature = (
  platform: Platform,
  { activity, zoneOf, security, config, deps }: BackupsNeeds,
) => {
  const { db, jobs } = platform
  const { dataDir } = config
  const { withPassword } = security
  const { runCommand = rejectCommand } = deps
  const schedules = createBackupSchedules(platform, {
    activity,
    zoneOf,
    withPassword,
    folders: createBackupFolders({
      dataDir,
      named: config.backupFolders,
      served: [deps.consoleDirectory, deps.helpDirectory],
    }),
    fallbackPassphrase: config.backupPassphrase,
  })
  const backups = new Backups({ ...platform, schedules, zoneOf, dataDir: resolve(dataDir), runCommand })
  jobs.define({
    name: RUN_JOB,
    payload: Type.Object({ id: Type.Integer() }),
    leaseSeconds: LEASE_SECONDS,
    run: ({ id }, { signal }) => backups.run(id, signal),
  })
  jobs.define({
    name: SCHEDULE_JOB,
    payload: Type.Object({}),
    schedule: '*/5 * * * *',
    run: () => backups.startDue(),
  })
  const routes: FeatureRoutes[] = [
    { prefix: '/api/backups', plugin: backupRoutes({ backups, schedules, activity, withPassword }) },
  ]
  return { routes, backups, schedules, lastProvenAt: () => findLastProven(db) }
}
