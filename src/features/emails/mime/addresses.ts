import { decodeWords } from './encoded-words.ts'

export interface Address {
  name: string
  address: string
}

/*
 * RFC 5322, 3.4, with the obsolete forms, and what people write instead: unquoted dots and commas' neighbours in
 * names, a semicolon for a comma, an angle bracket that never closes. Nothing is refused; what cannot be an address
 * is a name without one.
 */

type Token =
  | { kind: 'text' | 'quoted' | 'comment' | 'angle'; text: string; gap: string }
  | { kind: 'mark'; text: ',' | ';' | ':'; gap: string }

const WORD = /[^\s"(<,;:]{1,1000}/y
const QUOTED_PART = /\s*"(?:[^"\\]|\\.){1,1000}"(?=@)/y
const ENCODED_WORD = /=\?[^?\s]{0,80}\?[bq]\?(?:[^?]|\?(?!=)){0,2000}\?=/iy

/** Reads `text` from after `open` to the `close` that belongs to it. */
const readUntil = (
  text: string,
  from: number,
  open: string,
  close: string,
): { inner: string; end: number } => {
  let depth = 1
  let inner = ''
  let at = from
  for (; at < text.length; at++) {
    const character = text[at] as string
    if (character === '\\' && at + 1 < text.length) {
      inner += text[++at]
      continue
    }
    if (character === close && --depth === 0) return { inner, end: at + 1 }
    if (character === open && open !== close) depth++
    inner += character
  }
  return { inner, end: at }
}

/** Of `"john (joe) doe"` in `"john (joe) doe"@example.org`, which holds no comment and no end. */
const quotedLength = (text: string, from: number): number => {
  QUOTED_PART.lastIndex = from
  return QUOTED_PART.exec(text)?.[0].length ?? 0
}

const tokensOf = (field: string): Token[] => {
  const tokens: Token[] = []
  let at = 0
  /** The space before the next token. */
  let gap = ''
  while (at < field.length) {
    const character = field[at] as string
    if (/[ \t\r\n]/.test(character)) {
      gap += character
      at++
      continue
    }
    if (character === '"' || character === '(') {
      const close = character === '"' ? '"' : ')'
      const { inner, end } = readUntil(field, at + 1, character, close)
      tokens.push({ kind: character === '"' ? 'quoted' : 'comment', text: inner, gap })
      at = end
    } else if (character === '<') {
      const end = field.indexOf('>', at + quotedLength(field, at + 1))
      // One that never closes ends where the next address begins.
      const comma = field.indexOf(',', at)
      const stop = end >= 0 ? end : comma >= 0 ? comma : field.length
      tokens.push({ kind: 'angle', text: field.slice(at + 1, stop), gap })
      at = end >= 0 ? stop + 1 : stop
    } else if (character === ',' || character === ';' || character === ':') {
      tokens.push({ kind: 'mark', text: character, gap })
      at++
    } else {
      ENCODED_WORD.lastIndex = at
      WORD.lastIndex = at
      const encoded = character === '=' ? ENCODED_WORD.exec(field)?.[0] : undefined
      const word = encoded ?? WORD.exec(field)?.[0] ?? character
      const cut = word.indexOf('=?', 1)
      const text = word.startsWith('=?') || cut < 0 ? word : word.slice(0, cut)
      tokens.push({ kind: 'text', text, gap })
      at += text.length
    }
    gap = ''
  }
  return tokens
}

const tidy = (text: string): string => decodeWords(text).replace(/\s+/g, ' ').trim()

/** Comments inside an angle address are not part of it. */
const withoutComments = (text: string, comments: string[]): string => {
  const quoted = quotedLength(text, 0)
  let rest = text.slice(quoted)
  let kept = text.slice(0, quoted)
  for (let open = rest.indexOf('('); open >= 0; open = rest.indexOf('(')) {
    const { inner, end } = readUntil(rest, open + 1, '(', ')')
    comments.push(inner)
    kept += rest.slice(0, open)
    rest = rest.slice(end)
  }
  return kept + rest
}

const joined = (tokens: readonly Token[]): string => tokens.map(({ text, gap }) => gap + text).join('')

/** One address out of the tokens between two commas. */
const addressOf = (tokens: readonly Token[]): Address | undefined => {
  const comments = tokens.filter(({ kind }) => kind === 'comment').map(({ text }) => text)
  const angle = tokens.find(({ kind }) => kind === 'angle')
  const rest = tokens.filter(({ kind }) => kind !== 'comment' && kind !== 'angle')
  const named = (phrase: string): string => {
    const comment = tidy(comments.join(' '))
    if (phrase === '') return comment
    return comment === '' ? phrase : `${phrase} (${comment})`
  }
  if (angle) {
    const address = withoutComments(angle.text, comments).trim()
    return { name: named(tidy(joined(rest))), address: decodeWords(address) }
  }
  if (rest.length === 0) return comments.length > 0 ? { name: named(''), address: '' } : undefined
  const at = rest.findIndex(({ kind, text }) => kind === 'text' && text.includes('@'))
  if (at >= 0) return { name: named(''), address: asWritten(rest) }
  return comments.length > 0
    ? { name: named(''), address: tidy(joined(rest)) }
    : { name: tidy(joined(rest)), address: '' }
}

const quote = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`

/** `"john doe"@example.org` keeps its quotes: without them it is no address. */
const asWritten = (tokens: readonly Token[]): string =>
  decodeWords(
    tokens.map(({ kind, text, gap }) => gap + (kind === 'quoted' ? quote(text) : text)).join(''),
  ).trim()

const MOST = 5_000

/** Every mailbox in an address field, those in groups too. */
export const readAddresses = (field: string): Address[] => {
  const addresses: Address[] = []
  let pending: Token[] = []
  const flush = (): void => {
    const address = addressOf(pending)
    if (address && (address.name !== '' || address.address !== '') && addresses.length < MOST)
      addresses.push(address)
    pending = []
  }
  for (const token of tokensOf(field)) {
    const last = pending.at(-1)
    if (token.kind === 'mark' && token.text === ':') {
      // A group's name; but a colon inside an address, as in a route or an IPv6 literal, is part of it.
      if (pending.some(({ text, kind }) => kind === 'text' && /[@[]/.test(text)))
        pending.push({ ...token, kind: 'text' })
      else pending = []
    } else if (token.kind === 'mark') flush()
    // Two addresses with nothing between them.
    else if (last?.kind === 'angle' && token.kind !== 'comment') {
      flush()
      pending.push(token)
    } else pending.push(token)
  }
  flush()
  return addresses
}
