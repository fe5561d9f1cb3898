import type { Db } from '../../../database/db.ts'
import { AppError } from '../../../platform/errors.ts'
import type { FolderListing, Mailbox } from '../accounts/ports.ts'
import { toFolder } from '../folders/folder.ts'
import { deleteFolder, setFolderOfEmails } from '../folders/repository.ts'
import {
  type FolderRecord,
  hasPlacements,
  insertFolder,
  listFolders,
  markFolderGone,
  updateFolder,
} from './repository.ts'
import { type Session, selectFolders } from './session.ts'

type Owner = Pick<Session, 'accountId' | 'userId'>

const isMissing = (error: unknown): boolean =>
  error instanceof AppError && error.details.failure?.reason === 'missing'

/** `flagged` contains copies of messages of other folders. */
export const isSynced = ({ use }: Pick<FolderListing, 'use'>): boolean => use !== 'flagged'

/** A folder without a listed parent is at the top level, with the missing parents in its name. */
const findParent = (
  { path, name, parentPath }: FolderListing,
  byPath: ReadonlyMap<string, FolderRecord>,
): { name: string; parentId: number | null } => {
  if (parentPath === null) return { name, parentId: null }
  const parent = byPath.get(parentPath)
  if (parent) return { name, parentId: parent.id }
  return { name: path, parentId: null }
}

/**
 * Saves names, hierarchy and special use of the listed folders. Returns the rows by path. Rows of folders that are not
 * listed stay.
 */
export const saveFolderTree = async (
  tx: Db,
  { accountId, userId }: Owner,
  listing: readonly FolderListing[],
): Promise<Map<string, FolderRecord>> => {
  const byPath = new Map((await listFolders(tx, accountId)).map((row) => [row.path, row]))
  // A parent has a shorter path than its children.
  for (const listed of listing.toSorted((a, b) => a.path.length - b.path.length)) {
    const { path, use } = listed
    const tree = {
      ...findParent(listed, byPath),
      use,
      selectable: listed.selectable ? 1 : 0,
      subscribed: listed.subscribed ? 1 : 0,
    }
    const known = byPath.get(path)
    if (!known) {
      const total = listed.state?.exists ?? 0
      byPath.set(path, await insertFolder(tx, { userId, accountId, path, ...tree, total }))
    } else if (Object.entries(tree).some(([name, value]) => known[name as keyof FolderRecord] !== value)) {
      byPath.set(path, await updateFolder(tx, known.id, tree))
      if (known.use !== use) await setFolderOfEmails(tx, known, toFolder(use))
    }
  }
  return byPath
}

/** Whether the server still has the folder. A listing may be older than a rename by a request. */
const exists = async (mailbox: Mailbox, { path }: FolderRecord): Promise<boolean> => {
  try {
    await mailbox.peek(path)
    return true
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

/**
 * Finds the new path of a folder that another program renamed. RENAME keeps UIDVALIDITY and the UIDs on common servers.
 * Otherwise the folder counts as deleted, and its messages are recognised one by one.
 */
const findNewPath = (row: FolderRecord, added: readonly FolderListing[]): string | undefined => {
  const candidates = added.filter(
    ({ state }) =>
      state !== null &&
      row.uidValidity !== '' &&
      state.uidValidity === row.uidValidity &&
      state.uidNext >= row.uidNext,
  )
  return candidates.length === 1 ? candidates[0]?.path : undefined
}

/**
 * Saves the folders of the server. Follows renamed folders, and marks the messages of deleted ones. Returns the folders
 * to sync with their current state, in sync order.
 */
export const updateFolders = async (
  session: Session,
): Promise<{ row: FolderRecord; listed: FolderListing }[]> => {
  const listing = (await session.mailbox.folders()).filter(isSynced)
  const listedPaths = new Set(listing.map(({ path }) => path))
  const before = await listFolders(session.db, session.accountId)
  const knownPaths = new Set(before.map(({ path }) => path))
  const added = listing.filter(({ path }) => !knownPaths.has(path))
  const removed: FolderRecord[] = []
  for (const row of before.filter(({ path }) => !listedPaths.has(path))) {
    if (row.selectable === 1 && (await exists(session.mailbox, row))) continue
    const path = findNewPath(row, added)
    if (path === undefined) removed.push(row)
    else await session.write((tx) => updateFolder(tx, row.id, { path }))
  }
  const rows = await session.write(async (tx) => {
    for (const row of removed)
      if (await hasPlacements(tx, row)) await markFolderGone(tx, row, session.now())
      else await deleteFolder(tx, row)
    return saveFolderTree(tx, session, listing)
  })
  const byPath = new Map(listing.map((listed) => [listed.path, listed]))
  return selectFolders([...rows.values()]).flatMap((row) => {
    const listed = byPath.get(row.path)
    return listed ? [{ row, listed }] : []
  })
}
