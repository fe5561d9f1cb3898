import { CalendarPlus, ListPlus, type LucideIcon, Newspaper, PenLine, Settings } from 'lucide-react'
import { NAVIGATION } from '../../shell/navigation.ts'
import type { StartAction } from '../../shell/start-action.ts'
import { findSettings } from '../settings/search.ts'

/** One search result: a link or an action. */
export interface Entry {
  key: string
  icon: LucideIcon
  label: string
  note?: string
  href?: string
  startAction?: StartAction
  act?: () => void
}

export interface Group {
  title: string
  entries: readonly Entry[]
}

const CREATE_ACTIONS: readonly (Entry & { words: string })[] = [
  {
    key: 'new-email',
    icon: PenLine,
    label: 'New e-mail',
    href: '/mail/inbox/new',
    words: 'write compose mail message',
  },
  {
    key: 'new-event',
    icon: CalendarPlus,
    label: 'New event',
    href: '/calendar',
    startAction: 'event',
    words: 'meeting appointment calendar create add',
  },
  {
    key: 'new-task',
    icon: ListPlus,
    label: 'New task',
    href: '/tasks',
    startAction: 'task',
    words: 'todo reminder create add',
  },
]

const PAGES: readonly (Entry & { words: string })[] = [
  ...NAVIGATION.map(({ href, label, icon }) => ({ key: href, icon, label, href, words: '' })),
  {
    key: '/mail/lists',
    icon: Newspaper,
    label: 'Mailing lists',
    href: '/mail/lists',
    words: 'newsletters unsubscribe',
  },
]

const MAX_SETTINGS = 5

const beginsWith = (text: string, query: string): boolean => {
  const known = text.toLowerCase().split(/[\s-]+/)
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean)
  return wanted.every((word) => known.some((each) => each.startsWith(word)))
}

/** Pages and create actions that match the query; all of them for an empty query. */
export const findPages = (query: string): readonly Entry[] => {
  const fits = ({ label, words }: { label: string; words: string }) => beginsWith(`${label} ${words}`, query)
  return [...CREATE_ACTIONS.filter(fits), ...PAGES.filter(fits)]
}

export const settingsFor = (query: string): readonly Entry[] =>
  findSettings(query)
    .slice(0, MAX_SETTINGS)
    .map(({ href, label, within }) => ({
      key: href,
      icon: Settings,
      label,
      ...(within !== label && { note: within }),
      href,
    }))
