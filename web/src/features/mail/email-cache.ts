import type { InfiniteData } from '@tanstack/react-query'
import type { Shape } from '../../api/client.ts'
import type { EmailSummary, Folder } from './folders.ts'
import type { Thread } from './threads.ts'
import type { UrlState } from './url-state.ts'

export type EmailChange = Shape<'EmailChange'> &
  Pick<Shape<'EmailsChange'>['emails'][number], 'fromFolderId' | 'fromFolder'>
export type ThreadChange = Shape<'ThreadsChange'>['change']

/** Changes by the id of the email. */
export type EmailChanges = ReadonlyMap<number, EmailChange>

/** Filters that identify one cached list of threads. */
export interface Listed {
  folder: Folder | null
  /** The folder of a mail account; null for lists over all accounts. */
  folderId: number | null
  q: string
  tag: string | null
  unread: boolean
  starred: boolean
  snoozed: boolean
  /** Set for the two parts of the inbox. Null for lists with pinned and other mail. */
  pinned: boolean | null
}

/** One folder of all mail accounts, or of one of them if `folderId` is set. */
export type Scope = Pick<UrlState, 'folder' | 'folderId'>

/** Cached pages of a thread, and of a list of threads. */
export type EmailPages = InfiniteData<Shape<'EmailThread'>>
export type ThreadPages = InfiniteData<Shape<'ThreadList'>>

/** Changes a listed thread. Null removes it from the list. */
export type ThreadPatch = (thread: Thread, listed: Listed) => Thread | null
export type ThreadPatches = ReadonlyMap<number, ThreadPatch>

/** True for filtered lists, where a change may add or remove threads. */
export const isFiltered = ({ q, tag, unread, starred, snoozed, pinned }: Listed): boolean =>
  q !== '' || tag !== null || unread || starred || snoozed || pinned === true

export const hasThread = (data: ThreadPages, ids: ReadonlyMap<number, unknown>): boolean =>
  data.pages.some(({ threads }) => threads.some(({ id }) => ids.has(id)))

export const applyToEmails = (data: EmailPages, changes: EmailChanges): EmailPages => ({
  ...data,
  pages: data.pages.map((page) => ({
    ...page,
    emails: page.emails.map((email) => {
      const change = changes.get(email.id)
      return change ? ({ ...email, ...change } as typeof email) : email
    }),
  })),
})

export const applyToThreads = (data: ThreadPages, patches: ThreadPatches, listed: Listed): ThreadPages => ({
  ...data,
  pages: data.pages.map((page) =>
    page.threads.some(({ id }) => patches.has(id))
      ? {
          ...page,
          threads: page.threads.flatMap((thread) => {
            const patch = patches.get(thread.id)
            return patch ? (patch(thread, listed) ?? []) : [thread]
          }),
        }
      : page,
  ),
})

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

const changeTags = (tags: readonly string[], { addTags = [], removeTags = [] }: ThreadChange): string[] => {
  const kept = tags.filter((tag) => !removeTags.some((removed) => isSame(tag, removed)))
  return [...kept, ...addTags.filter((tag) => !kept.some((known) => isSame(tag, known)))]
}

type Place = Pick<EmailSummary, 'folder' | 'folderId'>

/** Whether the list is the one of the scope. */
export const isListOf = (listed: Listed, { folder, folderId }: Scope): boolean =>
  listed.folder === folder && listed.folderId === folderId

/** Whether the list is limited to the folder of an email. */
export const isListOfFolder = (listed: Listed, { folder, folderId }: Place): boolean =>
  listed.folderId === null ? listed.folder === folder : listed.folderId === folderId

/** Whether a move ends outside the folder of the list. */
const leavesFolder = (
  listed: Listed,
  { folder, folderId }: Pick<ThreadChange, 'folder' | 'folderId'>,
): boolean =>
  folder !== undefined &&
  listed.folder !== null &&
  !isListOfFolder(listed, { folder, folderId: folderId ?? null })

/** Whether a snooze moves the thread to another list. */
const leavesList = (listed: Listed, { snoozedUntil, returned }: ThreadChange): boolean =>
  (typeof snoozedUntil === 'string' && listed.folder === 'inbox' && !listed.snoozed) ||
  (snoozedUntil === null && listed.snoozed) ||
  (returned === null && listed.folder === 'inbox')

/** The patch for a change of the whole thread, or of its emails in one folder. */
export const patchThread =
  (change: ThreadChange, scope: Scope | null): ThreadPatch =>
  (thread, listed) => {
    const { read, starred, folder, folderId = null } = change
    if (leavesList(listed, change)) return null
    if (leavesFolder(listed, change) && (scope === null || isListOf(listed, scope))) return null
    const unreadCount = read === undefined ? thread.unreadCount : read ? 0 : Math.max(1, thread.unreadCount)
    return {
      ...thread,
      unreadCount,
      starred: starred ?? thread.starred,
      pinned: change.pinned ?? thread.pinned,
      ...(change.snoozedUntil !== undefined && { snoozedUntil: change.snoozedUntil }),
      ...(folder !== undefined && { folder, folderId, snoozedUntil: null, returned: null }),
      tags: changeTags(thread.tags, change),
    }
  }

/** The patch for a change of one email of a thread. */
export const patchEmailOfThread =
  (email: EmailSummary, change: EmailChange & { fromFolderId?: number }): ThreadPatch =>
  (thread, listed) => {
    const places = email.folders.map(({ id, role }) => ({ folder: role, folderId: id }))
    const left = places.find(({ folderId }) => folderId === change.fromFolderId) ?? email
    const isListed = [email, ...places].some((place) => isListOfFolder(listed, place))
    const isCounted = listed.folder === null || isListed
    const leaves = isListOfFolder(listed, left) && leavesFolder(listed, change)
    if (leaves && thread.messageCount <= 1) return null
    const unread = change.read === undefined || change.read === email.read ? 0 : change.read ? -1 : 1
    return {
      ...thread,
      messageCount: thread.messageCount - (leaves ? 1 : 0),
      unreadCount: Math.max(0, thread.unreadCount + (isCounted ? unread : 0)),
      starred: change.starred ?? thread.starred,
      tags:
        change.tags === undefined
          ? thread.tags
          : changeTags(thread.tags, {
              addTags: change.tags,
              removeTags: email.tags.filter((tag) => !change.tags?.includes(tag)),
            }),
    }
  }

/** Inserts threads that return to a list, in the order of time. */
export const insertThreads = (data: ThreadPages, returned: readonly Thread[]): ThreadPages => {
  const ids = new Set(returned.map(({ id }) => id))
  let waiting = [...returned].sort((one, other) => other.date.localeCompare(one.date))
  const last = data.pages.length - 1
  return {
    ...data,
    pages: data.pages.map((page, index) => {
      const oldest = page.threads.at(-1)?.date ?? ''
      const isEnd = index === last && page.nextCursor === null
      const here = waiting.filter(({ date }) => isEnd || date >= oldest)
      if (here.length === 0) return page
      waiting = waiting.filter((thread) => !here.includes(thread))
      const threads = [...page.threads.filter(({ id }) => !ids.has(id)), ...here]
      return { ...page, threads: threads.sort((one, other) => other.date.localeCompare(one.date)) }
    }),
  }
}
