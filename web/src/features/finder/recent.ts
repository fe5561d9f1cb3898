import { CalendarDays, ListChecks, type LucideIcon, Mail, Settings } from 'lucide-react'
import { useProfile } from '../../api/account.ts'
import { useServices } from '../../api/context.tsx'
import type { Command } from '../../shell/commands.ts'

/** A recently chosen command or item. Items have an address; a command is found by its id. */
interface RecentEntry {
  id: string
  label: string
  href?: string
}

const MAX_STORED = 20

/** Icons of items by the prefix of their id. */
const ITEM_ICONS: Readonly<Record<string, LucideIcon>> = {
  email: Mail,
  task: ListChecks,
  event: CalendarDays,
  setting: Settings,
}

const isEntry = (value: unknown): value is RecentEntry =>
  typeof value === 'object' && value !== null && 'id' in value && 'label' in value

const parseEntries = (text: string | null): RecentEntry[] => {
  try {
    const value: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(value) ? value.filter(isEntry) : []
  } catch {
    return []
  }
}

/** The recently chosen commands and items of the account, newest first. */
export const useRecent = () => {
  const { browserStorage } = useServices()
  const id = useProfile().data?.value.id
  const name = `recent-commands.${id ?? ''}`
  const entries = parseEntries(browserStorage.read(name))
  return {
    ids: entries.map((entry) => entry.id),
    /** Commands that exist here and now, and items. */
    listCommands(commands: readonly Command[], limit: number): readonly Command[] {
      return entries
        .flatMap((entry): Command[] => {
          const command = commands.find((each) => each.id === entry.id)
          if (command) return [command]
          const icon = ITEM_ICONS[entry.id.split('-', 1)[0] ?? '']
          return icon && entry.href !== undefined
            ? [{ id: entry.id, label: entry.label, icon, href: entry.href }]
            : []
        })
        .slice(0, limit)
    },
    add({ id: chosen, label, href }: Command): void {
      const entry: RecentEntry = { id: chosen, label, ...(href !== undefined && { href }) }
      const rest = entries.filter((each) => each.id !== chosen)
      browserStorage.write(name, JSON.stringify([entry, ...rest].slice(0, MAX_STORED)))
    },
  }
}
