/*
 * Text as words, the same for both engines: neither's own idea of a word is asked, so that a search finds the same
 * on each. Letters and digits; accents folded; the scripts that set no spaces between words one character at a time,
 * so that any part of such a text can be found, as a phrase.
 */

const WORD = /[\p{L}\p{N}\p{M}_]+/gu
const ACCENTS = /[\u0300-\u036f]/g
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]\p{M}*/gu
const PIECE = new RegExp(`${UNSPACED.source}|(?:(?!${UNSPACED.source})[^ ])+`, 'gu')
const ASCII = /^[\0-\x7f]*$/
/** Letters that no decomposition takes apart. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  þ: 'th',
}
const LETTER = /[ßæœøđðħıłþ]/g
/** No engine takes longer ones well, and nobody types them. */
const LONGEST_WORD = 64

/** Lower case, without accents, compatibility forms made plain. */
export const foldText = (text: string): string =>
  ASCII.test(text)
    ? text.toLowerCase()
    : text
        .normalize('NFKD')
        .replace(ACCENTS, '')
        .toLowerCase()
        .replace(LETTER, (letter) => LETTERS[letter] ?? letter)
        .normalize('NFC')

/** V8's regular expressions overflow the stack on a run of some millions of letters, so texts are read in parts. */
const LONGEST_PART = 32_768

/** The parts of a text, cut at a blank where one is there, else anywhere but inside a surrogate pair. */
function* partsOf(text: string): Generator<{ part: string; start: number }> {
  for (let start = 0; start < text.length; ) {
    const part = text.slice(start, start + LONGEST_PART)
    const isLast = start + part.length >= text.length
    const blank = isLast ? -1 : Math.max(part.lastIndexOf(' '), part.lastIndexOf('\n'))
    const isPairCut = !isLast && blank <= 0 && /[\ud800-\udbff]$/.test(part)
    const length = blank > 0 ? blank : part.length - (isPairCut ? 1 : 0)
    yield { part: length === part.length ? part : part.slice(0, length), start }
    start += length
  }
}

const addWords = (words: string[], text: string, most: number): void => {
  for (const [run] of foldText(text).matchAll(WORD)) {
    if (words.length >= most) return
    if (ASCII.test(run)) {
      for (const word of run.split('_')) if (word !== '') words.push(word.slice(0, LONGEST_WORD))
      continue
    }
    for (const piece of run.replaceAll('_', ' ').replace(UNSPACED, ' $& ').split(' '))
      if (piece !== '') words.push(piece.slice(0, LONGEST_WORD))
  }
}

/** A UTF-16 unit takes three bytes of UTF-8 at most. */
const MOST_BYTES_A_UNIT = 3
/** What an index keeps beside a word, its first position included; and for each further position. */
const BYTES_BESIDE = 6
const BYTES_A_POSITION = 2

/** How many of the words, from the first on, fit into so many bytes of an index. */
const countFitting = (words: readonly string[], bytes: number): number => {
  let most = 0
  for (const word of words) most += word.length * MOST_BYTES_A_UNIT + BYTES_BESIDE
  if (most <= bytes) return words.length
  const seen = new Set<string>()
  let used = 0
  for (const [index, word] of words.entries()) {
    used += seen.has(word) ? BYTES_A_POSITION : Buffer.byteLength(word) + BYTES_BESIDE
    if (used > bytes) return index
    seen.add(word)
  }
  return words.length
}

export interface WordBounds {
  /** Characters of the text, in UTF-16 units. */
  units: number
  words: number
  /** In UTF-8, with what an index keeps beside each word. */
  bytes: number
}

const NO_BOUNDS: WordBounds = {
  units: Number.POSITIVE_INFINITY,
  words: Number.POSITIVE_INFINITY,
  bytes: Number.POSITIVE_INFINITY,
}

/** The words of a text in their order, as many as `bounds` allow. No more of the text is read than that takes. */
export const wordsOf = (text: string, bounds = NO_BOUNDS): string[] => {
  const words: string[] = []
  for (const { part, start } of partsOf(text)) {
    if (start >= bounds.units) break
    addWords(words, part, bounds.words)
    if (words.length >= bounds.words) break
  }
  const count = Math.min(bounds.words, countFitting(words, bounds.bytes))
  return words.length > count ? words.slice(0, count) : words
}

/** The words of a text with where each stands in it; a character of an unspaced script is a word of its own. */
export function* placedWords(text: string): Generator<{ word: string; start: number; end: number }> {
  for (const { part, start } of partsOf(text))
    for (const { 0: run, index } of part.matchAll(WORD)) {
      const words = wordsOf(run)
      const from = start + index
      if (words.length === 1) yield { word: words[0] as string, start: from, end: from + run.length }
      else if (words.length > 1)
        for (const { 0: piece, index: at } of run.replaceAll('_', ' ').matchAll(PIECE))
          for (const word of wordsOf(piece)) yield { word, start: from + at, end: from + at + piece.length }
    }
}
