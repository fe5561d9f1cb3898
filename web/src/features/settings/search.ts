import { SECTIONS } from './sections.ts'

export interface FoundSetting {
  href: string
  label: string
  within: string
}

/** Matches when every typed word is a prefix of a word of the entry. */
export const findSettings = (query: string): readonly FoundSetting[] => {
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean)
  return SECTIONS.flatMap(({ path, label: within, finds }) =>
    finds
      .filter(({ label, words }) => {
        const known = `${label} ${within} ${words}`.toLowerCase().split(/[\s,]+/)
        return wanted.every((word) => known.some((entry) => entry.startsWith(word)))
      })
      .map(({ id, label }) => ({ href: `/settings/${path}#${id}`, label, within })),
  )
}
