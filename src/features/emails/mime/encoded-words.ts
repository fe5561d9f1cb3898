import { decodeCharset, decodeUnlabelled } from './charsets.ts'

/*
 * RFC 2047, as it is written and as it is met: unencoded bytes inside, a character split over two words, spaces
 * where none may be. Fields are handled as `latin1` text, one character a byte, until they are decoded.
 */

const WORD_HEAD = /=\?([^?\s]{0,80})\?([bq])\?/iy
const LONGEST_WORD = 2_000

interface EncodedWord {
  label: string
  encoding: string
  text: string
  end: number
}

/** The encoded word that begins at `at`. One that does not end is looked through once, and not far. */
export const encodedWordAt = (field: string, at: number): EncodedWord | undefined => {
  WORD_HEAD.lastIndex = at
  const [head, label = '', encoding = ''] = WORD_HEAD.exec(field) ?? []
  if (head === undefined) return undefined
  const start = at + head.length
  const text = field.slice(start, start + LONGEST_WORD + 2)
  const length = text.indexOf('?=')
  if (length < 0) return undefined
  return { label, encoding: encoding.toLowerCase(), text: text.slice(0, length), end: start + length + 2 }
}

interface Piece {
  bytes: Buffer
  /** Null for what was not encoded. */
  charset: string | null
}

const decodeQ = (text: string): Buffer =>
  Buffer.from(
    text
      .replaceAll('_', ' ')
      .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )

/** RFC 2231 lets a language follow the charset. */
const charsetOf = (label: string): string => (label.split('*', 1)[0] as string).toLowerCase()

const piecesOf = (field: string): Piece[] => {
  const pieces: Piece[] = []
  let end = 0
  for (let at = field.indexOf('=?'); at >= 0; ) {
    const word = encodedWordAt(field, at)
    if (!word) {
      at = field.indexOf('=?', at + 1)
      continue
    }
    const between = field.slice(end, at)
    // Space between two encoded words is not part of the text.
    if (
      between !== '' &&
      !(pieces.length > 0 && pieces.at(-1)?.charset !== null && /^[ \t\r\n]+$/.test(between))
    )
      pieces.push({ bytes: Buffer.from(between, 'latin1'), charset: null })
    const bytes = word.encoding === 'b' ? Buffer.from(word.text, 'base64') : decodeQ(word.text)
    pieces.push({ bytes, charset: charsetOf(word.label) })
    end = word.end
    at = field.indexOf('=?', end)
  }
  if (end < field.length) pieces.push({ bytes: Buffer.from(field.slice(end), 'latin1'), charset: null })
  return pieces
}

const decodePiece = ({ bytes, charset }: Piece): string =>
  charset === null ? decodeUnlabelled(bytes) : decodeCharset(bytes, charset)

/** What no text may hold: NUL, and halves of characters. */
const clean = (text: string): string => text.replaceAll('\0', '').toWellFormed()

/** The text of a field. */
export const decodeWords = (field: string): string => {
  if (!field.includes('=?')) return clean(decodeUnlabelled(Buffer.from(field, 'latin1')))
  const runs: { charset: string | null; bytes: Buffer[] }[] = []
  for (const { charset, bytes } of piecesOf(field)) {
    const last = runs.at(-1)
    // A character may begin in one word and end in the next.
    if (last && charset !== null && last.charset === charset) last.bytes.push(bytes)
    else runs.push({ charset, bytes: [bytes] })
  }
  return clean(
    runs.map(({ charset, bytes }) => decodePiece({ charset, bytes: Buffer.concat(bytes) })).join(''),
  )
}
