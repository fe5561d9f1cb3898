import { classesOf } from './word-classes.ts'
import { membershipsOf } from './word-groups.ts'

/** No sentence to an assistant is longer; the rest of a longer text is not read. */
const LONGEST = 400

/** Words, numbers by their length alone, and the question mark. */
export const wordsOf = (text: string): string[] =>
  (
    text
      .slice(0, LONGEST)
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[a-zß-ÿ]+(?:'[a-z]+)?|\d+|\?/g) ?? []
  ).map((word) => (/^\d/.test(word) ? (word.length > 2 ? '0000' : '00') : word))

/** Enough to find the kinds of "alarms" and "booked" by those of "alarm" and "book". */
const stemOf = (word: string): string =>
  word.length > 4 ? word.replace(/(?:ings?|ed|es|s|er|ly|'s)$/, '') : word.replace(/'s$/, '')

const byStem =
  (find: (word: string) => readonly string[]) =>
  (word: string): readonly string[] => {
    const found = find(word)
    return found.length > 0 ? found : find(stemOf(word))
  }

export const kindsOf = byStem(classesOf)
export const groupsOf = byStem(membershipsOf)

/** The runs of letters in a word, its ends marked. */
export const piecesOf = (word: string, shortest: number, longest: number): string[] => {
  const marked = `_${word}_`
  const pieces: string[] = []
  for (let length = shortest; length <= longest; length++)
    for (let at = 0; at + length <= marked.length; at++) pieces.push(marked.slice(at, at + length))
  return pieces
}
