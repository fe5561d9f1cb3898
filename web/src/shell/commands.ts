import type { LucideIcon } from 'lucide-react'
import { useEffect, useRef } from 'react'

/** A command of the palette. It has `run`, `href` or `choices`. */
export interface Command {
  /** Stable, because the palette remembers recent commands by it. */
  id: string
  label: string
  icon: LucideIcon
  /** The keys that do the same, in order: `['g', 'm']`. */
  keys?: readonly string[]
  /** Additional search words. */
  keywords?: string
  /** Displayed at the right, such as a date. */
  note?: string
  run?: () => void
  href?: string
  /** History state of the page at `href`. */
  state?: unknown
  /** A second list, such as the tags to add. It gets the typed text, so that a new tag can be offered. */
  choices?: (typed: string) => readonly Command[]
}

export interface CommandGroup {
  /** Names what the commands act on, such as the subject of the open email. */
  title: string
  commands: readonly Command[]
}

type ReadCommands = () => readonly CommandGroup[]

const sources = new Set<{ current: ReadCommands }>()

/**
 * Adds the commands of a page to the palette. They are read each time the palette opens, because they depend on the
 * selection and the focused row.
 */
export const useCommands = (read: ReadCommands): void => {
  const latest = useRef(read)
  latest.current = read
  useEffect(() => {
    sources.add(latest)
    return () => {
      sources.delete(latest)
    }
  }, [])
}

/** Groups with the same title become one: a list and its open item both have commands for that item. */
export const readCommands = (): readonly CommandGroup[] => {
  const byTitle = new Map<string, Command[]>()
  for (const { title, commands } of [...sources].flatMap(({ current }) => current()))
    byTitle.set(title, [...(byTitle.get(title) ?? []), ...commands])
  return [...byTitle]
    .map(([title, commands]) => ({ title, commands }))
    .filter(({ commands }) => commands.length > 0)
}
