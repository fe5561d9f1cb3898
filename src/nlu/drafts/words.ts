import { readSections } from '../lexicon/sections.ts'

export type Language = 'en' | 'de'
export type Tone = 'formal' | 'friendly' | 'brief'

/** Returns a phrase of a reply. Brackets mark placeholders that the user fills in. */
export type Words = (name: string, values?: Readonly<Record<string, string>>) => string

const FILE = new URL('../lexicon/replies.txt', import.meta.url)

let loaded: ReadonlyMap<string, readonly string[]> | undefined

/** `familiar` selects the German "du" instead of "Sie". */
export const wordsFor = (language: Language, tone: Tone, familiar: boolean): Words => {
  loaded ??= new Map(readSections(FILE).map(({ heading, phrases }) => [heading, phrases]))
  const sections = loaded
  const isPolite = language === 'de' && (!familiar || tone === 'formal')
  const headings = [language, ...(isPolite ? ['de polite'] : []), `${language} ${tone}`]
  const phrases = new Map(
    headings
      .flatMap((heading) => sections.get(heading) ?? [])
      .map((line) => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon), line.slice(colon + 1).trim()]
      }),
  )
  return (name, values = {}) =>
    (phrases.get(name) ?? '').replace(/\{(\w+)\}/g, (_, key: string) => values[key] ?? '')
}

/** Joins alternatives: "Monday, Tuesday or Friday". */
export const joinWithOr = (items: readonly string[], words: Words): string =>
  items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} ${words('or')} ${items.at(-1)}`
