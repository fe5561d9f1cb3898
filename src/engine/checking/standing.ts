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

/** As a reader takes it: white space, quotation marks, dashes and case make no difference. Each unit with its place. */
const plain = (text: string): { words: string; places: number[] } => {
  let words = ''
  const places: number[] = []
  for (let index = 0; index < text.length; index++) {
    const sign = text[index] as string
    if (/\s/.test(sign)) {
      if (words === '' || words.endsWith(' ')) continue
      words += ' '
    } else {
      const lower = (PLAIN[sign] ?? sign).toLowerCase()
      // What grows in lower case keeps its place as it is.
      words += lower.length === 1 ? lower : sign
    }
    places.push(index)
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
