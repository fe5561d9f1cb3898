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

/** The rooms of the console, in the order of the navigation. `key` goes there after `g`. */
export interface Room {
  href: string
  label: string
  icon: LucideIcon
  key: string
}

export const ROOMS: readonly Room[] = [
  { href: '/', label: 'Home', icon: House, key: 'h' },
  { href: '/mail', label: 'Mail', icon: Mail, key: 'm' },
  { href: '/calendar', label: 'Calendar', icon: CalendarDays, key: 'c' },
  { href: '/tasks', label: 'Tasks', icon: ListChecks, key: 't' },
  { href: '/assistant', label: 'Assistant', icon: Sparkles, key: 'i' },
  { href: '/stream', label: 'Stream', icon: Radio, key: 'l' },
  { href: '/audit', label: 'Audit', icon: ScanSearch, key: 'a' },
  { href: '/settings', label: 'Settings', icon: Settings, key: 's' },
]

export const isWithin = (path: string, { href }: Room): boolean =>
  href === '/' ? path === '/' : path === href || path.startsWith(`${href}/`)
