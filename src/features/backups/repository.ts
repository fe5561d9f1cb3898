import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db } from '../../database/db.ts'
import { THE_ONE } from '../../database/tables/accounts.ts'
import type { BackupRow, BackupScheduleRow } from '../../database/tables/backups.ts'

export type BackupRecord = Selectable<BackupRow>
export type ScheduleRecord = Selectable<BackupScheduleRow>

/* Backups belong to the instance, like its settings. Only the owner reaches them. */

export const findSchedule = (db: Db): Promise<ScheduleRecord | undefined> =>
  db.selectFrom('backup_schedule').selectAll().where('id', '=', THE_ONE).executeTakeFirst()

export const saveSchedule = (tx: Db, row: Omit<ScheduleRecord, 'id'>): Promise<ScheduleRecord> =>
  tx
    .insertInto('backup_schedule')
    .values({ ...row, id: THE_ONE })
    .onConflict((existing) => existing.column('id').doUpdateSet(row))
    .returningAll()
    .executeTakeFirstOrThrow()

/** Moves the time of the next backup. Returns false if another instance did it before. */
export const advanceSchedule = async (
  tx: Db,
  { nextRunAt }: Pick<ScheduleRecord, 'nextRunAt'>,
  next: string | null,
): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('backup_schedule')
    .set({ nextRunAt: next })
    .where('id', '=', THE_ONE)
    .where('nextRunAt', nextRunAt === null ? 'is' : '=', nextRunAt)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export const sealSecrets = async (
  tx: Db,
  secrets: Pick<ScheduleRecord, 'passphrase' | 'secretAccessKey'>,
): Promise<void> => {
  await tx.updateTable('backup_schedule').set(secrets).where('id', '=', THE_ONE).execute()
}

export const insertBackup = (tx: Db, row: Insertable<BackupRow>): Promise<BackupRecord> =>
  tx.insertInto('backups').values(row).returningAll().executeTakeFirstOrThrow()

export const updateBackup = async (db: Db, id: number, change: Updateable<BackupRow>): Promise<void> => {
  await db.updateTable('backups').set(change).where('id', '=', id).execute()
}

export const findBackup = (db: Db, id: number): Promise<BackupRecord | undefined> =>
  db.selectFrom('backups').selectAll().where('id', '=', id).executeTakeFirst()

export const deleteBackup = async (db: Db, id: number): Promise<void> => {
  await db.deleteFrom('backups').where('id', '=', id).execute()
}

export const selectBackups = (db: Db) => db.selectFrom('backups').selectAll()

export const listByState = (db: Db, state: BackupRow['state'], limit: number): Promise<BackupRecord[]> =>
  db.selectFrom('backups').selectAll().where('state', '=', state).orderBy('id', 'desc').limit(limit).execute()

/** Prepared, because every health check reads it. */
export const findLastProven = async (db: Db): Promise<string | null> => {
  const row = await db
    .selectFrom('backups')
    .select('provenAt')
    .where('provenAt', 'is not', null)
    .orderBy('provenAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.provenAt ?? null
}
