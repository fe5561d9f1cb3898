import { useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import { type Folder, isFolder } from './folders.ts'

/** Mail view state, stored in the URL, so that reload, Back and other windows work. */
export interface UrlState {
  /** `other` for a folder of a mail account. */
  folder: Folder
  /** Id of the folder of a mail account, or null for a view over all accounts. */
  folderId: number | null
  /** Id of the open email, or `new` for the composer. */
  open: number | 'new' | null
  q: string
  /** Limits the search to the current folder. */
  here: boolean
  tag: string | null
  unread: boolean
  /** Starred mail of all folders. */
  starred: boolean
  /** Snoozed mail of all folders. */
  snoozed: boolean
}

/** Path of the view of starred mail. */
const STARRED = 'starred'
/** Path of the view of snoozed mail. */
const SNOOZED = 'snoozed'

/** A folder without search and filters. */
export const PLAIN_VIEW = {
  folderId: null,
  open: null,
  q: '',
  here: false,
  tag: null,
  unread: false,
  starred: false,
  snoozed: false,
} as const

export const readUrlState = (path: string, search: string): UrlState => {
  const [, , first = 'inbox', second = ''] = path.split('/')
  const params = new URLSearchParams(search)
  const [, folderId] = /^folder-([1-9]\d{0,14})$/.exec(first) ?? []
  return {
    folder: folderId ? 'other' : isFolder(first) ? first : 'inbox',
    folderId: folderId ? Number(folderId) : null,
    open: second === 'new' ? 'new' : /^[1-9]\d{0,14}$/.test(second) ? Number(second) : null,
    q: params.get('q') ?? '',
    here: params.get('in') === 'here',
    tag: params.get('tag'),
    unread: params.get('show') === 'unread',
    starred: first === STARRED,
    snoozed: first === SNOOZED,
  }
}

export const hrefOf = (urlState: UrlState): string => {
  const { folder, folderId, open, q, here, tag, unread, starred, snoozed } = urlState
  const params = new URLSearchParams({
    ...(q !== '' && { q }),
    ...(q !== '' && here && { in: 'here' }),
    ...(tag !== null && { tag }),
    ...(unread && { show: 'unread' }),
  }).toString()
  const plain = folderId === null ? folder : `folder-${folderId}`
  const view = starred ? STARRED : snoozed ? SNOOZED : plain
  return `/mail/${view}${open === null ? '' : `/${open}`}${params && `?${params}`}`
}

/** Reads the mail view state and navigates. */
export const useUrlState = () => {
  const [path, navigate] = useLocation()
  const search = useSearch()
  const urlState = useMemo(() => readUrlState(path, search), [path, search])
  return {
    urlState,
    go(change: Partial<UrlState>, options: { replace?: boolean } = {}): void {
      navigate(hrefOf({ ...urlState, ...change }), options)
    },
    /** Opens a folder without search and filters. */
    enter(folder: Folder, open: UrlState['open'] = null): void {
      navigate(hrefOf({ ...PLAIN_VIEW, folder, open }))
    },
  }
}

export type MailNavigation = ReturnType<typeof useUrlState>
