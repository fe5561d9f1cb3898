import { decodeCharset } from './charsets.ts'
import { decodeWords, fieldsNamed, findHeaderEnd, type HeaderField, parseFields } from './header-fields.ts'

export interface MessagePart {
  filename: string
  contentType: string
  /** The id that `cid:` URLs refer to. */
  contentId: string | null
  content: Buffer
}

const MAX_NAME_LENGTH = 200

const EXTENSIONS: Readonly<Record<string, string>> = {
  'message/rfc822': 'eml',
  'text/calendar': 'ics',
  'text/plain': 'txt',
  'text/html': 'html',
  'text/rfc822-headers': 'txt',
  'image/jpeg': 'jpg',
  'image/svg+xml': 'svg',
  'application/octet-stream': 'bin',
}

/** Returns a name that is safe on any file system, whatever the sender chose. */
export const toSafeFilename = (name: string, contentType: string, number: number): string => {
  const last = name.split(/[\\/]/).at(-1) as string
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression removes them
  const safeName = last.replace(/[\0-\x1f\x7f\u202a-\u202e\u2066-\u2069]/g, '').trim()
  if (safeName !== '' && !/^\.+$/.test(safeName)) return safeName.slice(-MAX_NAME_LENGTH).toWellFormed()
  const extension = EXTENSIONS[contentType] ?? (/^[\w.+-]+\/([\w.-]{1,10})$/.exec(contentType)?.[1] || 'bin')
  return `attachment-${number}.${extension}`
}

/*
 * Structured content fields (RFC 2045, section 5.1; RFC 2183) with continued or encoded parameters (RFC
 * 2231). Fields are `latin1` text, one character per byte.
 */

interface ContentField {
  /** In lower case. */
  value: string
  /** If a name occurs twice, the first value counts. */
  parameters: ReadonlyMap<string, string>
}

const MAX_FIELD_LENGTH = 20_000
const MAX_PARAMETERS = 100

/**
 * Removes comments. In a parameter value, a parenthesis opens a comment only after a space:
 * `filename=Invoice(1).pdf` has none. An unclosed comment is kept if removing it would lose a parameter.
 */
const stripComments = (field: string): string => {
  let result = ''
  let depth = 0
  let opened = 0
  let isQuoted = false
  let isParameter = false
  for (let at = 0; at < field.length; at++) {
    const character = field[at] as string
    if (character === '\\') {
      if (depth === 0) result += character + (field[at + 1] ?? '')
      at++
      continue
    }
    if (character === '"' && depth === 0) isQuoted = !isQuoted
    else if (
      !isQuoted &&
      character === '(' &&
      (!isParameter || result === '' || /[ \t]/.test(field[at - 1] ?? ''))
    ) {
      if (depth++ === 0) opened = at
      continue
    } else if (!isQuoted && character === ')' && depth > 0) {
      depth--
      continue
    } else if (!isQuoted && depth === 0 && (character === '=' || character === ';'))
      isParameter = character === '='
    if (depth === 0) result += character
  }
  return depth > 0 && field.indexOf(';', opened) >= 0 ? field : result
}

/** Splits at semicolons outside quotes. */
const splitParameters = (field: string): string[] => {
  const pieces: string[] = []
  let start = 0
  let isQuoted = false
  for (let at = 0; at < field.length && pieces.length < MAX_PARAMETERS; at++) {
    const character = field[at]
    if (character === '\\' && isQuoted) at++
    else if (character === '"') isQuoted = !isQuoted
    else if (character === ';' && !isQuoted) {
      pieces.push(field.slice(start, at))
      start = at + 1
    }
  }
  pieces.push(field.slice(start))
  return pieces
}

/** Reads a token or a quoted string. Ignores text after the closing quote. */
const unquote = (text: string): string => {
  const trimmed = text.trim()
  if (!trimmed.includes('"')) return trimmed
  let value = ''
  let isQuoted = false
  for (let at = 0; at < trimmed.length; at++) {
    const character = trimmed[at] as string
    if (character === '"') {
      if (isQuoted) break
      isQuoted = true
    } else if (character === '\\' && isQuoted) value += trimmed[++at] ?? ''
    else value += character
  }
  return value
}

const decodePercent = (text: string): string =>
  text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

interface Section {
  number: number
  isEncoded: boolean
  value: string
}

/** RFC 2231, sections 3 and 4: only sections whose name ends in an asterisk are percent-encoded. */
const joinSections = (sections: readonly Section[]): string => {
  let charset = 'utf-8'
  const ordered = sections.toSorted((a, b) => a.number - b.number)
  const bytes = ordered
    .map(({ value, isEncoded }, index) => {
      if (!isEncoded) return value
      const [, label, rest] = (index === 0 && /^([^']*)'[^']*'(.*)$/s.exec(value)) || []
      if (rest === undefined) return decodePercent(value)
      charset = label || charset
      return decodePercent(rest)
    })
    .join('')
  return decodeCharset(Buffer.from(bytes, 'latin1'), charset)
}

const parseContentField = (field: string): ContentField => {
  const [value = '', ...pieces] = splitParameters(stripComments(field.slice(0, MAX_FIELD_LENGTH)))
  const parameters = new Map<string, string>()
  const continued = new Map<string, Section[]>()
  for (const piece of pieces) {
    const equals = piece.indexOf('=')
    const name = (equals < 0 ? piece : piece.slice(0, equals)).trim().toLowerCase()
    if (name === '') continue
    const text = equals < 0 ? '' : unquote(piece.slice(equals + 1))
    const [, base, number, star] = /^(.*?)\*(?:(\d{1,3})(\*)?)?$/.exec(name) ?? []
    if (base === undefined) {
      if (!parameters.has(name)) parameters.set(name, decodeWords(text))
      continue
    }
    const section = {
      number: Number(number ?? 0),
      isEncoded: number === undefined || star !== undefined,
      value: text,
    }
    continued.set(base, [...(continued.get(base) ?? []), section])
  }
  for (const [name, sections] of continued) parameters.set(name, joinSections(sections))
  return { value: unquote(value).toLowerCase(), parameters }
}

/** The first word of Content-Transfer-Encoding. */
const parseEncoding = (field: string): string =>
  /[\w-]+/.exec(stripComments(field.slice(0, MAX_FIELD_LENGTH)).toLowerCase())?.[0] ?? ''

/** A part of a message (RFC 2046): a leaf with a body, or a multipart with parts. */
export interface Part {
  type: ContentField
  disposition: ContentField
  encoding: string
  contentId: string
  /** Byte range of the encoded body within the message. */
  start: number
  end: number
  /** Byte range of the whole part: from its header to the line of the next delimiter of its parent. */
  headerStart: number
  partEnd: number
  /** The subtype, such as `mixed` or `alternative`. Undefined for a leaf. */
  multipart: string | undefined
  parts: Part[]
}

export interface Parts {
  root: Part
  /** True if a limit was reached and parts are missing. */
  isTruncated: boolean
}

/**
 * Legitimate messages stay below these limits. They keep a crafted message from costing more than one pass
 * over its bytes.
 */
const MAX_PARTS = 1_000
const MAX_DEPTH = 30
const MAX_PART_HEADER_BYTES = 64 * 1024
const MAX_TOTAL_HEADER_BYTES = 2 * 1024 * 1024
const MAX_BOUNDARY_LENGTH = 1_000

const LF = 0x0a
const CR = 0x0d
const DASH = 0x2d

interface Delimiter {
  /** Start of the delimiter line, and of the line after it. */
  start: number
  next: number
  level: number
  isLast: boolean
}

interface OpenMultipart {
  part: Part
  /** Line break, two hyphens and the boundary. */
  delimiter: Buffer
  /** Position of the last match. */
  found: number
}

const createPart = (
  fields: readonly HeaderField[],
  parentType: string | undefined,
  { headerStart, start }: Pick<Part, 'headerStart' | 'start'>,
): Part => {
  const first = (name: string): string => fieldsNamed(fields, name)[0] ?? ''
  // RFC 2046, section 5.1.5: the default type of parts of a digest is message/rfc822.
  const type = parseContentField(
    first('content-type') || (parentType === 'digest' ? 'message/rfc822' : 'text/plain'),
  )
  return {
    type,
    disposition: parseContentField(first('content-disposition')),
    encoding: parseEncoding(first('content-transfer-encoding')),
    contentId: first('content-id'),
    start,
    end: start,
    headerStart,
    partEnd: start,
    multipart: /^multipart\/(.*)$/.exec(type.value)?.[1],
    parts: [],
  }
}

const findOrEnd = (raw: Buffer, sought: Buffer, from: number): number => {
  const found = raw.indexOf(sought, from)
  return found < 0 ? raw.length : found
}

/**
 * Splits a message into its parts. Searches the bytes for delimiters, so number and length of the lines do
 * not matter.
 */
export const splitParts = (raw: Buffer, header: readonly HeaderField[]): Parts => {
  const open: OpenMultipart[] = []
  let isTruncated = false
  let count = 0
  let headerBytes = 0

  const findLineEnd = (from: number): number => {
    const found = raw.indexOf(LF, from)
    return found < 0 ? raw.length : found
  }

  /**
   * Reads the delimiter line at `start` for the multipart at this level. Undefined if the line is not a
   * delimiter.
   */
  const readDelimiter = (start: number, level: number): Delimiter | undefined => {
    const { delimiter } = open[level] as OpenMultipart
    let at = start + delimiter.length - 1
    const isLast = raw[at] === DASH && raw[at + 1] === DASH
    if (isLast) at += 2
    // RFC 2046, section 5.1.1: white space may follow.
    while (raw[at] === 0x20 || raw[at] === 0x09 || raw[at] === CR) at++
    if (at < raw.length && raw[at] !== LF) return undefined
    return { start, next: Math.min(at + 1, raw.length), level, isLast }
  }

  /**
   * The next delimiter whose line starts at or after `from`. If several match the same line, the innermost
   * one.
   */
  const findNextDelimiter = (from: number): Delimiter | undefined => {
    for (let searchFrom = Math.max(0, from - 1); ; ) {
      let level = -1
      for (const [index, multipart] of open.entries()) {
        if (multipart.found < searchFrom) multipart.found = findOrEnd(raw, multipart.delimiter, searchFrom)
        if (multipart.found <= (open[level]?.found ?? raw.length - 1)) level = index
      }
      const nearest = open[level]
      if (!nearest) return undefined
      const { found } = nearest
      for (; level >= 0; level--) {
        const delimiter = open[level]?.found === found ? readDelimiter(found + 1, level) : undefined
        if (delimiter) return delimiter
      }
      searchFrom = found + 1
    }
  }

  /** The header of a part ends at an empty line, at a delimiter, or at MAX_PART_HEADER_BYTES. */
  const findPartHeaderEnd = (from: number): { end: number; body: number } => {
    let start = from
    const limit = findNextDelimiter(from)?.start ?? raw.length
    while (start < limit && start - from < MAX_PART_HEADER_BYTES) {
      const end = findLineEnd(start)
      const isEmpty = end === start || (end === start + 1 && raw[start] === CR)
      if (isEmpty) return { end: start, body: Math.min(end + 1, raw.length) }
      start = end + 1
    }
    return { end: Math.min(start, limit), body: Math.min(start, limit) }
  }

  /** From now on, lines may be delimiters of this part. */
  const openMultipart = (part: Part): void => {
    const boundary = part.type.parameters.get('boundary') ?? ''
    if (part.multipart === undefined || boundary === '') return
    if (open.length < MAX_DEPTH && boundary.length <= MAX_BOUNDARY_LENGTH)
      open.push({ part, delimiter: Buffer.from(`\n--${boundary}`), found: -1 })
    else isTruncated = true
  }

  const rootBody = Math.min(findLineEnd(findHeaderEnd(raw)) + 1, raw.length)
  const root = createPart(header, undefined, { headerStart: 0, start: rootBody })
  openMultipart(root)
  let current: Part | undefined = root
  let at = rootBody
  for (;;) {
    const delimiter = findNextDelimiter(at)
    if (current) current.end = delimiter?.start ?? raw.length
    if (!delimiter) break
    const parent = (open[delimiter.level] as OpenMultipart).part
    const closed = parent.parts.at(-1)
    if (closed) closed.partEnd = delimiter.start
    open.length = delimiter.isLast ? delimiter.level : delimiter.level + 1
    at = delimiter.next
    current = undefined
    if (delimiter.isLast) continue
    const { end, body } = findPartHeaderEnd(at)
    headerBytes += end - at
    if (++count > MAX_PARTS || headerBytes > MAX_TOTAL_HEADER_BYTES) {
      isTruncated = true
      break
    }
    current = createPart(parseFields(raw.subarray(at, end)), parent.multipart, {
      headerStart: at,
      start: body,
    })
    parent.parts.push(current)
    openMultipart(current)
    at = body
  }
  return { root, isTruncated }
}
