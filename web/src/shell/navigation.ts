import {
  BookUser,
  CalendarDays,
  ChartColumn,
  Handshake,
  HomeIcon,
  ListChecks,
  type LucideIcon,
  Mail,
  Radio,
  ScanSearch,
  Settings,
  Sparkles,
} from 'lucide-react'
import * as t from '#locale/shell'
import type { BrowserStorage } from '../api/browser-storage.ts'

/** Pages of the main navigation, in order. `g` followed by `key` opens the page. */
export interface NavigationItem {
  href: string
  label: string
  icon: LucideIcon
  key: string
  /** In the More menu until the user pins it. */
  isRare?: true
}

export const NAVIGATION: readonly NavigationItem[] = [
  { href: '/', label: t.pages.home, icon: HomeIcon, key: 'h' },
  { href: '/mail', label: t.pages.mail, icon: Mail, key: 'm' },
  { href: '/calendar', label: t.pages.calendar, icon: CalendarDays, key: 'c' },
  { href: '/tasks', label: t.pages.tasks, icon: ListChecks, key: 't' },
  { href: '/contacts', label: t.pages.contacts, icon: BookUser, key: 'p' },
  { href: '/promises', label: t.pages.commitments, icon: Handshake, key: 'o' },
  { href: '/assistant', label: t.pages.assistant, icon: Sparkles, key: 'i' },
  { href: '/stream', label: t.pages.stream, icon: Radio, key: 'l', isRare: true },
  { href: '/insights', label: t.pages.insights, icon: ChartColumn, key: 'n', isRare: true },
  { href: '/audit', label: t.pages.audit, icon: ScanSearch, key: 'a', isRare: true },
  { href: '/settings', label: t.pages.settings, icon: Settings, key: 's' },
]

export const isWithin = (path: string, { href }: NavigationItem): boolean =>
  href === '/' ? path === '/' : path === href || path.startsWith(`${href}/`)

/** The pinned pages of this device, in order. */
export type PinnedPages = readonly NavigationItem[]

export const DEFAULT_PAGES: PinnedPages = NAVIGATION.filter(({ isRare }) => !isRare)

/** Small screens have this many tabs beside the More menu. */
export const TAB_COUNT = 4

const STORAGE_KEY = 'navigation'

/** Ignores pages that a later version removed. */
export const readPinnedPages = (browserStorage: BrowserStorage): PinnedPages => {
  const saved = browserStorage.read(STORAGE_KEY)?.split(' ') ?? []
  const pages = saved.flatMap((href) => NAVIGATION.find((page) => page.href === href) ?? [])
  return pages.length > 0 ? [...new Set(pages)] : DEFAULT_PAGES
}

export const savePinnedPages = (browserStorage: BrowserStorage, pages: PinnedPages): void => {
  const isDefault = pages.map(({ href }) => href).join() === DEFAULT_PAGES.map(({ href }) => href).join()
  browserStorage.write(STORAGE_KEY, isDefault ? null : pages.map(({ href }) => href).join(' '))
}

/** Swaps a pinned page with the one before or after it. */
export const movePage = (pages: PinnedPages, page: NavigationItem, by: -1 | 1): PinnedPages => {
  const from = pages.indexOf(page)
  const other = pages[from + by]
  if (from === -1 || !other) return pages
  return pages.map((each) => (each === page ? other : each === other ? page : each))
}
