import { tagKeyOf } from '../messages/search.ts'

/** Thunderbird's five default tags. Other mail programs use the same names for them. */
const LABELS: ReadonlyMap<string, string> = new Map([
  ['$label1', 'Important'],
  ['$label2', 'Work'],
  ['$label3', 'Personal'],
  ['$label4', 'To Do'],
  ['$label5', 'Later'],
])
const LABEL_KEYWORDS: ReadonlyMap<string, string> = new Map(
  [...LABELS].map(([keyword, tag]) => [tagKeyOf(tag), keyword]),
)

/** States that mail programs store as keywords. They are not tags. Keywords with a dollar sign are states, too. */
const STATES: ReadonlySet<string> = new Set([
  'forwarded',
  'junk',
  'junkrecorded',
  'mdnsent',
  'nonjunk',
  'notjunk',
  'redirected',
])

const MAX_TAG_LENGTH = 50
/** Longer keywords are refused by common servers. Such a tag stays here. */
const MAX_KEYWORD_LENGTH = 200

/** Characters of an IMAP atom (RFC 3501), without the ones that have a meaning in this encoding. */
const PLAIN = /^[A-Za-z0-9!#'+,\-./:;<>?@^_`|~&[]$/

const encodeCharacter = (character: string): string =>
  PLAIN.test(character)
    ? character
    : [...Buffer.from(character)]
        .map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`)
        .join('')

/**
 * Returns the keyword of a tag: the tag itself, with other characters as hexadecimal UTF-8 (`=C3=A9`). Servers compare
 * keywords without case, as the service does with tags. Undefined if the keyword would be too long.
 */
export const toKeyword = (tag: string): string | undefined => {
  const label = LABEL_KEYWORDS.get(tagKeyOf(tag))
  if (label !== undefined) return label
  // The name of a state must not become that state.
  const keyword = STATES.has(tag.toLowerCase())
    ? `=${Buffer.from(tag.charAt(0)).toString('hex').toUpperCase()}${tag.slice(1)}`
    : [...tag.toWellFormed()].map(encodeCharacter).join('')
  return keyword.length <= MAX_KEYWORD_LENGTH ? keyword : undefined
}

const decode = (keyword: string): string => {
  const bytes = keyword.replaceAll(/=([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return bytes === keyword ? keyword : Buffer.from(bytes, 'latin1').toString('utf8')
}

/** Returns the tag of a keyword. Undefined if the keyword is not a tag. */
export const toTag = (keyword: string): string | undefined => {
  const label = LABELS.get(keyword.toLowerCase())
  if (label !== undefined) return label
  if (keyword.startsWith('$') || STATES.has(keyword.toLowerCase())) return undefined
  const tag = decode(keyword)
    .replace(/\p{Cc}/gu, '')
    .trim()
  return tag === '' || tag.length > MAX_TAG_LENGTH || !tag.isWellFormed() ? undefined : tag
}

export const toTags = (keywords: readonly string[]): string[] =>
  keywords.flatMap((keyword) => toTag(keyword) ?? [])

/** Returns the tags in `after` that `before` does not have, however they are spelled. */
export const findMissingTags = (before: readonly string[], after: readonly string[]): string[] => {
  const known = new Set(before.map(tagKeyOf))
  return after.filter((tag) => !known.has(tagKeyOf(tag)))
}
