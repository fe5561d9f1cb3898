import { smallOf } from '../text.ts'

/** A word, a run of digits, or one other character; `text` is in lower case. */
export interface Token {
  text: string
  start: number
  end: number
  kind: 'word' | 'number' | 'mark'
  /** Whitespace precedes the token, or it is the first one. */
  spaceBefore: boolean
  capitalized: boolean
}

const LETTER = /\p{L}/u
const BLANK = /\s/

/** Handles ASCII without a Unicode regular expression, for speed. */
const isLetter = (code: number): boolean =>
  code < 128 ? (code | 32) >= 97 && (code | 32) <= 122 : LETTER.test(String.fromCodePoint(code))
const isDigit = (code: number): boolean => code >= 48 && code <= 57
const isBlank = (code: number): boolean =>
  code < 128 ? code === 32 || (code >= 9 && code <= 13) : BLANK.test(String.fromCodePoint(code))
const isApostrophe = (code: number): boolean => code === 39 || code === 0x2019

/** Returns the end of a word: letters, and apostrophes between letters. */
const endOfWord = (text: string, start: number): number => {
  let at = start
  for (;;) {
    const code = text.codePointAt(at) ?? 0
    if (isLetter(code)) at += code > 0xffff ? 2 : 1
    else if (isApostrophe(code) && isLetter(text.codePointAt(at + 1) ?? 0)) at++
    else return at
  }
}

const endOfNumber = (text: string, start: number): number => {
  let at = start
  while (isDigit(text.charCodeAt(at))) at++
  return at
}

/** Removes a possessive ending: "tomorrow's" becomes "tomorrow". */
export const baseOf = (word: string): string => (word.endsWith("'s") ? word.slice(0, -2) : word)

/** Limits the work for hostile texts. No person names times after a hundred pages. */
export const MAX_TEXT_LENGTH = 100_000

/** Also splits between letters and digits, so that "3pm" and "14april" are two tokens each. */
export const tokenize = (whole: string): Token[] => {
  const text = whole.slice(0, MAX_TEXT_LENGTH)
  const lowerText = smallOf(text)
  const tokens: Token[] = []
  let before = 0
  for (let start = 0; start < text.length; ) {
    const code = text.codePointAt(start) as number
    if (isBlank(code)) {
      start++
      continue
    }
    const isWord = isLetter(code)
    const end = isWord
      ? endOfWord(text, start)
      : isDigit(code)
        ? endOfNumber(text, start)
        : start + (code > 0xffff ? 2 : 1)
    const lower = lowerText.slice(start, end)
    // Words need letters with two cases. No word of the lexicon uses a script without them.
    const kind = isDigit(code)
      ? 'number'
      : isWord && (code < 128 || lower !== text.slice(start, end).toUpperCase())
        ? 'word'
        : 'mark'
    tokens.push({
      text: lower.includes('’') ? lower.replace('’', "'") : lower,
      start,
      end,
      kind,
      spaceBefore: start > before || start === 0,
      capitalized: kind === 'word' && code !== lower.codePointAt(0),
    })
    before = end
    start = end
  }
  return tokens
}
