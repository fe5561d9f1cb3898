import type { Db } from '../../database/db.ts'
import type { EmailRecord } from './store.ts'

/** E-mails whose message is kept and could not be read by another version than this one, the oldest first. */
export const listUnreadable = async (
  db: Db,
  readerVersion: string,
  page: { after: number; limit: number },
): Promise<number[]> => {
  const rows = await db
    .selectFrom('emails')
    .select('id')
    .where('unreadable', 'is not', null)
    .where('rawBlob', 'is not', null)
    .where((row) => row.or([row('readerVersion', 'is', null), row('readerVersion', '!=', readerVersion)]))
    .where('id', '>', page.after)
    .orderBy('id')
    .limit(page.limit)
    .execute()
  return rows.map(({ id }) => id)
}

export const setReadAttempts = async (tx: Db, id: number, readAttempts: number): Promise<void> => {
  await tx.updateTable('emails').set({ readAttempts }).where('id', '=', id).execute()
}

/** Notes that this version could not read it either. */
export const setUnreadable = async (
  tx: Db,
  { id }: Pick<EmailRecord, 'id'>,
  change: { unreadable?: string; readerVersion: string },
): Promise<void> => {
  await tx
    .updateTable('emails')
    .set({ ...change, readAttempts: 0 })
    .where('id', '=', id)
    .execute()
}
