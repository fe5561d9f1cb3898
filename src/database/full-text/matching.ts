import { entryWords, type Phrase, type WordQuery } from './full-text.ts'

/** An entry that is in no index yet, to be looked through as the index would be. */
export interface Entry {
  /** Whether the phrase stands in it. */
  has(phrase: Phrase): boolean
}

interface Column {
  words: ReadonlySet<string>
  /** All of them in their order, between blanks. */
  text: string
}

const columnOf = (text: string | undefined): Column => {
  const words = entryWords(text)
  return { words: new Set(words), text: ` ${words.join(' ')} ` }
}

const standsIn = ({ words, text }: Column, { words: sought, isPrefix }: Phrase): boolean => {
  const whole = isPrefix ? sought.slice(0, -1) : sought
  if (!whole.every((word) => words.has(word))) return false
  if (sought.length === 1 && !isPrefix) return true
  // No word has a blank in it: between blanks, a phrase stands where its words do.
  return text.includes(` ${sought.join(' ')}${isPrefix ? '' : ' '}`)
}

/** Each column is cut into words when it is first asked for: most are never asked. */
export const entryOf = (texts: Readonly<Record<string, string>>): Entry => {
  const cut = new Map<string, Column>()
  const columns = Object.keys(texts)
  const read = (name: string): Column => {
    const column = cut.get(name) ?? columnOf(texts[name])
    cut.set(name, column)
    return column
  }
  return {
    has: (phrase) =>
      (phrase.column === undefined ? columns : [phrase.column]).some((name) => standsIn(read(name), phrase)),
  }
}

export const matchesEntry = (entry: Entry, { all, none }: WordQuery): boolean =>
  all.every((phrase) => entry.has(phrase)) && !none.some((phrase) => entry.has(phrase))
