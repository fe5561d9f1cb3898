import { foldText } from '../../../database/full-text/full-text.ts'
import { decodeWords, encodedWordAt } from './header-fields.ts'

export interface Address {
  name: string
  address: string
}

/*
 * Parses address fields (RFC 5322, section 3.4), including the obsolete forms and common errors. Examples:
 * unquoted punctuation in names, a semicolon instead of a comma, an unclosed angle bracket. Nothing is
 * rejected. Text that cannot be an address becomes a name without an address.
 */

type Token =
  | { kind: 'text' | 'quoted' | 'comment' | 'angle'; text: string; gap: string }
  | { kind: 'mark'; text: ',' | ';' | ':'; gap: string }

const WORD = /[^\s"(<,;:]{1,1000}/y
const QUOTED_PART = /\s*"(?:[^"\\]|\\.){1,200}"(?=@)/y

/** Reads `text` after `open` up to the matching `close`. */
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

/**
 * Length of a quoted local part such as `"john (joe) doe"`. Parentheses and angle brackets in it have no
 * meaning.
 */
const quotedLength = (text: string, from: number): number => {
  QUOTED_PART.lastIndex = from
  return QUOTED_PART.exec(text)?.[0].length ?? 0
}

function* tokenize(field: string): Generator<Token> {
  // Search only once. Otherwise each unclosed bracket would scan the rest of the field, in quadratic time.
  const lastClose = field.lastIndexOf('>')
  let at = 0
  /** White space before the next token. */
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
      // An unclosed bracket ends at the next comma.
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

const decodeName = (text: string): string => decodeWords(text).replace(/\s+/g, ' ').trim()

/** Removes the comments from an angle address. */
const withoutComments = (text: string, comments: string[]): string => {
  const quoted = quotedLength(text, 0)
  let rest = text.slice(quoted)
  let result = text.slice(0, quoted)
  for (let open = rest.indexOf('('); open >= 0; open = rest.indexOf('(')) {
    const { inner, end } = readUntil(rest, open + 1, '(', ')')
    comments.push(inner)
    result += rest.slice(0, open)
    rest = rest.slice(end)
  }
  return result + rest
}

const joinTokens = (tokens: readonly Token[]): string => tokens.map(({ text, gap }) => gap + text).join('')

/** Parses one address from the tokens between two commas. */
const parseAddress = (tokens: readonly Token[]): Address | undefined => {
  const comments = tokens.filter(({ kind }) => kind === 'comment').map(({ text }) => text)
  const angle = tokens.find(({ kind }) => kind === 'angle')
  const rest = tokens.filter(({ kind }) => kind !== 'comment' && kind !== 'angle')
  const formatName = (phrase: string): string => {
    const comment = decodeName(comments.join(' '))
    if (phrase === '') return comment
    return comment === '' ? phrase : `${phrase} (${comment})`
  }
  if (angle) {
    const address = withoutComments(angle.text, comments).trim()
    return { name: formatName(decodeName(joinTokens(rest))), address: decodeWords(address) }
  }
  if (rest.length === 0) return comments.length > 0 ? { name: formatName(''), address: '' } : undefined
  const at = rest.findIndex(({ kind, text }) => kind === 'text' && text.includes('@'))
  if (at >= 0) return { name: formatName(''), address: formatAddress(rest) }
  return comments.length > 0
    ? { name: formatName(''), address: decodeName(joinTokens(rest)) }
    : { name: decodeName(joinTokens(rest)), address: '' }
}

const quote = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`

/** Keeps the quotes of `"john doe"@example.org`. Without them it is not a valid address. */
const formatAddress = (tokens: readonly Token[]): string =>
  decodeWords(
    tokens.map(({ kind, text, gap }) => gap + (kind === 'quoted' ? quote(text) : text)).join(''),
  ).trim()

/** Limit for the entries of a field, including empty ones. */
const MAX_ENTRIES = 2_000

/** Parses all mailboxes of an address field, including the members of groups. */
export const readAddresses = (field: string): Address[] => {
  const addresses: Address[] = []
  let pending: Token[] = []
  /** Whether the pending tokens look like an address. A colon then belongs to the address. */
  let hasAddress = false
  const clear = (): void => {
    pending = []
    hasAddress = false
  }
  let entries = 0
  const flush = (): void => {
    entries++
    const address = parseAddress(pending)
    if (address && (address.name !== '' || address.address !== '')) addresses.push(address)
    clear()
  }
  const addToken = (token: Token): void => {
    pending.push(token)
    hasAddress ||= token.kind === 'text' && /[@[]/.test(token.text)
  }
  for (const token of tokenize(field)) {
    if (entries >= MAX_ENTRIES) return addresses
    if (token.kind === 'mark' && token.text === ':') {
      // The colon ends a group name, unless it is part of an address (a route or an IPv6 literal).
      if (hasAddress) addToken({ ...token, kind: 'text' })
      else clear()
    } else if (token.kind === 'mark') flush()
    else {
      // Two addresses without a separator.
      if (pending.at(-1)?.kind === 'angle' && token.kind !== 'comment') flush()
      addToken(token)
    }
  }
  flush()
  return addresses
}

/** Reply and forward prefixes of mail programs in many languages. */
const PREFIX =
  /^(?:re|aw|antw|sv|vs|odp|ref|rif|res|ynt|bls|atb|回复|回覆|答复|返信|fwd?|wg|tr|rv|enc|i|pd|doorst|vl|vb|vidarebefordrat|转发|轉寄|転送)(?:\s?[[(]\d{1,3}[\])]|\s?\*\d{1,3})?\s?[:：]\s*/i
/** The tag that a mailing list adds to subjects. */
const LIST_TAG = /^\[[^\]]{1,40}\]\s*/

export const isReplySubject = (subject: string): boolean => {
  const text = subject.trim().replace(LIST_TAG, '')
  return PREFIX.test(text)
}

/** Normalizes a subject so that all messages of a conversation have the same key. */
export const toSubjectKey = (subject: string): string => {
  let text = subject.replace(/\s+/g, ' ').trim()
  for (let shorter = strip(text); shorter !== text; shorter = strip(text)) text = shorter
  return foldText(text).slice(0, 200).toWellFormed()
}

const strip = (text: string): string => text.replace(PREFIX, '').replace(LIST_TAG, '').trimStart()
