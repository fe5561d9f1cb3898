import type { Db } from '../../../database/db.ts'
import type { Blobs } from '../../../platform/blobs/blobs.ts'
import { decodeCharset, decodeUnlabelled } from './charsets.ts'

/**
 * Replaces each comment by a space (RFC 5322, section 3.2.2). Parentheses in angle brackets are not comments.
 */
export const replaceComments = (text: string): string => {
  let result = ''
  let depth = 0
  let isUrl = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string
    if (character === '\\' && depth > 0) at++
    else if (character === '(' && !isUrl) {
      if (depth++ === 0) result += ' '
    } else if (character === ')' && depth > 0) depth--
    else if (depth === 0) {
      if (character === '<' || character === '>') isUrl = character === '<'
      result += character
    }
  }
  return result
}

/** An unfolded field as `latin1` text, one character per byte. */
export interface HeaderField {
  name: string
  value: string
}

const FIELD = /^([!-9;-~]{1,200})[ \t]*:(.*)$/s
/** Legitimate messages stay below this limit. The raw message keeps the rest. */
export const MAX_HEADER_BYTES = 512 * 1024
const MAX_FIELD_LENGTH = 256 * 1024
const MAX_FIELDS = 2_000

/** Some programs write empty lines before the header. */
const findHeaderStart = (raw: Buffer): number => {
  let start = 0
  while (raw[start] === 0x0a || raw[start] === 0x0d) start++
  return start
}

/** The header ends at the empty line before the body. */
export const findHeaderEnd = (raw: Buffer): number => {
  const first = findHeaderStart(raw)
  for (let start = first; ; ) {
    const end = raw.indexOf(0x0a, start)
    if (end < 0) return raw.length
    const length = end > start && raw[end - 1] === 0x0d ? end - 1 - start : end - start
    if (length === 0 && start > first) return start
    start = end + 1
  }
}

/** Parses the fields of a header in order. Skips lines that are not fields. */
export const parseFields = (header: Buffer): HeaderField[] => {
  // RFC 5322, section 4.1: a header may not contain NUL.
  const text = header.toString('latin1', 0, MAX_HEADER_BYTES).replaceAll('\0', '')
  const fields: HeaderField[] = []
  let isField = false
  for (const line of text.split(/\r?\n/)) {
    if (/^[ \t]/.test(line)) {
      const last = fields.at(-1)
      if (isField && last && last.value.length < MAX_FIELD_LENGTH) last.value += ` ${line.trim()}`
      continue
    }
    const [, name, value] = FIELD.exec(line) ?? []
    isField = name !== undefined
    if (name === undefined) continue
    if (fields.length >= MAX_FIELDS) break
    fields.push({ name: name.toLowerCase(), value: (value as string).trim().slice(0, MAX_FIELD_LENGTH) })
  }
  return fields
}

/** Parses the header of a message. Ignores bytes after `MAX_HEADER_BYTES`. */
export const readHeader = (raw: Buffer): HeaderField[] => {
  const head = raw.subarray(0, MAX_HEADER_BYTES)
  return parseFields(head.subarray(findHeaderStart(head), findHeaderEnd(head)))
}

/** The non-empty values of the fields with a name. */
export const fieldsNamed = (fields: readonly HeaderField[], name: string): string[] =>
  fields.filter((field) => field.name === name && field.value !== '').map((field) => field.value)

/*
 * Decodes RFC 2047 encoded words and tolerates common errors. Examples: unencoded bytes, a character split
 * over two words, extra spaces. Fields are `latin1` text, one character per byte, until they are decoded.
 */

const WORD_HEAD = /=\?([^?\s]{0,80})\?([bq])\?/iy
const MAX_WORD_LENGTH = 2_000

interface EncodedWord {
  label: string
  encoding: string
  text: string
  end: number
}

/** The encoded word at `at`. An unterminated word is scanned once, up to MAX_WORD_LENGTH. */
export const encodedWordAt = (field: string, at: number): EncodedWord | undefined => {
  WORD_HEAD.lastIndex = at
  const [head, label = '', encoding = ''] = WORD_HEAD.exec(field) ?? []
  if (head === undefined) return undefined
  const start = at + head.length
  const text = field.slice(start, start + MAX_WORD_LENGTH + 2)
  const length = text.indexOf('?=')
  if (length < 0) return undefined
  return { label, encoding: encoding.toLowerCase(), text: text.slice(0, length), end: start + length + 2 }
}

interface Piece {
  bytes: Buffer
  /** Null for text that was not encoded. */
  charset: string | null
}

const decodeQ = (text: string): Buffer =>
  Buffer.from(
    text
      .replaceAll('_', ' ')
      .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )

/** RFC 2231 allows a language after the charset. */
const toCharset = (label: string): string => (label.split('*', 1)[0] as string).toLowerCase()

const splitPieces = (field: string): Piece[] => {
  const pieces: Piece[] = []
  let end = 0
  for (let at = field.indexOf('=?'); at >= 0; ) {
    const word = encodedWordAt(field, at)
    if (!word) {
      at = field.indexOf('=?', at + 1)
      continue
    }
    const between = field.slice(end, at)
    // White space between two encoded words is not part of the text.
    if (
      between !== '' &&
      !(pieces.length > 0 && pieces.at(-1)?.charset !== null && /^[ \t\r\n]+$/.test(between))
    )
      pieces.push({ bytes: Buffer.from(between, 'latin1'), charset: null })
    const bytes = word.encoding === 'b' ? Buffer.from(word.text, 'base64') : decodeQ(word.text)
    pieces.push({ bytes, charset: toCharset(word.label) })
    end = word.end
    at = field.indexOf('=?', end)
  }
  if (end < field.length) pieces.push({ bytes: Buffer.from(field.slice(end), 'latin1'), charset: null })
  return pieces
}

const decodePiece = ({ bytes, charset }: Piece): string =>
  charset === null ? decodeUnlabelled(bytes) : decodeCharset(bytes, charset)

/** Removes NUL and unpaired surrogates. */
const clean = (text: string): string => text.replaceAll('\0', '').toWellFormed()

/** Decodes the text of a field. */
export const decodeWords = (field: string): string => {
  if (!field.includes('=?')) return clean(decodeUnlabelled(Buffer.from(field, 'latin1')))
  const runs: { charset: string | null; bytes: Buffer[] }[] = []
  for (const { charset, bytes } of splitPieces(field)) {
    const last = runs.at(-1)
    // A character may be split over two words.
    if (last && charset !== null && last.charset === charset) last.bytes.push(bytes)
    else runs.push({ charset, bytes: [bytes] })
  }
  return clean(
    runs.map(({ charset, bytes }) => decodePiece({ charset, bytes: Buffer.concat(bytes) })).join(''),
  )
}

/** Reads the header of a raw message without loading the rest. */
export const readHead = async (db: Db, blobs: Blobs, hash: string): Promise<HeaderField[]> =>
  readHeader(await blobs.readStart(db, hash, MAX_HEADER_BYTES))
