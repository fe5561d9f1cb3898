import { smallOf } from '../small-letters.ts'

/** A word, a run of digits, or one other character; `text` is in lower case. */
export interface Token {
  text: string
  start: number
  end: number
  kind: 'word' | 'number' | 'mark'
  /** White space stands before it. */
  apart: boolean
  capital: boolean
}

const LETTER = /\p{L}/u
const BLANK = /\s/

/** The plain ones without a look into the tables. */
const isLetter = (code: number): boolean =>
  code < 128 ? (code | 32) >= 97 && (code | 32) <= 122 : LETTER.test(String.fromCodePoint(code))
const isDigit = (code: number): boolean => code >= 48 && code <= 57
const isBlank = (code: number): boolean =>
  code < 128 ? code === 32 || (code >= 9 && code <= 13) : BLANK.test(String.fromCodePoint(code))
const isApostrophe = (code: number): boolean => code === 39 || code === 0x2019

/** Where the word that begins here ends: letters, and apostrophes between them. */
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

/** "tomorrow's" is tomorrow. */
export const baseOf = (word: string): string => (word.endsWith("'s") ? word.slice(0, -2) : word)

/** Longer texts are read in part: no person names times after a hundred pages, and a machine must not keep us. */
export const LONGEST_TEXT = 100_000

/** Splits between letters and digits too, so that "3pm" and "14april" are two tokens each. */
export const tokenize = (whole: string): Token[] => {
  const text = whole.slice(0, LONGEST_TEXT)
  const small = smallOf(text)
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
    const lower = small.slice(start, end)
    // Letters have two cases; the scripts that know only one name no times here.
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
      apart: start > before || start === 0,
      capital: kind === 'word' && code !== lower.codePointAt(0),
    })
    before = end
    start = end
  }
  return tokens
}
