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

/** Letters have two cases; the scripts that know only one name no times here. */
const kindOf = (raw: string, lower: string): Token['kind'] => {
  const first = lower.charCodeAt(0)
  if (first >= 97 && first <= 122) return 'word'
  if (first >= 48 && first <= 57) return 'number'
  return lower === raw.toUpperCase() ? 'mark' : 'word'
}

/** Longer texts are read in part: no person names times after a hundred pages, and a machine must not keep us. */
export const LONGEST_TEXT = 100_000

/** Splits between letters and digits too, so that "3pm" and "14april" are two tokens each. */
export const tokenize = (text: string): Token[] => {
  const tokens: Token[] = []
  let before = 0
  for (const match of text.slice(0, LONGEST_TEXT).matchAll(PIECE)) {
    const raw = match[0]
    const lower = raw.toLowerCase()
    const kind = kindOf(raw, lower)
    const start = match.index
    const end = start + raw.length
    tokens.push({
      text: lower.includes('’') ? lower.replace('’', "'") : lower,
      start,
      end,
      kind,
      apart: start > before || start === 0,
      capital: kind === 'word' && raw.charCodeAt(0) !== lower.charCodeAt(0),
    })
    before = end
  }
  return tokens
}
