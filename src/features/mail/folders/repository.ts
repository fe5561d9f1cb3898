import type { Selectable } from 'kysely'
import type { Db } from '../../../database/db.ts'
import { clearFolderTally, folderTally } from '../../../database/folder-tallies.ts'
import { type Place, readOtherFolders } from '../../../database/other-folders.ts'
import type { Folder, MailFolderRow } from '../../../database/tables/mail.ts'
import { ownedRows } from '../../../platform/resources.ts'

export type FolderRecord = Selectable<MailFolderRow>

/** The folders of a user in order of their ids. */
export const listFoldersOf = (
  db: Db,
  userId: number,
  page: { accountId: string | undefined; after: number | undefined; limit: number },
): Promise<FolderRecord[]> =>
  db
    .selectFrom('mail_folders')
    .selectAll()
    .where('userId', '=', userId)
    .$if(page.accountId !== undefined, (query) => query.where('accountId', '=', page.accountId as string))
    .$if(page.after !== undefined, (query) => query.where('id', '>', page.after as number))
    .orderBy('id')
    .limit(page.limit)
    .execute()

export const { find: findFolder, get: getFolder } = ownedRows('mail_folders', 'folder')

/** The folder of a mail account with the first of these special uses. */
export const findFolderByUse = async (
  db: Db,
  userId: number,
  accountId: string,
  uses: readonly string[],
): Promise<FolderRecord | undefined> => {
  if (uses.length === 0) return undefined
  const found = await db
    .selectFrom('mail_folders')
    .selectAll()
    .where('userId', '=', userId)
    .where('accountId', '=', accountId)
    .where('use', 'in', uses)
    .where('selectable', '=', 1)
    .execute()
  return found.toSorted((a, b) => uses.indexOf(a.use ?? '') - uses.indexOf(b.use ?? ''))[0]
}

/** Reads the number of emails, or of unread emails, of folders from their tallies. */
export const readCounts = async (
  db: Db,
  tally: Parameters<typeof folderTally>[0],
  userId: number,
  ids: readonly number[],
): Promise<Map<number, number>> => {
  if (ids.length === 0) return new Map()
  const byName = new Map(ids.map((id) => [folderTally(tally, userId, id), id]))
  const rows = await db
    .selectFrom('tallies')
    .select(({ fn }) => ['name', fn.sum<number>('amount').as('amount')])
    .where('name', 'in', [...byName.keys()])
    .groupBy('name')
    .execute()
  return new Map(rows.map(({ name, amount }) => [byName.get(name) as number, Number(amount)]))
}

/** Applies a changed special use to the emails of the folder. */
export const setFolderOfEmails = async (
  tx: Db,
  { id, userId }: Pick<FolderRecord, 'id' | 'userId'>,
  folder: Folder,
): Promise<void> => {
  await tx
    .updateTable('emails')
    .set((row) => ({ folder, version: row('version', '+', 1) }))
    .where('userId', '=', userId)
    .where('folderId', '=', id)
    .execute()
  await changeOtherFolders(tx, { id, userId }, (place) => ({ ...place, role: folder }))
  await tx
    .updateTable('email_folders')
    .set({ folder })
    .where('userId', '=', userId)
    .where('folderId', '=', id)
    .execute()
}

/** Changes the folder in `otherFolders` of its emails, or removes it. The caller changes `email_folders`. */
const changeOtherFolders = async (
  tx: Db,
  { id, userId }: Pick<FolderRecord, 'id' | 'userId'>,
  change: (place: Place) => Place | undefined,
): Promise<void> => {
  const rows = await tx
    .selectFrom('email_folders')
    .innerJoin('emails', 'emails.id', 'email_folders.emailId')
    .select(['emails.id', 'emails.otherFolders'])
    .where('email_folders.userId', '=', userId)
    .where('email_folders.folderId', '=', id)
    .execute()
  for (const row of rows) {
    const places = readOtherFolders(row).flatMap((place) => (place.id === id ? (change(place) ?? []) : place))
    await tx
      .updateTable('emails')
      .set((email) => ({
        otherFolders: places.length === 0 ? null : JSON.stringify(places),
        version: email('version', '+', 1),
      }))
      .where('id', '=', row.id)
      .where('userId', '=', userId)
      .execute()
  }
}

export const listEmailIdsIn = async (db: Db, userId: number, folderId: number): Promise<number[]> => {
  const rows = await db
    .selectFrom('emails')
    .select('id')
    .where('userId', '=', userId)
    .where('folderId', '=', folderId)
    .unionAll(
      db
        .selectFrom('email_folders')
        .select('emailId as id')
        .where('userId', '=', userId)
        .where('folderId', '=', folderId),
    )
    .execute()
  return rows.map(({ id }) => id)
}

/** Emails have no foreign key to their folder, because its index would not lead with the user. */
export const deleteFolder = async (
  tx: Db,
  { id, userId }: Pick<FolderRecord, 'id' | 'userId'>,
): Promise<void> => {
  await changeOtherFolders(tx, { id, userId }, () => undefined)
  await tx.deleteFrom('email_folders').where('userId', '=', userId).where('folderId', '=', id).execute()
  await tx
    .updateTable('emails')
    .set({ folderId: null })
    .where('userId', '=', userId)
    .where('folderId', '=', id)
    .execute()
  await tx
    .updateTable('mail_folders')
    .set({ parentId: null })
    .where('userId', '=', userId)
    .where('parentId', '=', id)
    .execute()
  await clearFolderTally(tx, userId, id)
  await tx.deleteFrom('mail_folders').where('userId', '=', userId).where('id', '=', id).execute()
}

/** Forgets the folders of a mail account. Its emails stay. */
export const deleteFoldersOf = async (tx: Db, userId: number, accountId: string): Promise<void> => {
  const rows = await tx
    .selectFrom('mail_folders')
    .select(['id', 'userId'])
    .where('userId', '=', userId)
    .where('accountId', '=', accountId)
    .execute()
  for (const row of rows) await deleteFolder(tx, row)
}
