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

/** Pages of the main navigation, in order. `g` followed by `key` opens the page. */
export interface NavigationItem {
  href: string
  label: string
  icon: LucideIcon
  key: string
  /** A tab on small screens. The other pages are in the More menu there. */
  isTab?: true
}

export const NAVIGATION: readonly NavigationItem[] = [
  { href: '/', label: t.pages.home, icon: HomeIcon, key: 'h', isTab: true },
  { href: '/mail', label: t.pages.mail, icon: Mail, key: 'm', isTab: true },
  { href: '/calendar', label: t.pages.calendar, icon: CalendarDays, key: 'c', isTab: true },
  { href: '/tasks', label: t.pages.tasks, icon: ListChecks, key: 't', isTab: true },
  { href: '/contacts', label: t.pages.contacts, icon: BookUser, key: 'p' },
  { href: '/promises', label: t.pages.promises, icon: Handshake, key: 'o' },
  { href: '/assistant', label: t.pages.assistant, icon: Sparkles, key: 'i' },
  { href: '/stream', label: t.pages.stream, icon: Radio, key: 'l' },
  { href: '/insights', label: t.pages.insights, icon: ChartColumn, key: 'n' },
  { href: '/audit', label: t.pages.audit, icon: ScanSearch, key: 'a' },
  { href: '/settings', label: t.pages.settings, icon: Settings, key: 's' },
]

export const isWithin = (path: string, { href }: NavigationItem): boolean =>
  href === '/' ? path === '/' : path === href || path.startsWith(`${href}/`)
