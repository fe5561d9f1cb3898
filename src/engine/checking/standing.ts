import type { Piece } from '../meetings/piece.ts'

const PLAIN: Readonly<Record<string, string>> = {
  '“': '"',
  '”': '"',
  '„': '"',
  '«': '"',
  '»': '"',
  '‘': "'",
  '’': "'",
  '–': '-',
  '—': '-',
  '‐': '-',
  '‑': '-',
}

/** White space, letters of plain ASCII, whatever else there is: the first two can be taken as they come, many at once. */
const RUNS = /\s+|[!-~]+|[^\s!-~]+/g

const plainSign = (sign: string): string => {
  const lower = (PLAIN[sign] ?? sign).toLowerCase()
  // What grows in lower case keeps its place as it is.
  return lower.length === 1 ? lower : sign
}

/** As a reader takes it: white space, quotation marks, dashes and case make no difference. Each unit with its place. */
const plain = (text: string): { words: string; places: number[] } => {
  let words = ''
  const places: number[] = []
  for (const { 0: run, index } of text.matchAll(RUNS)) {
    if (/^\s/.test(run)) {
      if (words === '') continue
      words += ' '
      places.push(index)
      continue
    }
    if (/^[!-~]/.test(run)) words += run.toLowerCase()
    else for (const sign of run.split('')) words += plainSign(sign)
    for (let at = index; at < index + run.length; at++) places.push(at)
  }
  return { words, places }
}

export const plainOf = (text: string): string => plain(text).words.trim()

/** What is longer is no quotation. */
const LONGEST_QUOTE = 2_000

/** Where words stand in a text, in the text's own writing; undefined when they do not. */
export const createFinder = (text: string): ((quote: string) => Piece | undefined) => {
  const { words, places } = plain(text)
  return (quote) => {
    const wanted = plainOf(quote.slice(0, LONGEST_QUOTE))
      .replace(/^["'.…\s]+|["'…\s]+$/g, '')
      .trim()
    const at = wanted === '' ? -1 : words.indexOf(wanted)
    if (at < 0) return undefined
    const from = places[at] as number
    return { text: text.slice(from, (places[at + wanted.length - 1] as number) + 1), offset: from }
  }
}
