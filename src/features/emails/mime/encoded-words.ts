import { decodeCharset, decodeUnlabelled } from './charsets.ts'

/*
 * RFC 2047, as it is written and as it is met: unencoded bytes inside, a character split over two words, spaces
 * where none may be. Fields are handled as `latin1` text, one character a byte, until they are decoded.
 */

const ENCODED_WORD = /=\?([^?\s]{0,80})\?([bq])\?((?:[^?]|\?(?!=)){0,2000})\?=/gi

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
  for (const match of field.matchAll(ENCODED_WORD)) {
    const [whole, label = '', encoding = '', text = ''] = match
    const between = field.slice(end, match.index)
    const last = pieces.at(-1)
    // Space between two encoded words is not part of the text.
    if (between !== '' && !(last && last.charset !== null && /^[ \t\r\n]+$/.test(between)))
      pieces.push({ bytes: Buffer.from(between, 'latin1'), charset: null })
    const bytes = encoding.toLowerCase() === 'b' ? Buffer.from(text, 'base64') : decodeQ(text)
    pieces.push({ bytes, charset: charsetOf(label) })
    end = match.index + whole.length
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
  const joined: Piece[] = []
  for (const piece of piecesOf(field)) {
    const last = joined.at(-1)
    // A character may begin in one word and end in the next.
    if (last && piece.charset !== null && last.charset === piece.charset)
      last.bytes = Buffer.concat([last.bytes, piece.bytes])
    else joined.push(piece)
  }
  return clean(joined.map(decodePiece).join(''))
}
