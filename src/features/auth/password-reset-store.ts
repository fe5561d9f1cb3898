import type { Db } from '../../database/db.ts'
import type { PasswordResetRow } from '../../database/tables/accounts.ts'

export const insertReset = async (tx: Db, row: PasswordResetRow): Promise<void> => {
  await tx.insertInto('password_resets').values(row).execute()
}

export const countResets = async (db: Db, userId: number, since: string): Promise<number> => {
  const { count } = await db
    .selectFrom('password_resets')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('userId', '=', userId)
    .where('createdAt', '>', since)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Uses it up: whoever comes second finds it used. */
export const useReset = async (tx: Db, hash: string, now: string): Promise<number | undefined> => {
  const row = await tx
    .updateTable('password_resets')
    .set({ usedAt: now })
    .where('hash', '=', hash)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .returning('userId')
    .executeTakeFirst()
  return row?.userId
}

/** Whatever else was sent to them is worth nothing from here on. */
export const voidResets = async (tx: Db, userId: number, now: string): Promise<void> => {
  await tx
    .updateTable('password_resets')
    .set({ usedAt: now })
    .where('userId', '=', userId)
    .where('usedAt', 'is', null)
    .execute()
}

export const deleteOldResets = async (db: Db, before: string): Promise<void> => {
  await db.deleteFrom('password_resets').where('expiresAt', '<', before).execute()
}
