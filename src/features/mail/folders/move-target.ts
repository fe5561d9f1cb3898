import type { Db } from '../../../database/db.ts'
import type { Folder } from '../../../database/tables/mail.ts'
import { invalidField } from '../../../platform/errors.ts'
import type { EmailRecord } from '../messages/email-repository.ts'
import type { EmailChange } from '../messages/schema.ts'
import { toFolder, usesOf } from './folder.ts'
import { listPlaces, type MainPlace, movePlaces } from './places.ts'
import { findFolder, findFolderByUse } from './repository.ts'

/** A move of an email between folders of its server. */
export interface PlaceMove {
  /** The folders that it leaves. The server can have several copies there. */
  from: readonly MainPlace[]
  /** Without an id, the server's folder for the role. */
  to: MainPlace
}

/** A change with all folders of the email after it. */
export interface ResolvedChange extends EmailChange {
  otherFolders?: string | null
}

/** Returns undefined if the email is there already. */
const findTarget = async (
  tx: Db,
  email: EmailRecord,
  from: readonly MainPlace[],
  { folder, folderId = null }: { folder: Folder | undefined; folderId: number | null | undefined },
): Promise<MainPlace | undefined> => {
  if (folderId !== null) {
    const target = await findFolder(tx, email.userId, folderId)
    if (!target) throw invalidField('folderId', 'does not exist')
    if (target.accountId !== email.accountId)
      throw invalidField('folderId', 'belongs to another mail account')
    if (target.selectable === 0) throw invalidField('folderId', 'can only contain other folders')
    const role = toFolder(target.use)
    if (folder !== undefined && folder !== role)
      throw invalidField('folder', `does not match folderId, which is ${role}`)
    return from.every(({ id }) => id === folderId) ? undefined : { id: folderId, role }
  }
  if (folder === undefined || from.every(({ role }) => role === folder)) return undefined
  if (folder === 'other') throw invalidField('folder', 'cannot be other: set folderId to a server folder')
  if (email.accountId === null || email.folderId === null) return { id: null, role: folder }
  const target = await findFolderByUse(tx, email.userId, email.accountId, usesOf(folder))
  return { id: target?.id ?? null, role: folder }
}

/**
 * Completes a move: each server folder decides `folder`, and `folder` decides the server folder. The email leaves the
 * folders in `from` and stays in its others. Default: it leaves its main folder.
 */
export const resolveMove = async (
  tx: Db,
  email: EmailRecord,
  { folder, folderId, ...rest }: EmailChange,
  from: readonly MainPlace[] = listPlaces(email).slice(0, 1),
): Promise<{ change: ResolvedChange; move: PlaceMove | undefined }> => {
  const to = await findTarget(tx, email, from, { folder, folderId })
  if (!to) return { change: rest, move: undefined }
  return { change: { ...rest, ...movePlaces(email, from, to) }, move: { from, to } }
}
