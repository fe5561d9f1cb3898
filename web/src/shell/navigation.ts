import {
  CalendarDays,
  House,
  ListChecks,
  type LucideIcon,
  Mail,
  Radio,
  ScanSearch,
  Settings,
  Sparkles,
} from 'lucide-react'

/** Pages of the main navigation, in order. `g` followed by `key` opens the page. */
export interface NavigationItem {
  href: string
  label: string
  icon: LucideIcon
  key: string
}

export const NAVIGATION: readonly NavigationItem[] = [
  { href: '/', label: 'Home', icon: House, key: 'h' },
  { href: '/mail', label: 'Mail', icon: Mail, key: 'm' },
  { href: '/calendar', label: 'Calendar', icon: CalendarDays, key: 'c' },
  { href: '/tasks', label: 'Tasks', icon: ListChecks, key: 't' },
  { href: '/assistant', label: 'Assistant', icon: Sparkles, key: 'i' },
  { href: '/stream', label: 'Stream', icon: Radio, key: 'l' },
  { href: '/audit', label: 'Audit', icon: ScanSearch, key: 'a' },
  { href: '/settings', label: 'Settings', icon: Settings, key: 's' },
]

export const isWithin = (path: string, { href }: NavigationItem): boolean =>
  href === '/' ? path === '/' : path === href || path.startsWith(`${href}/`)
