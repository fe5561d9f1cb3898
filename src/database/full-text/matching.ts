import { entryWords, type Phrase, type WordQuery } from './full-text.ts'

/** An entry that is in no index yet, to be looked through as the index would be. */
export interface Entry {
  /** Whether the phrase stands in it. */
  has(phrase: Phrase): boolean
}

/** Each column is cut into words when it is first asked for: most are never asked. */
export const entryOf = (texts: Readonly<Record<string, string>>): Entry => {
  const cut = new Map<string, string>()
  const wordsIn = (column: string): string => {
    const known = cut.get(column) ?? ` ${entryWords(texts[column]).join(' ')} `
    cut.set(column, known)
    return known
  }
  const columns = Object.keys(texts)
  return {
    has({ words, isPrefix, column }) {
      // No word has a blank in it: between blanks, a phrase stands where its words do.
      const sought = ` ${words.join(' ')}${isPrefix ? '' : ' '}`
      return (column === undefined ? columns : [column]).some((one) => wordsIn(one).includes(sought))
    },
  }
}

export const matchesEntry = (entry: Entry, { all, none }: WordQuery): boolean =>
  all.every((phrase) => entry.has(phrase)) && !none.some((phrase) => entry.has(phrase))
