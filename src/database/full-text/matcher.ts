import { entryWords, type Phrase, type WordQuery } from './full-text.ts'

/** An entry that is not indexed yet, matched with the rules of the index. */
export interface Entry {
  /** Whether the entry contains the phrase. */
  has(phrase: Phrase): boolean
}

interface Column {
  words: ReadonlySet<string>
  /** All words in order, separated by spaces. */
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
  // Words contain no spaces, so text search between spaces finds exactly the phrase.
  return text.includes(` ${sought.join(' ')}${isPrefix ? '' : ' '}`)
}

/** Splits a column into words on first use, because most columns are never used. */
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
