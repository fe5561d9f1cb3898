import { useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import { type Folder, isFolder } from './folders.ts'

/** Mail view state, stored in the URL, so that reload, Back and other windows work. */
export interface UrlState {
  folder: Folder
  /** Id of the open email, or `new` for the composer. */
  open: number | 'new' | null
  q: string
  /** Limits the search to the current folder. */
  here: boolean
  tag: string | null
  unread: boolean
  /** Starred mail of all folders. */
  starred: boolean
}

/** Path of the view of starred mail. */
const STARRED = 'starred'

/** A folder without search and filters. */
export const PLAIN_VIEW = {
  open: null,
  q: '',
  here: false,
  tag: null,
  unread: false,
  starred: false,
} as const

const readUrlState = (path: string, search: string): UrlState => {
  const [, , first = 'inbox', second = ''] = path.split('/')
  const params = new URLSearchParams(search)
  return {
    folder: isFolder(first) ? first : 'inbox',
    open: second === 'new' ? 'new' : /^[1-9]\d{0,14}$/.test(second) ? Number(second) : null,
    q: params.get('q') ?? '',
    here: params.get('in') === 'here',
    tag: params.get('tag'),
    unread: params.get('show') === 'unread',
    starred: first === STARRED,
  }
}

export const hrefOf = ({ folder, open, q, here, tag, unread, starred }: UrlState): string => {
  const params = new URLSearchParams({
    ...(q !== '' && { q }),
    ...(q !== '' && here && { in: 'here' }),
    ...(tag !== null && { tag }),
    ...(unread && { show: 'unread' }),
  }).toString()
  return `/mail/${starred ? STARRED : folder}${open === null ? '' : `/${open}`}${params && `?${params}`}`
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
