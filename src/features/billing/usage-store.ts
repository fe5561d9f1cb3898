import type { Selectable } from 'kysely'
import type { Db } from '../../database/db.ts'
import type { StorageDayRow } from '../../database/tables/billing.ts'

type StorageDay = Selectable<StorageDayRow>

export const saveStorageDay = async (db: Db, row: StorageDay): Promise<void> => {
  const { bytes, measuredAt } = row
  await db
    .insertInto('storage_days')
    .values(row)
    .onConflict((there) => there.column('day').doUpdateSet({ bytes, measuredAt }))
    .execute()
}

export const findStorageDay = (db: Db, day: string): Promise<StorageDay | undefined> =>
  db.selectFrom('storage_days').selectAll().where('day', '=', day).executeTakeFirst()

/** The last that was measured before a day. */
export const findStorageBefore = (db: Db, day: string): Promise<StorageDay | undefined> =>
  db
    .selectFrom('storage_days')
    .selectAll()
    .where('day', '<', day)
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst()

export const listStorageDays = (db: Db, from: string, to: string): Promise<StorageDay[]> =>
  db
    .selectFrom('storage_days')
    .selectAll()
    .where('day', '>=', from)
    .where('day', '<=', to)
    .orderBy('day')
    .execute()
