import { decodeWords, encodedWordAt } from './encoded-words.ts'

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
const QUOTED_PART = /\s*"(?:[^"\\]|\\.){1,200}"(?=@)/y

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

function* tokensOf(field: string): Generator<Token> {
  // Looked for once: many brackets that never close would each look through the rest of the field.
  const lastClose = field.lastIndexOf('>')
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
      yield { kind: character === '"' ? 'quoted' : 'comment', text: inner, gap }
      at = end
    } else if (character === '<') {
      const end = at > lastClose ? -1 : field.indexOf('>', at + quotedLength(field, at + 1))
      // One that never closes ends where the next address begins.
      const comma = field.indexOf(',', at)
      const stop = end >= 0 ? end : comma >= 0 ? comma : field.length
      yield { kind: 'angle', text: field.slice(at + 1, stop), gap }
      at = end >= 0 ? stop + 1 : stop
    } else if (character === ',' || character === ';' || character === ':') {
      yield { kind: 'mark', text: character, gap }
      at++
    } else {
      WORD.lastIndex = at
      const encoded = character === '=' ? encodedWordAt(field, at) : undefined
      const word = encoded ? field.slice(at, encoded.end) : (WORD.exec(field)?.[0] ?? character)
      const cut = word.indexOf('=?', 1)
      const text = word.startsWith('=?') || cut < 0 ? word : word.slice(0, cut)
      yield { kind: 'text', text, gap }
      at += text.length
    }
    gap = ''
  }
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

/** Entries of a field, empty ones included. */
const MOST = 2_000

/** Every mailbox in an address field, those in groups too. */
export const readAddresses = (field: string): Address[] => {
  const addresses: Address[] = []
  let pending: Token[] = []
  /** Whether the pending tokens look like an address: a colon is then part of it. */
  let hasAddress = false
  const clear = (): void => {
    pending = []
    hasAddress = false
  }
  let entries = 0
  const flush = (): void => {
    entries++
    const address = addressOf(pending)
    if (address && (address.name !== '' || address.address !== '')) addresses.push(address)
    clear()
  }
  const take = (token: Token): void => {
    pending.push(token)
    hasAddress ||= token.kind === 'text' && /[@[]/.test(token.text)
  }
  for (const token of tokensOf(field)) {
    if (entries >= MOST) return addresses
    if (token.kind === 'mark' && token.text === ':') {
      // A group's name; but a colon inside an address, as in a route or an IPv6 literal, is part of it.
      if (hasAddress) take({ ...token, kind: 'text' })
      else clear()
    } else if (token.kind === 'mark') flush()
    else {
      // Two addresses with nothing between them.
      if (pending.at(-1)?.kind === 'angle' && token.kind !== 'comment') flush()
      take(token)
    }
  }
  flush()
  return addresses
}
