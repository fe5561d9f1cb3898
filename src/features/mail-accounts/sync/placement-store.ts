import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db } from '../../../database/db.ts'
import type { MailFolderRow, MailPlacementRow } from '../../../database/tables/mail-accounts.ts'

export type FolderRecord = Selectable<MailFolderRow>
export type PlacementRecord = Selectable<MailPlacementRow>

const AT_ONCE = 500

const inParts = async <T, R>(values: readonly T[], work: (part: T[]) => Promise<R[]>): Promise<R[]> => {
  const found: R[] = []
  for (let start = 0; start < values.length; start += AT_ONCE)
    found.push(...(await work(values.slice(start, start + AT_ONCE))))
  return found
}

export const listFolders = (db: Db, accountId: string): Promise<FolderRecord[]> =>
  db.selectFrom('mail_folders').selectAll().where('accountId', '=', accountId).orderBy('path').execute()

export const saveFolder = (
  tx: Db,
  accountId: string,
  folder: { path: string; use: string | null; total: number },
): Promise<FolderRecord> =>
  tx
    .insertInto('mail_folders')
    .values({ ...folder, accountId, uidValidity: '', uidNext: 1, highestModseq: null })
    .onConflict((conflict) =>
      conflict.columns(['accountId', 'path']).doUpdateSet({ use: folder.use, total: folder.total }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()

export const updateFolder = (tx: Db, id: number, change: Updateable<MailFolderRow>): Promise<FolderRecord> =>
  tx.updateTable('mail_folders').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

export const deleteFolder = async (tx: Db, id: number): Promise<void> => {
  await tx.deleteFrom('mail_folders').where('id', '=', id).execute()
}

const selectUids = (db: Db, folder: FolderRecord) =>
  db
    .selectFrom('mail_placements')
    .select('uid')
    .where('folderId', '=', folder.id)
    .where('uidValidity', '=', folder.uidValidity)
    .orderBy('uid')

/** Ascending, of the folder as it is numbered now. */
export const listUids = async (db: Db, folder: FolderRecord): Promise<number[]> =>
  (await selectUids(db, folder).execute()).map(({ uid }) => uid)

/** The same from a number on, without messages whose reading had no result yet. */
export const listReadUids = async (db: Db, folder: FolderRecord, from: number): Promise<number[]> => {
  const rows = await selectUids(db, folder).where('uid', '>=', from).where('attempts', '=', 0).execute()
  return rows.map(({ uid }) => uid)
}

export const findPlacements = (
  db: Db,
  folder: FolderRecord,
  uids: readonly number[],
): Promise<PlacementRecord[]> =>
  inParts(uids, (part) =>
    db
      .selectFrom('mail_placements')
      .selectAll()
      .where('folderId', '=', folder.id)
      .where('uidValidity', '=', folder.uidValidity)
      .where('uid', 'in', part)
      .execute(),
  )

export const findByIdentity = (
  db: Db,
  accountId: string,
  identities: readonly string[],
): Promise<PlacementRecord[]> =>
  inParts(identities, (part) =>
    db
      .selectFrom('mail_placements')
      .selectAll()
      .where('accountId', '=', accountId)
      .where('identity', 'in', part)
      // One that is still to be read has no e-mail yet: to adopt it would be to lose the message.
      .where('attempts', '=', 0)
      .execute(),
  )

/** Where an e-mail lies, the places it has left out. */
export const findPlacementsOf = (
  db: Db,
  emailId: number,
): Promise<(PlacementRecord & { path: string; use: string | null })[]> =>
  db
    .selectFrom('mail_placements')
    .innerJoin('mail_folders', 'mail_folders.id', 'mail_placements.folderId')
    .selectAll('mail_placements')
    .select(['mail_folders.path', 'mail_folders.use'])
    .where('emailId', '=', emailId)
    .where('goneAt', 'is', null)
    .execute()

/** Replaces the record of a message that was being read, and with it the count of its attempts. */
export const insertPlacement = async (tx: Db, row: Insertable<MailPlacementRow>): Promise<void> => {
  const placed = { attempts: 0, ...row }
  await tx
    .insertInto('mail_placements')
    .values(placed)
    .onConflict((conflict) => conflict.columns(['folderId', 'uidValidity', 'uid']).doUpdateSet(placed))
    .execute()
}

/** Notes that reading a message begins, before it is fetched: whoever finds the note knows that reading had no result. */
export const beginAttempt = async (
  tx: Db,
  row: Omit<Insertable<MailPlacementRow>, 'attempts'>,
): Promise<void> => {
  await tx
    .insertInto('mail_placements')
    .values({ ...row, attempts: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['folderId', 'uidValidity', 'uid'])
        .doUpdateSet((known) => ({ attempts: known('mail_placements.attempts', '+', 1) }))
        .where('mail_placements.attempts', '>', 0),
    )
    .execute()
}

/** Takes back the last attempt: it ended for a reason that has nothing to do with the message. */
export const withdrawAttempt = async (
  tx: Db,
  folder: FolderRecord,
  uids: readonly number[],
): Promise<void> => {
  await inParts(uids, async (part) => {
    await tx
      .deleteFrom('mail_placements')
      .where('folderId', '=', folder.id)
      .where('uidValidity', '=', folder.uidValidity)
      .where('uid', 'in', part)
      .where('attempts', '=', 1)
      .execute()
    await tx
      .updateTable('mail_placements')
      .set((placement) => ({ attempts: placement('attempts', '-', 1) }))
      .where('folderId', '=', folder.id)
      .where('uidValidity', '=', folder.uidValidity)
      .where('uid', 'in', part)
      .where('attempts', '>', 1)
      .execute()
    return []
  })
}

export const updatePlacement = async (
  tx: Db,
  id: number,
  change: Updateable<MailPlacementRow>,
): Promise<void> => {
  await tx.updateTable('mail_placements').set(change).where('id', '=', id).execute()
}

/** To another place, where by now a look of ours may have found it as well. */
export const relocate = async (
  tx: Db,
  id: number,
  to: { folderId: number; uidValidity: string; uid: number },
): Promise<void> => {
  await tx
    .deleteFrom('mail_placements')
    .where('folderId', '=', to.folderId)
    .where('uidValidity', '=', to.uidValidity)
    .where('uid', '=', to.uid)
    .where('id', '!=', id)
    .execute()
  await updatePlacement(tx, id, { ...to, goneAt: null })
}

export const markGone = async (
  tx: Db,
  folder: FolderRecord,
  uids: readonly number[],
  at: string,
): Promise<void> => {
  await inParts(uids, async (part) => {
    await tx
      .updateTable('mail_placements')
      .set({ goneAt: at })
      .where('folderId', '=', folder.id)
      .where('uidValidity', '=', folder.uidValidity)
      .where('uid', 'in', part)
      .where('goneAt', 'is', null)
      .execute()
    return []
  })
}

/** Those of a folder whose numbers are from before it was numbered anew. */
export const markStaleGone = async (tx: Db, folder: FolderRecord, at: string): Promise<void> => {
  await tx
    .updateTable('mail_placements')
    .set({ goneAt: at })
    .where('folderId', '=', folder.id)
    .where('uidValidity', '!=', folder.uidValidity)
    .where('goneAt', 'is', null)
    .execute()
}

export const markFolderGone = async (tx: Db, folder: FolderRecord, at: string): Promise<void> => {
  await tx
    .updateTable('mail_placements')
    .set({ goneAt: at })
    .where('folderId', '=', folder.id)
    .where('goneAt', 'is', null)
    .execute()
}

export const listGone = (
  db: Db,
  accountId: string,
  before: string,
): Promise<(PlacementRecord & { use: string | null })[]> =>
  db
    .selectFrom('mail_placements')
    .innerJoin('mail_folders', 'mail_folders.id', 'mail_placements.folderId')
    .selectAll('mail_placements')
    .select('mail_folders.use')
    .where('mail_placements.accountId', '=', accountId)
    .where('goneAt', '<', before)
    .limit(AT_ONCE)
    .execute()

export const hasGone = async (db: Db, accountId: string): Promise<boolean> =>
  (await db
    .selectFrom('mail_placements')
    .select('id')
    .where('accountId', '=', accountId)
    .where('goneAt', 'is not', null)
    .limit(1)
    .executeTakeFirst()) !== undefined

export const deletePlacement = async (tx: Db, id: number): Promise<void> => {
  await tx.deleteFrom('mail_placements').where('id', '=', id).execute()
}
