import { LONGEST_TEXT, type Token, tokenize } from './tokens.ts'

/** A text as it is read: its tokens, and its own words with every offset kept. */
export interface Prose {
  text: string
  tokens: readonly Token[]
}

const LINKS = /https?:\/\/[^\s<>"]{1,2000}/g
const ADDRESSES = /https?:\/\/[^\s<>"]{1,2000}|(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{1,190}/g

/** Addresses are no prose: they are blotted out. */
export const proseOf = (whole: string): Prose => {
  const start = whole.slice(0, LONGEST_TEXT)
  const text = start.replace(start.includes('@') ? ADDRESSES : LINKS, (link) => '\u0001'.repeat(link.length))
  return { text, tokens: tokenize(text) }
}
