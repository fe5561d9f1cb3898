import { readSections } from './sections.ts'

/** A star stands for letters, an ellipsis for words of the same sentence. */
const toSource = (phrase: string): string =>
  phrase
    .replace(/[.?+^$()[\]{}|\\/]/g, '\\$&')
    .replaceAll('*', '\\p{L}*')
    .replaceAll('…', '[^.\\n]{0,80}?')

/** Longer phrases match first. */
const toAlternatives = (phrases: readonly string[]): string =>
  `(?:${phrases
    .toSorted((a, b) => b.length - a.length)
    .map(toSource)
    .join('|')})`

/** Creates expressions from the sections of a word list. Loads the list on the first use. */
export const createWordPatterns = (file: URL) => {
  const patterns = new Map<string, RegExp>()
  let sections: ReadonlyMap<string, string> | undefined

  /** Compiles an expression, in which `{{heading}}` stands for the phrases of a section. */
  const patternOf = (source: string, flags = 'iu'): RegExp => {
    const key = `${flags}/${source}`
    const known = patterns.get(key)
    if (known) return known
    sections ??= new Map(readSections(file).map(({ heading, phrases }) => [heading, toAlternatives(phrases)]))
    const words = sections
    const pattern = new RegExp(
      source.replace(/\{\{(.+?)\}\}/g, (_, heading: string) => words.get(heading) as string),
      flags,
    )
    patterns.set(key, pattern)
    return pattern
  }

  /** Matches a phrase of a section as whole words. */
  const wordsOf = (heading: string, flags?: string): RegExp =>
    patternOf(`(?<!\\p{L}){{${heading}}}(?!\\p{L})`, flags)

  return { patternOf, wordsOf }
}
