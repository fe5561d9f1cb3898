import type { Group } from './sections.ts'

export interface FoundSetting {
  href: string
  label: string
  /** The section of the setting. */
  within: string
}

/** Ignores case and accents: `prasenz` finds `Präsenz`. */
const toWords = (text: string): string[] =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)

/**
 * Matches when every typed word is a prefix of a word of the entry. Entries whose label matches come before those that
 * only a keyword matches.
 */
export const findSettings = (query: string, groups: readonly Group[]): readonly FoundSetting[] => {
  const wanted = toWords(query)
  const matches = (text: string): boolean => {
    const known = toWords(text)
    return wanted.every((word) => known.some((entry) => entry.startsWith(word)))
  }
  const found = groups.flatMap(({ label: group, sections }) =>
    sections.flatMap(({ path, label: within, cards }) =>
      cards
        .filter(({ label, keywords }) => matches(`${label} ${within} ${group} ${keywords}`))
        .map(({ id, label }) => ({ href: `/settings/${path}#${id}`, label, within })),
    ),
  )
  return [...found.filter(({ label }) => matches(label)), ...found.filter(({ label }) => !matches(label))]
}
