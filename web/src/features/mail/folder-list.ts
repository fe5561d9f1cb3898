import { queryOptions, useQuery } from '@tanstack/react-query'
import { type Client, type Shape, unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { useRefetch } from '../../api/use-refetch.ts'
import type { Folder } from './folders.ts'
import { KEYS } from './use-emails.ts'

export type MailFolder = Shape<'MailFolder'>

/** A folder with its subfolders. */
export interface FolderNode extends MailFolder {
  children: readonly FolderNode[]
}

/** The folder of the emails in a folder of a mail account. */
export const toFolder = ({ specialUse }: MailFolder): Folder =>
  specialUse === null ? 'other' : specialUse === 'all' ? 'archive' : specialUse

const POLL_INTERVAL_MS = 60_000

const readFolders = async (client: Client): Promise<MailFolder[]> => {
  const found: MailFolder[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Shape<'MailFolderList'> = await unwrap(
      client.GET('/api/folders', { params: { query: { limit: 200, ...(cursor !== '' && { cursor }) } } }),
    )
    found.push(...page.folders)
    cursor = page.nextCursor
  }
  return found
}

const foldersQuery = (client: Client) =>
  queryOptions({
    queryKey: KEYS.folders,
    queryFn: () => readFolders(client),
    refetchInterval: POLL_INTERVAL_MS,
  })

const NONE: readonly MailFolder[] = []

/** The folders of all mail accounts. */
export const useFolders = (): readonly MailFolder[] => useQuery(foldersQuery(useClient())).data ?? NONE

/** In the order of mail programs; other folders follow by name. */
const USES = ['inbox', 'drafts', 'sent', 'archive', 'all', 'junk', 'trash']

const compareFolders = (a: MailFolder, b: MailFolder): number => {
  const rank = ({ specialUse }: MailFolder) => (specialUse === null ? USES.length : USES.indexOf(specialUse))
  return rank(a) - rank(b) || a.name.localeCompare(b.name, undefined, { numeric: true })
}

/** The folders of a mail account as trees. */
export const toTrees = (folders: readonly MailFolder[], accountId: string): FolderNode[] => {
  const own = folders.filter((folder) => folder.accountId === accountId)
  const ids = new Set(own.map(({ id }) => id))
  const childrenOf = (parentId: number | null): FolderNode[] =>
    own
      .filter((folder) =>
        parentId === null
          ? folder.parentId === null || !ids.has(folder.parentId)
          : folder.parentId === parentId,
      )
      .toSorted(compareFolders)
      .map((folder) => ({ ...folder, children: childrenOf(folder.id) }))
  return childrenOf(null)
}

/** Folders that can contain this one: neither itself, nor one of its subfolders, nor its parent. */
export const listParents = (folders: readonly MailFolder[], folder: MailFolder): MailFolder[] => {
  const below = new Set([folder.id])
  const own = folders.filter(({ accountId }) => accountId === folder.accountId)
  for (let size = 0; size !== below.size; ) {
    size = below.size
    for (const { id, parentId } of own) if (parentId !== null && below.has(parentId)) below.add(id)
  }
  return own.filter(({ id }) => !below.has(id) && id !== folder.parentId).toSorted(compareFolders)
}

/** Creates, renames, moves and deletes folders on the mail server. Errors go to the form. */
export const useFolderActions = () => {
  const client = useClient()
  const refresh = useRefetch(KEYS.folders, KEYS.lists)
  return {
    async create(accountId: string, name: string, parentId: number | null): Promise<MailFolder> {
      const folder = await unwrap(client.POST('/api/folders', { body: { accountId, name, parentId } }))
      await refresh()
      return folder
    },
    async rename(id: number, name: string): Promise<void> {
      await unwrap(client.PATCH('/api/folders/{id}', { params: { path: { id } }, body: { name } }))
      await refresh()
    },
    /** Moves the folder below another one, or to the top level. */
    async move(id: number, parentId: number | null): Promise<void> {
      await unwrap(client.PATCH('/api/folders/{id}', { params: { path: { id } }, body: { parentId } }))
      await refresh()
    },
    async remove(id: number): Promise<void> {
      await unwrap(
        client.DELETE('/api/folders/{id}', { params: { path: { id }, query: { emails: 'trash' } } }),
      )
      await refresh()
    },
  }
}
