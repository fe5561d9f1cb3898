import type { Updateable } from 'kysely'
import type { Db } from '../../database/db.ts'
import type { CalendarSyncRow } from '../../database/tables/calendar.ts'
import type { MailSyncRow } from '../../database/tables/mail.ts'

// Kysely cannot type a query over a choice of tables. The functions below use only columns that both tables
// have, and name one of them to the compiler.

export type AccountTable = 'mail_accounts' | 'calendar_accounts'

interface SyncRows {
  mail_sync: MailSyncRow
  calendar_sync: CalendarSyncRow
}

/**
 * Returns false if another process replaced the secret first. Does not increase the version: a renewed token
 * must not cause a conflict for a client that edits the account.
 */
export const replaceSecret = async (
  tx: Db,
  table: AccountTable,
  { id, before, secret }: { id: string; before: string; secret: string },
): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable(table as 'mail_accounts')
    .set({ secret })
    .where('id', '=', id)
    .where('secret', '=', before)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export const listSecrets = (db: Db, table: AccountTable): Promise<{ id: string; secret: string | null }[]> =>
  db
    .selectFrom(table as 'calendar_accounts')
    .select(['id', 'secret'])
    .execute()

export const updateSync = async <T extends keyof SyncRows>(
  db: Db,
  table: T,
  accountId: string,
  change: Updateable<SyncRows[T]>,
): Promise<void> => {
  await db
    .updateTable(table as 'mail_sync')
    .set(change as Updateable<MailSyncRow>)
    .where('accountId', '=', accountId)
    .execute()
}
