import { createBreather } from '../../platform/breather.ts'
import type { Random } from '../../platform/random.ts'
import { digest } from '../../platform/secrets/digest.ts'

/*
 * The token of a reset link, and the search for it in messages. The token consists of lower-case letters and digits
 * only: relays that rewrite links escape other characters in ways of their own, and some change the case.
 */

const KEY = 'resetkey'
const REFERENCE = 'resetref'
const MARK = /reset(key|ref)([0-9a-f]{64})/g

/** 256 random bits. */
export const createResetToken = (random: Random): string => `${KEY}${random.bytes(32).toString('hex')}`

/** Stands in the mail as text, so that the mail is recognised where a relay replaced the link. Reveals nothing. */
export const formatReference = (hash: string): string =>
  `${REFERENCE}${Buffer.from(hash, 'base64url').toString('hex')}`

const toHash = (kind: string, value: string): string =>
  kind === 'key' ? digest(`${KEY}${value}`) : Buffer.from(value, 'hex').toString('base64url')

/** Small enough to leave the event loop free: 64 KiB take a few milliseconds. */
const WINDOW = 64 * 1024
/** Longer than a token with its marker in any encoding below. */
const OVERLAP = 4 * 1024
const DEEPEST = 3
const MOST_FOUND = 1_000
/** The shortest base64 text that holds a token. */
const SHORTEST_BASE64 = 96
/** A run in which the base64 text may begin at any character, such as the path of a link. */
const SHORT_RUN = 4 * 1024
const BASE64_RUN = /[A-Za-z0-9+/_-]{20,}(?:\r?\n[A-Za-z0-9+/_-]+)*/g

/** Quoted-printable (RFC 2045, 6.7), percent-encoding and numeric character references, whichever of them it is. */
const decodeEscapes = (text: string): string =>
  text
    .replace(/=\r?\n/g, '')
    .replace(/[=%]([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/&#(?:x([0-9a-f]{1,4})|(\d{1,5}));?/gi, (_, hex?: string, decimal?: string) =>
      String.fromCharCode(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
    )

const removeTags = (text: string): string => text.replace(/<[^<>]{0,1000}>/g, '')

/** Line breaks, quotation marks, soft hyphens and the zero bytes of UTF-16 may stand anywhere in a token. */
const collect = (text: string, found: Set<string>): void => {
  const plain = text.toLowerCase().replace(/[^a-z0-9]+/g, '')
  for (const [, kind, value] of plain.matchAll(MARK)) {
    if (found.size >= MOST_FOUND) return
    found.add(toHash(kind as string, value as string))
  }
}

const scan = (bytes: Buffer, depth: number, isCut: boolean, found: Set<string>): void => {
  const text = bytes.toString('latin1')
  const decoded = /[=%&]/.test(text) ? decodeEscapes(text) : text
  collect(text, found)
  if (decoded !== text) collect(decoded, found)
  if (decoded.includes('<')) collect(removeTags(decoded), found)
  if (depth === DEEPEST) return
  for (const { 0: run, index } of decoded.matchAll(BASE64_RUN)) {
    if (run.length < SHORTEST_BASE64) continue
    const begins = run.length <= SHORT_RUN || (isCut && index === 0) ? 4 : 1
    const compact = run.replace(/\r?\n/g, '')
    for (let offset = 0; offset < begins; offset++)
      scan(Buffer.from(compact.slice(offset), 'base64'), depth + 1, false, found)
  }
}

/** The end of the last line in the window, or the end of the window where no line ends. */
const findCut = (content: Buffer, start: number): number => {
  const end = start + WINDOW
  if (end >= content.length) return content.length
  const lineEnd = content.lastIndexOf(0x0a, end - 1)
  return lineEnd > start + OVERLAP ? lineEnd + 1 : end
}

/**
 * Hashes of everything that looks like the token of a reset link, or like its reference. Works on the bytes and not
 * on the MIME structure, so that forwarded, returned, mislabelled and unreadable messages are searched as well.
 */
export const findResetHashes = async (content: Buffer): Promise<string[]> => {
  const found = new Set<string>()
  const breathe = createBreather()
  for (let start = 0; start < content.length; ) {
    const cut = findCut(content, start)
    // Each window reads on beyond its cut: a token that lies across the cut is whole in one of the two.
    const isCut = start > 0 && content[start - 1] !== 0x0a
    scan(content.subarray(start, Math.min(content.length, cut + OVERLAP)), 0, isCut, found)
    start = cut
    await breathe()
  }
  return [...found]
}
