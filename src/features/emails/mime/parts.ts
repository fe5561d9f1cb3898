import { type ContentField, parseContentField, parseEncoding } from './content-fields.ts'
import { endOfHeader, fieldsIn, fieldsNamed, type HeaderField } from './header-fields.ts'

/** A part of a message (RFC 2046): a leaf with a body, or a multipart with parts. */
export interface Part {
  type: ContentField
  disposition: ContentField
  encoding: string
  contentId: string
  /** Where its body lies in the message, encoded. */
  start: number
  end: number
  /** `mixed`, `alternative`…; undefined for a leaf. */
  multipart: string | undefined
  parts: Part[]
}

export interface Parts {
  root: Part
  /** A limit was reached: not everything in the message is among the parts. */
  isCut: boolean
}

/** No program writes more; each limit keeps a crafted message from costing more than one pass over its bytes. */
const MOST_PARTS = 1_000
const DEEPEST = 30
const LARGEST_PART_HEADER = 64 * 1024
const LARGEST_HEADERS = 2 * 1024 * 1024
const LONGEST_BOUNDARY = 1_000

const LF = 0x0a
const CR = 0x0d
const DASH = 0x2d

interface Delimiter {
  /** Where its line begins, and the one after it. */
  start: number
  next: number
  level: number
  isLast: boolean
}

interface OpenMultipart {
  part: Part
  /** A line break, two hyphens and the boundary. */
  delimiter: Buffer
  /** Where that was found last. */
  found: number
}

const partOf = (fields: readonly HeaderField[], parentType: string | undefined, start: number): Part => {
  const first = (name: string): string => fieldsNamed(fields, name)[0] ?? ''
  // RFC 2046, 5.1.5: the parts of a digest are messages unless they say otherwise.
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
    multipart: /^multipart\/(.*)$/.exec(type.value)?.[1],
    parts: [],
  }
}

const findOrEnd = (raw: Buffer, sought: Buffer, from: number): number => {
  const found = raw.indexOf(sought, from)
  return found < 0 ? raw.length : found
}

/** Finds the parts of a message. Lines are found in the bytes, so their number and length do not matter. */
export const splitParts = (raw: Buffer, header: readonly HeaderField[]): Parts => {
  const open: OpenMultipart[] = []
  let isCut = false
  let count = 0
  let headerBytes = 0

  const lineEnd = (from: number): number => {
    const found = raw.indexOf(LF, from)
    return found < 0 ? raw.length : found
  }

  /** The delimiter of the multipart at this level whose line begins at `start`, if it is one. */
  const delimiterAt = (start: number, level: number): Delimiter | undefined => {
    const { delimiter } = open[level] as OpenMultipart
    let at = start + delimiter.length - 1
    const isLast = raw[at] === DASH && raw[at + 1] === DASH
    if (isLast) at += 2
    // RFC 2046, 5.1.1: white space may follow.
    while (raw[at] === 0x20 || raw[at] === 0x09 || raw[at] === CR) at++
    if (at < raw.length && raw[at] !== LF) return undefined
    return { start, next: Math.min(at + 1, raw.length), level, isLast }
  }

  /** The next delimiter whose line begins at `from` or later; of those on the same line, the innermost. */
  const nextDelimiter = (from: number): Delimiter | undefined => {
    for (let least = Math.max(0, from - 1); ; ) {
      let level = -1
      for (const [index, multipart] of open.entries()) {
        if (multipart.found < least) multipart.found = findOrEnd(raw, multipart.delimiter, least)
        if (multipart.found <= (open[level]?.found ?? raw.length - 1)) level = index
      }
      const nearest = open[level]
      if (!nearest) return undefined
      const { found } = nearest
      for (; level >= 0; level--) {
        const delimiter = open[level]?.found === found ? delimiterAt(found + 1, level) : undefined
        if (delimiter) return delimiter
      }
      least = found + 1
    }
  }

  /** Where the header of a part ends: at an empty line, at a delimiter, or where nobody's header would go on. */
  const headerEnd = (from: number): { end: number; body: number } => {
    let start = from
    const limit = nextDelimiter(from)?.start ?? raw.length
    while (start < limit && start - from < LARGEST_PART_HEADER) {
      const end = lineEnd(start)
      const isEmpty = end === start || (end === start + 1 && raw[start] === CR)
      if (isEmpty) return { end: start, body: Math.min(end + 1, raw.length) }
      start = end + 1
    }
    return { end: Math.min(start, limit), body: Math.min(start, limit) }
  }

  /** From now on, lines of the message may be delimiters of this part. */
  const openMultipart = (part: Part): void => {
    const boundary = part.type.parameters.get('boundary') ?? ''
    if (part.multipart === undefined || boundary === '') return
    if (open.length < DEEPEST && boundary.length <= LONGEST_BOUNDARY)
      open.push({ part, delimiter: Buffer.from(`\n--${boundary}`), found: -1 })
    else isCut = true
  }

  const rootBody = Math.min(lineEnd(endOfHeader(raw)) + 1, raw.length)
  const root = partOf(header, undefined, rootBody)
  openMultipart(root)
  let current: Part | undefined = root
  let at = rootBody
  for (;;) {
    const delimiter = nextDelimiter(at)
    if (current) current.end = delimiter?.start ?? raw.length
    if (!delimiter) break
    const parent = (open[delimiter.level] as OpenMultipart).part
    open.length = delimiter.isLast ? delimiter.level : delimiter.level + 1
    at = delimiter.next
    current = undefined
    if (delimiter.isLast) continue
    const { end, body } = headerEnd(at)
    headerBytes += end - at
    if (++count > MOST_PARTS || headerBytes > LARGEST_HEADERS) {
      isCut = true
      break
    }
    current = partOf(fieldsIn(raw.subarray(at, end)), parent.multipart, body)
    parent.parts.push(current)
    openMultipart(current)
    at = body
  }
  return { root, isCut }
}
