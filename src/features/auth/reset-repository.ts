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

/** Finds a reset that is unused and has not expired. */
export const findReset = (db: Db, hash: string, now: string): Promise<PasswordResetRow | undefined> =>
  db
    .selectFrom('password_resets')
    .selectAll()
    .where('hash', '=', hash)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .executeTakeFirst()

/** True if any reset expires after `since`. */
export const hasResets = async (db: Db, since: string): Promise<boolean> => {
  const reset = await db
    .selectFrom('password_resets')
    .select('hash')
    .where('expiresAt', '>', since)
    .limit(1)
    .executeTakeFirst()
  return reset !== undefined
}

/** Returns the hashes that belong to a reset, used or not. */
export const listKnownResets = async (db: Db, hashes: readonly string[]): Promise<string[]> => {
  if (hashes.length === 0) return []
  const rows = await db.selectFrom('password_resets').select('hash').where('hash', 'in', hashes).execute()
  return rows.map(({ hash }) => hash)
}

/**
 * Marks resets whose mail the sync has kept out of the mailbox. Only a mailbox with the address of the
 * account counts, because the link was sent there.
 */
export const markWithheld = async (
  db: Db,
  hashes: readonly string[],
  accountId: string,
  now: string,
): Promise<void> => {
  if (hashes.length === 0) return
  await db
    .updateTable('password_resets')
    .set({ withheldAt: now })
    .where('hash', 'in', hashes)
    .where('withheldAt', 'is', null)
    .where('userId', 'in', (inner) =>
      inner
        .selectFrom('users')
        .innerJoin('mail_accounts', (join) =>
          join.on(({ eb, fn }) =>
            eb(fn<string>('lower', ['mail_accounts.address']), '=', fn<string>('lower', ['users.email'])),
          ),
        )
        .where('mail_accounts.id', '=', accountId)
        .select('users.id'),
    )
    .execute()
}

/** Marks the reset as used. Of two concurrent calls, the second returns undefined. */
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

/** Invalidates all other reset links of the user. */
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
