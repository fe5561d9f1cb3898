import type { Random } from '../../platform/random.ts'
import { digest } from '../../platform/secrets/seal.ts'
import { createYielder } from '../../platform/yield.ts'

/*
 * The token of a reset link, and the search for it in messages. The token consists of lower-case letters and
 * digits only. Relays that rewrite links escape other characters in their own ways, and some change the case.
 */

const KEY = 'resetkey'
const REFERENCE = 'resetref'
const MARK = /^reset(key|ref)([0-9a-f]{64})$/

/** 256 random bits. */
export const createResetToken = (random: Random): string => `${KEY}${random.bytes(32).toString('hex')}`

/**
 * Formats the reference in the text of the mail. It identifies the mail even if a relay replaced the link,
 * and it reveals nothing.
 */
export const formatReference = (hash: string): string =>
  `${REFERENCE}${Buffer.from(hash, 'base64url').toString('hex')}`

const toHash = (kind: string, value: string): string =>
  kind === 'key' ? digest(`${KEY}${value}`) : Buffer.from(value, 'hex').toString('base64url')

/** Small enough to leave the event loop free. */
const WINDOW = 32 * 1024
/** Longer than a token with its marker in any supported encoding. */
const OVERLAP = 4 * 1024
const MAX_DEPTH = 3
const MAX_FOUND = 1_000
/** The shortest base64 text that can contain a token. */
const MIN_BASE64_LENGTH = 96
/**
 * In a run up to this length, the base64 text may begin at any character. An example is the path of a link.
 */
const SHORT_RUN = 1024
const MAX_TAG_LENGTH = 1_000

const LF = 0x0a
const CR = 0x0d
const HASH = 0x23
const PERCENT = 0x25
const AMPERSAND = 0x26
const LESS = 0x3c
const EQUALS = 0x3d
const GREATER = 0x3e
const MARKER = Buffer.from('reset')
/** "reset", "key" or "ref", and 64 hexadecimal digits. */
const MARK_LENGTH = 72

/** Maps each byte to its lower-case letter or digit, or to 0 for bytes that may separate characters. */
const PLAIN = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[a-z0-9]/i.test(String.fromCharCode(byte)) ? String.fromCharCode(byte).toLowerCase().charCodeAt(0) : 0,
)
const IS_BASE64 = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[\w+/-]/.test(String.fromCharCode(byte)) ? 1 : 0,
)
/** The value of a hexadecimal digit, or 16. */
const HEX = Uint8Array.from({ length: 256 }, (_, byte) => {
  const value = Number.parseInt(String.fromCharCode(byte), 16)
  return Number.isNaN(value) ? 16 : value
})

const readHex = (bytes: Buffer, at: number): number | undefined => {
  const [high, low] = [HEX[bytes[at] ?? 0] as number, HEX[bytes[at + 1] ?? 0] as number]
  return at + 1 < bytes.length && high < 16 && low < 16 ? high * 16 + low : undefined
}

/** Reads `&#114;` or `&#x72;`, with its length. */
const readReference = (bytes: Buffer, at: number): { code: number; length: number } | undefined => {
  if (bytes[at + 1] !== HASH) return undefined
  const [text, hex, decimal] =
    /^&#(?:x([0-9a-f]{1,4})|(\d{1,5}));?/i.exec(bytes.toString('latin1', at, at + 10)) ?? []
  if (text === undefined) return undefined
  return { code: hex === undefined ? Number(decimal) : Number.parseInt(hex, 16), length: text.length }
}

/**
 * Decodes quoted-printable (RFC 2045, 6.7), percent-encoding and numeric character references in one pass.
 */
const decodeEscapes = (bytes: Buffer): Buffer => {
  if (!bytes.includes(EQUALS) && !bytes.includes(PERCENT) && !bytes.includes('&#')) return bytes
  const decoded = Buffer.allocUnsafe(bytes.length)
  let size = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (byte === EQUALS || byte === PERCENT) {
      const value = readHex(bytes, at + 1)
      if (value !== undefined) {
        decoded[size++] = value
        at += 2
        continue
      }
      if (byte === EQUALS && bytes[at + 1] === LF) {
        at += 1
        continue
      }
      if (byte === EQUALS && bytes[at + 1] === CR && bytes[at + 2] === LF) {
        at += 2
        continue
      }
    } else if (byte === AMPERSAND) {
      const reference = readReference(bytes, at)
      if (reference) {
        decoded[size++] = reference.code
        at += reference.length - 1
        continue
      }
    }
    decoded[size++] = byte
  }
  return decoded.subarray(0, size)
}

const removeTags = (bytes: Buffer): Buffer => {
  if (!bytes.includes(LESS) || !bytes.includes(GREATER)) return bytes
  const kept = Buffer.allocUnsafe(bytes.length)
  let size = 0
  /** The index in `kept` at which the open tag began. */
  let open = -1
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (byte === LESS) open = size
    kept[size++] = byte
    if (open < 0) continue
    if (size - open > MAX_TAG_LENGTH) open = -1
    else if (byte === GREATER) {
      size = open
      open = -1
    }
  }
  return kept.subarray(0, size)
}

/**
 * Collects tokens. Line breaks, quotation marks, soft hyphens and the zero bytes of UTF-16 may occur anywhere
 * in a token.
 */
const collect = (bytes: Buffer, found: Set<string>): void => {
  const plain = Buffer.allocUnsafe(bytes.length)
  let size = 0
  for (let at = 0; at < bytes.length; at++) {
    const character = PLAIN[bytes[at] as number] as number
    if (character !== 0) plain[size++] = character
  }
  const text = plain.subarray(0, size)
  for (let at = text.indexOf(MARKER); at >= 0; at = text.indexOf(MARKER, at + MARKER.length)) {
    const [, kind, value] = MARK.exec(text.toString('latin1', at, at + MARK_LENGTH)) ?? []
    if (kind === undefined || value === undefined) continue
    if (found.size >= MAX_FOUND) return
    found.add(toHash(kind, value))
  }
}

/** Yields runs of base64 text, across line breaks. */
const base64Runs = function* (bytes: Buffer): Generator<{ start: number; end: number }> {
  let start = -1
  for (let at = 0; at <= bytes.length; at++) {
    const byte = bytes[at]
    if (byte !== undefined && IS_BASE64[byte] === 1) {
      if (start < 0) start = at
      continue
    }
    if (start < 0) continue
    const next = byte === CR && bytes[at + 1] === LF ? at + 2 : byte === LF ? at + 1 : -1
    if (next >= 0 && IS_BASE64[bytes[next] ?? 0] === 1) {
      at = next - 1
      continue
    }
    if (at - start >= MIN_BASE64_LENGTH) yield { start, end: at }
    start = -1
  }
}

const scan = (bytes: Buffer, depth: number, isCut: boolean, found: Set<string>): void => {
  collect(bytes, found)
  const decoded = decodeEscapes(bytes)
  if (decoded !== bytes) collect(decoded, found)
  const untagged = removeTags(decoded)
  if (untagged !== decoded) collect(untagged, found)
  if (depth === MAX_DEPTH) return
  for (const { start, end } of base64Runs(decoded)) {
    const beginnings = end - start <= SHORT_RUN || (isCut && start === 0) ? 4 : 1
    for (let offset = 0; offset < beginnings; offset++)
      scan(Buffer.from(decoded.toString('latin1', start + offset, end), 'base64'), depth + 1, false, found)
  }
}

/** Returns the end of the last line in the window, or the end of the window without a line end. */
const findCut = (content: Buffer, start: number): number => {
  const end = start + WINDOW
  if (end >= content.length) return content.length
  const lineEnd = content.subarray(start, end).lastIndexOf(LF)
  return lineEnd > OVERLAP ? start + lineEnd + 1 : end
}

/**
 * Returns the hashes of all candidates for a reset token or its reference. The search works on the bytes, not
 * on the MIME structure. It therefore covers forwarded, bounced, mislabelled and malformed messages too.
 */
export const findResetHashes = async (bytes: Uint8Array): Promise<string[]> => {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const found = new Set<string>()
  const yieldIfNeeded = createYielder()
  for (let start = 0; start < content.length; ) {
    const cut = findCut(content, start)
    const isCut = start > 0 && content[start - 1] !== LF
    // Windows overlap, so that a token across a boundary is complete in one of them.
    scan(content.subarray(start, Math.min(content.length, cut + OVERLAP)), 0, isCut, found)
    start = cut
    await yieldIfNeeded()
  }
  return [...found]
}

/** The entry point for the worker thread. */
export const findResetHashesIn = ({ content }: { content: Uint8Array }): Promise<string[]> =>
  findResetHashes(content)
