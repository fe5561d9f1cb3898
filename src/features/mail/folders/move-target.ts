import type { Db } from '../../../database/db.ts'
import { invalidField } from '../../../platform/errors.ts'
import type { EmailRecord } from '../email-repository.ts'
import type { EmailChange } from '../schema.ts'
import { toFolder, usesOf } from './folder.ts'
import { findFolder, findFolderByUse } from './repository.ts'

/** Completes a move: each server folder decides `folder`, and `folder` decides the server folder. */
export const resolveMove = async (tx: Db, email: EmailRecord, input: EmailChange): Promise<EmailChange> => {
  const { folder, folderId = null, ...rest } = input
  if (folderId !== null) {
    const target = await findFolder(tx, email.userId, folderId)
    if (!target) throw invalidField('folderId', 'does not exist')
    if (target.accountId !== email.accountId)
      throw invalidField('folderId', 'belongs to another mail account')
    if (target.selectable === 0) throw invalidField('folderId', 'can only contain other folders')
    const purpose = toFolder(target.use)
    if (folder !== undefined && folder !== purpose)
      throw invalidField('folder', `does not match folderId, which is ${purpose}`)
    return { ...rest, folder: purpose, folderId }
  }
  if (folder === undefined || folder === email.folder) return rest
  if (folder === 'other') throw invalidField('folder', 'cannot be other: set folderId to a server folder')
  if (email.accountId === null || email.folderId === null) return { ...rest, folder }
  const target = await findFolderByUse(tx, email.userId, email.accountId, usesOf(folder))
  return { ...rest, folder, folderId: target?.id ?? null }
}
