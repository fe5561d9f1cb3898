import type { InfiniteData } from '@tanstack/react-query'
import type { Shape } from '../../api/client.ts'
import type { Folder } from './folders.ts'
import type { Listed } from './use-emails.ts'

export type EmailChange = Shape<'EmailChange'>

/** Changes by the id of the email. */
export type EmailChanges = ReadonlyMap<number, EmailChange>

/** Cached pages of a list or a conversation. */
export type EmailPages = InfiniteData<{ emails: { id: number; folder: Folder }[]; nextCursor: string | null }>

/** True for filtered lists, where a change may add or remove emails. */
export const isFiltered = (key: readonly unknown[]): boolean => {
  const listed = key[2]
  if (typeof listed !== 'object' || listed === null) return false
  const { q, tag, unread } = listed as Listed
  return q !== '' || tag !== null || unread
}

export const hasChangedEmail = (data: EmailPages, changes: EmailChanges): boolean =>
  data.pages.some(({ emails }) => emails.some(({ id }) => changes.has(id)))

/** Changes cached emails. Emails that move to another folder leave the list of `folder`. */
export const applyChanges = (data: EmailPages, changes: EmailChanges, folder: Folder | null): EmailPages => ({
  ...data,
  pages: data.pages.map((page) => ({
    ...page,
    emails: page.emails.flatMap((email) => {
      const change = changes.get(email.id)
      if (!change) return [email]
      const leaves = folder !== null && change.folder !== undefined && change.folder !== folder
      return leaves ? [] : [{ ...email, ...change } as typeof email]
    }),
  })),
})
