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

const PIECE = /\p{L}+(?:['’]\p{L}+)*|\d+|[^\s\p{L}\d]/gu

/** Splits between letters and digits too, so that "3pm" and "14april" are two tokens each. */
export const tokenize = (text: string): Token[] => {
  const tokens: Token[] = []
  let before = 0
  for (const match of text.matchAll(PIECE)) {
    const raw = match[0]
    const first = raw.charCodeAt(0)
    const kind =
      first >= 48 && first <= 57 ? 'number' : raw.toLowerCase() === raw.toUpperCase() ? 'mark' : 'word'
    tokens.push({
      text: raw.toLowerCase().replace('’', "'"),
      start: match.index,
      end: match.index + raw.length,
      kind,
      apart: match.index > before || match.index === 0,
      capital: kind === 'word' && raw[0] !== raw[0]?.toLowerCase(),
    })
    before = match.index + raw.length
  }
  return tokens
}
