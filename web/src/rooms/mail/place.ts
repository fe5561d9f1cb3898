import { useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import { type Folder, isFolder } from './folders.ts'

/** What the room shows; the address says it, so that it can be kept, shared between windows and gone back to. */
export interface Place {
  folder: Folder
  /** The e-mail that is open, or a new one that is being written. */
  open: number | 'new' | null
  q: string
  /** Whether words are looked for in this folder alone. */
  here: boolean
  tag: string | null
  unread: boolean
}

const readPlace = (path: string, search: string): Place => {
  const [, , first = 'inbox', second = ''] = path.split('/')
  const asked = new URLSearchParams(search)
  return {
    folder: isFolder(first) ? first : 'inbox',
    open: second === 'new' ? 'new' : /^[1-9]\d{0,14}$/.test(second) ? Number(second) : null,
    q: asked.get('q') ?? '',
    here: asked.get('in') === 'here',
    tag: asked.get('tag'),
    unread: asked.get('show') === 'unread',
  }
}

export const hrefOf = ({ folder, open, q, here, tag, unread }: Place): string => {
  const asked = new URLSearchParams({
    ...(q !== '' && { q }),
    ...(q !== '' && here && { in: 'here' }),
    ...(tag !== null && { tag }),
    ...(unread && { show: 'unread' }),
  }).toString()
  return `/mail/${folder}${open === null ? '' : `/${open}`}${asked && `?${asked}`}`
}

/** Where one is, and the way elsewhere. */
export const usePlace = () => {
  const [path, navigate] = useLocation()
  const search = useSearch()
  const place = useMemo(() => readPlace(path, search), [path, search])
  return {
    place,
    go(change: Partial<Place>, options: { replace?: boolean } = {}): void {
      navigate(hrefOf({ ...place, ...change }), options)
    },
    /** Into a folder, without what was looked for elsewhere. */
    enter(folder: Folder, open: Place['open'] = null): void {
      navigate(hrefOf({ folder, open, q: '', here: false, tag: null, unread: false }))
    },
  }
}

export type Way = ReturnType<typeof usePlace>
