import type { Generated } from 'kysely'
import type { TableKeys } from './keys.ts'

/** The schedule of backups: one row. */
export interface BackupScheduleRow {
  id: number
  enabled: number
  frequency: 'daily' | 'weekly'
  weekday: string
  /** Local time of the owner, such as `03:00`. */
  time: string
  keepCount: number
  keepDays: number | null
  /** Sealed. */
  passphrase: string | null
  destination: 'folder' | 's3'
  /** Null: the default directory in DATA_DIR. */
  folder: string | null
  endpoint: string | null
  region: string | null
  bucket: string | null
  prefix: string | null
  accessKeyId: string | null
  /** Sealed. */
  secretAccessKey: string | null
  nextRunAt: string | null
  version: number
  updatedAt: string
}

export interface BackupRow {
  id: Generated<number>
  cause: 'manual' | 'schedule'
  /** `made`: complete, but not proven yet. */
  state: 'running' | 'written' | 'proven' | 'failed'
  /** The current step while it runs. */
  step: 'waiting' | 'writing' | 'uploading' | 'downloading' | 'verifying' | null
  destination: 'folder' | 's3'
  /** The folder, or the address of the bucket with the prefix. */
  location: string
  filename: string
  encrypted: number
  size: number | null
  problem: string | null
  createdAt: string
  startedAt: string | null
  finishedAt: string | null
  provenAt: string | null
  /** See change-order.ts. Retention leaves the backups of a restored instance alone. */
  epoch: number
}

export interface BackupsTables {
  backup_schedule: BackupScheduleRow
  backups: BackupRow
}

export const backupsKeys: TableKeys<BackupsTables> = { backup_schedule: ['id'], backups: ['id'] }
