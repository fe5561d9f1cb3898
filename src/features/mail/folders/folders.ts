import type { Db } from '../../../database/db.ts'
import { FOLDER_TALLY, UNREAD_FOLDER_TALLY } from '../../../database/folder-tallies.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { AppError, conflict, invalidField } from '../../../platform/errors.ts'
import { pageOf, readCursor, requireMatch } from '../../../platform/http/etag.ts'
import type { LanguageOf } from '../../../platform/language.ts'
import type { Platform } from '../../../platform/platform.ts'
import { digest } from '../../../platform/secrets/seal.ts'
import { type MailAccounts, serverOf } from '../accounts/accounts.ts'
import type { Mailbox, OpenMailbox } from '../accounts/ports.ts'
import { type AccountRecord, findAccountOf } from '../accounts/repository.ts'
import type { Logins } from '../accounts/sign-in/sign-in.ts'
import { explainFailure, mailServerTexts } from '../accounts/words.ts'
import type { MailStore } from '../messages/mail-store.ts'
import { isSynced, saveFolderTree } from '../sync/folder-tree.ts'
import { listFolders, listPlacements, relocate, updateFolder } from '../sync/repository.ts'
import type { MailFolder } from './folder.ts'
import { isOnServer, listPlaces } from './places.ts'
import {
  deleteFolder,
  type FolderRecord,
  findFolder,
  findFolderByUse,
  getFolder,
  listEmailIdsIn,
  listFoldersOf,
  readCounts,
} from './repository.ts'
import type { FolderChange, FolderQuery, FolderRemoval, NewFolder } from './schema.ts'

/** The server's name for a trash that does not exist yet. */
const TRASH = 'Trash'

/** The name and the place of a folder are its version. Its counts change all the time and cause no conflict. */
const toVersion = ({ path, use, parentId, name }: FolderRecord): number =>
  Number.parseInt(
    Buffer.from(digest(JSON.stringify([path, use, parentId, name])), 'base64url')
      .subarray(0, 6)
      .toString('hex'),
    16,
  )

type FolderView = MailFolder & { version: number; extra: string }

const viewAll = async (view: Db, userId: number, rows: readonly FolderRecord[]): Promise<FolderView[]> => {
  const ids = rows.map(({ id }) => id)
  const unread = await readCounts(view, UNREAD_FOLDER_TALLY, userId, ids)
  const totals = await readCounts(view, FOLDER_TALLY, userId, ids)
  return rows.map((row) => {
    const counts = {
      unread: Math.max(0, unread.get(row.id) ?? 0),
      total: Math.max(0, totals.get(row.id) ?? 0),
    }
    return {
      id: row.id,
      accountId: row.accountId,
      name: row.name,
      path: row.path,
      parentId: row.parentId,
      specialUse: row.use as MailFolder['specialUse'],
      selectable: row.selectable === 1,
      subscribed: row.subscribed === 1,
      ...counts,
      version: toVersion(row),
      extra: `${counts.unread}.${counts.total}.${row.subscribed}`,
    }
  })
}

const requireOrdinary = ({ use, name }: FolderRecord): void => {
  if (use !== null)
    throw conflict(`“${name}” is the ${use} folder of the account and cannot be changed here.`)
}

/** Mail clients reserve the name, however it is spelled (RFC 3501, section 5.1). */
const requireName = (given: string, delimiter: string | null): string => {
  const name = given.trim()
  if (delimiter !== null && name.includes(delimiter))
    throw invalidField('name', `must not contain “${delimiter}”, which separates folders on this server`)
  if (name.toUpperCase() === 'INBOX') throw invalidField('name', 'is reserved for the inbox')
  return name
}

export interface FoldersDeps extends Pick<Platform, 'db'> {
  accounts: Pick<MailAccounts, 'requestSync'>
  logins: Logins
  openMailbox: OpenMailbox
  languageOf: LanguageOf
  emails: Pick<MailStore, 'find' | 'setFolders'>
}

export type Folders = ReturnType<typeof createFolders>

/** Converts a refusal to an error with the words of the server. */
const explainRefusal = async (
  languageOf: LanguageOf,
  account: AccountRecord,
  error: unknown,
): Promise<unknown> => {
  const failure = error instanceof AppError ? error.details.failure : undefined
  if (!(error instanceof AppError) || !failure) return error
  const language = await languageOf(account.userId)
  const server = serverOf(account.imap)
  if (failure.step === 'command' && failure.response !== null) {
    const text = mailServerTexts(language).folderRefused(server.host, failure.response)
    return new AppError('upstream', error.code, text, { cause: error })
  }
  const { problem, remedy } = explainFailure(failure, server, language)
  return new AppError('upstream', error.code, `${problem} ${remedy}`, { cause: error })
}

type WithMailbox = <T>(account: AccountRecord, work: (mailbox: Mailbox) => Promise<T>) => Promise<T>

/** Runs one operation on a connection of its own. The sync of the account continues on another one. */
const createConnection =
  ({ logins, openMailbox, languageOf }: FoldersDeps): WithMailbox =>
  async (account, work) => {
    if (account.enabled === 0) throw conflict('This mail account is turned off. Turn it on first.')
    try {
      const mailbox = await openMailbox(await logins.imap(account))
      try {
        return await work(mailbox)
      } finally {
        await mailbox.close()
      }
    } catch (error) {
      throw await explainRefusal(languageOf, account, error)
    }
  }

const requireFree = async (mailbox: Mailbox, name: string, parent: FolderRecord | null): Promise<void> => {
  const parentPath = parent?.path ?? null
  const listing = await mailbox.folders()
  if (listing.some((folder) => folder.name === name && folder.parentPath === parentPath))
    throw conflict(`A folder named “${name}” already exists there.`, 'folder_exists')
}

interface MovedToTrash {
  trash: FolderRecord
  places: Awaited<ReturnType<Mailbox['moveAll']>>
}

const moveToTrash = async (
  db: Db,
  { id: accountId, userId }: AccountRecord,
  mailbox: Mailbox,
  row: FolderRecord,
): Promise<MovedToTrash> => {
  let trash = await findFolderByUse(db, userId, accountId, ['trash'])
  if (!trash) {
    const path = await mailbox.createFolder(TRASH)
    const listing = (await mailbox.folders()).filter(isSynced)
    trash = await inTransaction(db, async (tx) =>
      (await saveFolderTree(tx, { accountId, userId }, listing)).get(path),
    )
    if (!trash) throw new AppError('upstream', 'upstream_failed', 'The mail server does not list its trash.')
  }
  await mailbox.open(row.path)
  return { trash, places: await mailbox.moveAll(trash.path) }
}

/** Without the new UIDs, the next sync recognises the messages in the trash. */
const saveMoved = async (
  tx: Db,
  emails: FoldersDeps['emails'],
  row: FolderRecord,
  { trash, places }: MovedToTrash,
): Promise<void> => {
  for (const { id, uid } of places ? await listPlacements(tx, row) : []) {
    const moved = places?.uids.get(uid)
    if (places && moved !== undefined)
      await relocate(tx, id, { folderId: trash.id, uidValidity: places.uidValidity, uid: moved })
  }
  for (const emailId of await listEmailIdsIn(tx, row.userId, row.id)) {
    const email = await emails.find(tx, row.userId, emailId)
    const others = email ? listPlaces(email).filter(({ id }) => id !== row.id) : []
    const places = [...others.filter(isOnServer), { id: trash.id, role: 'trash' as const }]
    await emails.setFolders(tx, row.userId, emailId, places)
  }
}

/** Renames the rows of a folder and of its subfolders, so that they keep their ids and their messages. */
const renameRows = async (
  tx: Db,
  { id, accountId, path: before }: FolderRecord,
  path: string,
  delimiter: string | null,
): Promise<void> => {
  const prefix = `${before}${delimiter}`
  for (const row of await listFolders(tx, accountId))
    if (row.id === id) await updateFolder(tx, id, { path })
    else if (delimiter !== null && row.path.startsWith(prefix))
      await updateFolder(tx, row.id, { path: `${path}${delimiter}${row.path.slice(prefix.length)}` })
}

/** Lists the folders of mail accounts, and changes them on their servers. */
export const createFolders = (deps: FoldersDeps) => {
  const { db, accounts, emails } = deps
  const withMailbox = createConnection(deps)

  const requireAccount = async (userId: number, accountId: string): Promise<AccountRecord> => {
    const account = await findAccountOf(db, userId, accountId)
    if (!account) throw invalidField('accountId', 'is not a mail account')
    return account
  }

  const findParent = async (
    userId: number,
    accountId: string,
    parentId: number | null | undefined,
  ): Promise<FolderRecord | null> => {
    if (parentId === null || parentId === undefined) return null
    const parent = await findFolder(db, userId, parentId)
    if (parent?.accountId !== accountId)
      throw invalidField('parentId', 'is not a folder of this mail account')
    return parent
  }

  /** Saves the folders of the server after a change, and returns one of them. */
  const saveTree = async (
    { id: accountId, userId }: AccountRecord,
    mailbox: Mailbox,
    path: string,
    renamed?: { row: FolderRecord; delimiter: string | null },
  ): Promise<FolderView> => {
    const listing = (await mailbox.folders()).filter(isSynced)
    const view = await inTransaction(db, async (tx) => {
      if (renamed) await renameRows(tx, renamed.row, path, renamed.delimiter)
      const row = (await saveFolderTree(tx, { accountId, userId }, listing)).get(path)
      if (!row) throw new AppError('upstream', 'upstream_failed', 'The mail server does not list the folder.')
      return (await viewAll(tx, userId, [row]))[0] as FolderView
    })
    await accounts.requestSync(userId, accountId)
    return view
  }

  return {
    async list(userId: number, { accountId, limit, cursor }: FolderQuery) {
      const after = readCursor(cursor, 'integer')?.[0]
      const rows = await listFoldersOf(db, userId, { accountId, after, limit: limit + 1 })
      const { page, nextCursor } = pageOf(rows, limit, ({ id }) => [id])
      return { folders: await viewAll(db, userId, page), nextCursor }
    },

    async get(userId: number, id: number): Promise<FolderView> {
      const [view] = await viewAll(db, userId, [await getFolder(db, userId, id)])
      return view as FolderView
    },

    async create(userId: number, input: NewFolder): Promise<FolderView> {
      const account = await requireAccount(userId, input.accountId)
      const parent = await findParent(userId, account.id, input.parentId)
      return withMailbox(account, async (mailbox) => {
        const name = requireName(input.name, mailbox.delimiter)
        await requireFree(mailbox, name, parent)
        return saveTree(account, mailbox, await mailbox.createFolder(name, parent?.path ?? null))
      })
    },

    async change(
      userId: number,
      id: number,
      input: FolderChange,
      ifMatch: string | undefined,
    ): Promise<FolderView> {
      const row = await getFolder(db, userId, id)
      requireMatch(ifMatch, { id, version: toVersion(row) })
      requireOrdinary(row)
      const account = await requireAccount(userId, row.accountId)
      const parentId = input.parentId === undefined ? row.parentId : input.parentId
      const parent = await findParent(userId, account.id, parentId)
      return withMailbox(account, async (mailbox) => {
        const { delimiter } = mailbox
        const name = input.name === undefined ? row.name : requireName(input.name, delimiter)
        if (name === row.name && (parent?.id ?? null) === row.parentId)
          return saveTree(account, mailbox, row.path)
        if (parent && `${parent.path}${delimiter}`.startsWith(`${row.path}${delimiter}`))
          throw invalidField('parentId', 'must not be the folder itself or one of its subfolders')
        await requireFree(mailbox, name, parent)
        const path = await mailbox.renameFolder(row.path, name, parent?.path ?? null)
        return saveTree(account, mailbox, path, { row, delimiter })
      })
    },

    async remove(
      userId: number,
      id: number,
      { emails: mail }: FolderRemoval,
      ifMatch: string | undefined,
    ): Promise<void> {
      const row = await getFolder(db, userId, id)
      requireMatch(ifMatch, { id, version: toVersion(row) })
      requireOrdinary(row)
      const account = await requireAccount(userId, row.accountId)
      if ((await listFolders(db, account.id)).some(({ parentId }) => parentId === id))
        throw conflict(`“${row.name}” contains folders. Move or delete them first.`, 'folder_not_empty')
      await withMailbox(account, async (mailbox) => {
        const count = row.selectable === 1 ? (await mailbox.peek(row.path)).exists : 0
        if (count > 0 && mail === 'keep')
          throw conflict(
            `“${row.name}” contains ${count} emails. Move them first, or delete the folder with emails=trash.`,
            'folder_not_empty',
          )
        const moved = count > 0 ? await moveToTrash(db, account, mailbox, row) : null
        await mailbox.deleteFolder(row.path)
        await inTransaction(db, async (tx) => {
          if (moved) await saveMoved(tx, emails, row, moved)
          await deleteFolder(tx, row)
        })
      })
      await accounts.requestSync(userId, account.id)
    },
  }
}
