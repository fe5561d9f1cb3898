import type { Db } from './db.ts'
import { accountTally, addToTally, clearTally } from './tallies.ts'

/** Tally of each server folder: the number of its emails. */
export const FOLDER_TALLY = 'folder-emails'

/** Tally of each server folder: the number of its unread emails without the snoozed ones. Triggers keep it. */
export const UNREAD_FOLDER_TALLY = 'unread-in-folder'

type FolderTally = typeof FOLDER_TALLY | typeof UNREAD_FOLDER_TALLY

export const folderTally = (name: FolderTally, userId: number, folderId: number): string =>
  `${accountTally(name, userId)}/${folderId}`

/** Counts an email that enters a folder (1) or leaves it (-1). */
export const countInFolder = async (
  tx: Db,
  userId: number,
  folderId: number | null,
  amount: number,
): Promise<void> => {
  if (folderId !== null) await addToTally(tx, folderTally(FOLDER_TALLY, userId, folderId), amount)
}

/** Counts the emails of all folders of a user again, after an import. */
export const recountFolders = async (tx: Db, userId: number): Promise<void> => {
  const counts = await tx
    .selectFrom('emails')
    .select(({ fn }) => ['folderId', fn.countAll<number>().as('count')])
    .where('userId', '=', userId)
    .where('folderId', 'is not', null)
    .groupBy('folderId')
    .execute()
  for (const { folderId, count } of counts) await countInFolder(tx, userId, folderId, Number(count))
}

/** Removes the tallies of a user whose mail was erased. */
export const clearFolderTallies = async (tx: Db, userId: number): Promise<void> => {
  for (const name of [FOLDER_TALLY, UNREAD_FOLDER_TALLY])
    await tx
      .deleteFrom('tallies')
      .where('name', 'like', `${accountTally(name, userId)}/%`)
      .execute()
}

export const clearFolderTally = (tx: Db, userId: number, folderId: number): Promise<void> =>
  clearTally(tx, folderTally(FOLDER_TALLY, userId, folderId))
