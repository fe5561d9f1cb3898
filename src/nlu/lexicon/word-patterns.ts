import { readSections } from './sections.ts'

/** A star stands for letters, an ellipsis for words of the same sentence. */
const toSource = (phrase: string): string =>
  phrase
    .replace(/[.?+^$()[\]{}|\\/]/g, '\\$&')
    .replaceAll('*', '\\p{L}*')
    .replaceAll('…', '[^.\\n]{0,80}?')

/** Compiles sections of a word list to expressions. Loads the list on the first use. */
export const createWordPatterns = (file: URL) => {
  const patterns = new Map<string, RegExp>()
  let sources: ReadonlyMap<string, string> | undefined

  /** Returns the phrases of a section as alternatives of an expression, longer phrases first. */
  const alternatives = (heading: string): string => {
    sources ??= new Map(
      readSections(file).map(({ heading: name, phrases }) => [
        name,
        `(?:${phrases
          .toSorted((a, b) => b.length - a.length)
          .map(toSource)
          .join('|')})`,
      ]),
    )
    return sources.get(heading) as string
  }

  /** Matches a phrase of a section as whole words. */
  const wordsOf = (heading: string, flags = 'iu'): RegExp => {
    const key = `${heading}/${flags}`
    const pattern = patterns.get(key) ?? new RegExp(`(?<!\\p{L})${alternatives(heading)}(?!\\p{L})`, flags)
    patterns.set(key, pattern)
    return pattern
  }

  return { alternatives, wordsOf }
}
