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

/** The words of a text in their order, `most` of them at most. */
export const wordsOf = (text: string, most = Number.POSITIVE_INFINITY): string[] => {
  const words: string[] = []
  for (const [run] of foldText(text).matchAll(WORD)) {
    if (words.length >= most) break
    if (ASCII.test(run)) {
      for (const word of run.split('_')) if (word !== '') words.push(word.slice(0, LONGEST_WORD))
      continue
    }
    for (const piece of run.replaceAll('_', ' ').replace(UNSPACED, ' $& ').split(' '))
      if (piece !== '') words.push(piece.slice(0, LONGEST_WORD))
  }
  return words.length > most ? words.slice(0, most) : words
}

/** The words of a text with where each stands in it; a character of an unspaced script is a word of its own. */
export function* placedWords(text: string): Generator<{ word: string; start: number; end: number }> {
  for (const { 0: run, index } of text.matchAll(WORD)) {
    const words = wordsOf(run)
    if (words.length === 1) yield { word: words[0] as string, start: index, end: index + run.length }
    else if (words.length > 1)
      for (const { 0: piece, index: at } of run.replaceAll('_', ' ').matchAll(PIECE))
        for (const word of wordsOf(piece)) yield { word, start: index + at, end: index + at + piece.length }
  }
}
