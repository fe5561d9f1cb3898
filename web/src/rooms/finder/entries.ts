import { CalendarPlus, ListPlus, type LucideIcon, Newspaper, PenLine, Settings } from 'lucide-react'
import type { Asked } from '../../shell/asked.ts'
import { ROOMS } from '../../shell/rooms.ts'
import { findSettings } from '../settings/finding.ts'

/** One line of what was found: it leads somewhere, or does something. */
export interface Entry {
  key: string
  icon: LucideIcon
  label: string
  note?: string
  href?: string
  asked?: Asked
  act?: () => void
}

export interface Group {
  title: string
  entries: readonly Entry[]
}

const BEGINNINGS: readonly (Entry & { words: string })[] = [
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
    asked: 'event',
    words: 'meeting appointment calendar create add',
  },
  {
    key: 'new-task',
    icon: ListPlus,
    label: 'New task',
    href: '/tasks',
    asked: 'task',
    words: 'todo reminder create add',
  },
]

const GOING: readonly (Entry & { words: string })[] = [
  ...ROOMS.map(({ href, label, icon }) => ({ key: href, icon, label, href, words: '' })),
  {
    key: '/mail/lists',
    icon: Newspaper,
    label: 'Mailing lists',
    href: '/mail/lists',
    words: 'newsletters unsubscribe',
  },
]

const MOST_SETTINGS = 5

const beginsWith = (text: string, query: string): boolean => {
  const known = text.toLowerCase().split(/[\s-]+/)
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean)
  return wanted.every((word) => known.some((each) => each.startsWith(word)))
}

/** Where one can go and what one can begin; with words, what goes by them. */
export const placesFor = (query: string): readonly Entry[] => {
  const fits = ({ label, words }: { label: string; words: string }) => beginsWith(`${label} ${words}`, query)
  return [...BEGINNINGS.filter(fits), ...GOING.filter(fits)]
}

export const settingsFor = (query: string): readonly Entry[] =>
  findSettings(query)
    .slice(0, MOST_SETTINGS)
    .map(({ href, label, within }) => ({
      key: href,
      icon: Settings,
      label,
      ...(within !== label && { note: within }),
      href,
    }))
