import type { InfiniteData } from '@tanstack/react-query'
import type { Shape } from '../../api/client.ts'
import type { Folder } from './folders.ts'
import type { Listed } from './use-emails.ts'

export type EmailChange = Shape<'EmailChange'>

/** Changes by the id of the email. */
export type EmailChanges = ReadonlyMap<number, EmailChange>

/** Cached pages of a list or a conversation. */
export type EmailPages = InfiniteData<{ emails: { id: number; folder: Folder }[]; nextCursor: string | null }>

/** The folder of a list. Null for lists over all folders. */
export type ListedFolder = Pick<Listed, 'folder' | 'folderId'> | null

/** Whether an email leaves the list with this change. */
const leavesList = (listed: ListedFolder, { folder, folderId }: EmailChange): boolean => {
  if (listed === null || listed.folder === null) return false
  if (folder === undefined && folderId === undefined) return false
  return listed.folderId === null ? folder !== listed.folder : folderId !== listed.folderId
}

/** True for filtered lists, where a change may add or remove emails. */
export const isFiltered = (key: readonly unknown[]): boolean => {
  const listed = key[2]
  if (typeof listed !== 'object' || listed === null) return false
  const { q, tag, unread } = listed as Listed
  return q !== '' || tag !== null || unread
}

export const hasChangedEmail = (data: EmailPages, changes: EmailChanges): boolean =>
  data.pages.some(({ emails }) => emails.some(({ id }) => changes.has(id)))

/** Changes cached emails. Emails that move to another folder leave the list of their folder. */
export const applyChanges = (data: EmailPages, changes: EmailChanges, listed: ListedFolder): EmailPages => ({
  ...data,
  pages: data.pages.map((page) => ({
    ...page,
    emails: page.emails.flatMap((email) => {
      const change = changes.get(email.id)
      if (!change) return [email]
      return leavesList(listed, change) ? [] : [{ ...email, ...change } as typeof email]
    }),
  })),
})
