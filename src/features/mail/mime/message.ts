import { textOfHtml } from '../html/sanitizer.ts'
import type { MessageSecurity } from '../messages/email-security.ts'
import { type Address, readAddresses } from './addresses.ts'
import { decodeText, decodeUnlabelled } from './charsets.ts'
import {
  decodeWords,
  fieldsNamed,
  findHeaderEnd,
  type HeaderField,
  readHeader,
  replaceComments,
} from './header-fields.ts'
import { type MailingList, readMailingList } from './list-fields.ts'
import { type MessagePart, type Part, splitParts, toSafeFilename } from './parts.ts'
import { classifySecurity, createEncrypted, readArmor } from './security.ts'

/*
 * Decodes Content-Transfer-Encodings (RFC 2045, section 6) and tolerates common errors. Examples: base64 with
 * padding on every line, invalid quoted-printable escapes. Each decoder makes one pass over the bytes,
 * whatever the line length.
 */

const LF = 0x0a
const CR = 0x0d
const EQUALS = 0x3d

/** Shrinks the buffer in place. A copy of a large attachment might exceed the memory. */
const truncate = (bytes: Uint8Array<ArrayBuffer>, length: number): Buffer<ArrayBuffer> =>
  Buffer.from(bytes.length === length ? bytes.buffer : bytes.buffer.transfer(length))

const BASE64 = new Uint8Array(256).fill(255)
for (const [value, character] of [
  ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
].entries())
  BASE64[character.charCodeAt(0)] = value

/** Padding ends a group, because some programs pad every line. Other characters are ignored. */
const decodeBase64 = (body: Uint8Array): Buffer<ArrayBuffer> => {
  const bytes = new Uint8Array(Math.ceil((body.length * 3) / 4))
  let length = 0
  let bits = 0
  let count = 0
  for (let at = 0; at < body.length; at++) {
    const byte = body[at] as number
    const value = BASE64[byte] as number
    if (value < 64) {
      bits = (bits << 6) | value
      if (++count < 4) continue
      bytes[length++] = bits >> 16
      bytes[length++] = bits >> 8
      bytes[length++] = bits
    } else if (byte === EQUALS) {
      if (count >= 2) bytes[length++] = count === 2 ? bits >> 4 : bits >> 10
      if (count === 3) bytes[length++] = bits >> 2
    } else continue
    bits = 0
    count = 0
  }
  if (count >= 2) bytes[length++] = count === 2 ? bits >> 4 : bits >> 10
  if (count === 3) bytes[length++] = bits >> 2
  return truncate(bytes, length)
}

const hexValue = (byte: number | undefined): number => {
  if (byte === undefined) return -1
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1
}

const decodeQuotedPrintable = (body: Uint8Array): Buffer<ArrayBuffer> => {
  const bytes = new Uint8Array(body.length + 1)
  let length = 0
  for (let start = 0; start < body.length; ) {
    const found = body.indexOf(LF, start)
    const next = found < 0 ? body.length : found + 1
    let end = found < 0 ? body.length : found
    while (end > start && body[end - 1] === CR) end--
    const isSoft = end > start && body[end - 1] === EQUALS
    if (isSoft) end--
    for (let at = start; at < end; at++) {
      const byte = body[at] as number
      const high = byte === EQUALS && at + 2 < end ? hexValue(body[at + 1]) : -1
      const low = high < 0 ? -1 : hexValue(body[at + 2])
      bytes[length++] = low < 0 ? byte : (high << 4) | low
      if (low >= 0) at += 2
    }
    if (!isSoft) bytes[length++] = LF
    start = next
  }
  return truncate(bytes, length)
}

/** Copies the bytes and normalizes line endings to LF. */
const decodeLines = (body: Uint8Array): Buffer<ArrayBuffer> => {
  const bytes = new Uint8Array(body.length + 1)
  let length = 0
  for (let at = 0; at < body.length; at++) {
    const byte = body[at] as number
    if (byte === LF) while (length > 0 && bytes[length - 1] === CR) length--
    bytes[length++] = byte
  }
  while (length > 0 && bytes[length - 1] === CR) length--
  if (length > 0 && bytes[length - 1] !== LF) bytes[length++] = LF
  return truncate(bytes, length)
}

/** Decodes the content of a body into a separate buffer. */
export const decodeTransfer = (body: Uint8Array, encoding: string): Buffer<ArrayBuffer> => {
  if (encoding.includes('base64')) return decodeBase64(body)
  return encoding.includes('quoted-printable') ? decodeQuotedPrintable(body) : decodeLines(body)
}

export interface Bodies {
  text: string | null
  /** The original HTML. Sanitize it before displaying it. */
  html: string | null
  attachments: MessagePart[]
  /** True if a limit was reached and content is missing. */
  isTruncated: boolean
  security: MessageSecurity | null
}

/** Limit in bytes, separately for text and HTML. It bounds the time of all later processing. */
export const MAX_TEXT_BYTES = 1024 * 1024
/** A larger calendar is not converted to UTF-8. */
const MAX_CALENDAR_BYTES = 5 * 1024 * 1024
export const MAX_ATTACHMENTS = 500
const MAX_ID_LENGTH = 500

type TextKind = 'text' | 'html'
type Texts = Partial<Record<TextKind, string[]>>

/** RFC 3676: a line that ends in a space continues on the next line. */
const decodeFlowed = (text: string, deletesSpace: boolean): string => {
  const pieces: string[] = []
  const lines = text.split(/\r?\n/)
  for (const [index, rawLine] of lines.entries()) {
    const line = rawLine.startsWith(' ') ? rawLine.slice(1) : rawLine
    const isLast = index === lines.length - 1
    const isSoft = line.endsWith(' ') && line !== '-- ' && !isLast
    pieces.push(isSoft && deletesSpace ? line.slice(0, -1) : line)
    if (!isSoft && !isLast) pieces.push('\n')
  }
  return pieces.join('')
}

const ESCAPES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '"': '&quot;', '&': '&amp;' }
const textToHtml = (text: string): string =>
  `<div>${text
    .trim()
    .replace(/[<>"&]/g, (character) => ESCAPES[character] as string)
    .replaceAll('\n', '<br>')}</div>`

const toTextKind = ({ type, disposition }: Part): TextKind | undefined => {
  if (disposition.value === 'attachment') return undefined
  return type.value === 'text/plain' ? 'text' : type.value === 'text/html' ? 'html' : undefined
}

const CONTENT_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/
const CALENDAR = /^(?:text\/calendar|application\/ics)$/

/** Reduces trailing line breaks to one. */
const endWithLineBreak = (text: string): string => {
  let end = text.length
  while (end > 0 && text[end - 1] === '\n') end--
  return `${text.slice(0, end)}\n`
}

const nonEmpty = (text: string): string | null => (text.trim() === '' ? null : text)

/** Splits the body of a message into text, HTML and attachments. */
export const readBodies = (raw: Buffer, header: readonly HeaderField[]): Bodies => {
  const { root, isTruncated: arePartsTruncated } = splitParts(raw, header)
  let isTruncated = arePartsTruncated
  const remainingBytes: Record<TextKind, number> = { text: MAX_TEXT_BYTES, html: MAX_TEXT_BYTES }
  /** Texts by their `multipart/alternative` part, or by the text part itself. */
  const texts = new Map<Part, Texts>()
  const attachments: MessagePart[] = []

  const addText = (part: Part, kind: TextKind, container: Part): void => {
    // Encoded text is up to three times as long. Bytes beyond that would be dropped anyway.
    const body = raw.subarray(part.start, Math.min(part.end, part.start + 3 * remainingBytes[kind]))
    const content = decodeTransfer(body, part.encoding)
    if (body.length < part.end - part.start || content.length > remainingBytes[kind]) isTruncated = true
    const bytes = content.subarray(0, remainingBytes[kind])
    remainingBytes[kind] -= bytes.length
    const { parameters } = part.type
    const decoded = decodeText(bytes, parameters.get('charset') ?? '')
    const isFlowed = parameters.get('format')?.toLowerCase() === 'flowed'
    const deletesSpace = parameters.get('delsp')?.toLowerCase() === 'yes'
    const entry = texts.get(container) ?? {}
    entry[kind] = [...(entry[kind] ?? []), isFlowed ? decodeFlowed(decoded, deletesSpace) : decoded]
    texts.set(container, entry)
  }

  const addAttachment = (part: Part): void => {
    if (attachments.length >= MAX_ATTACHMENTS) {
      isTruncated = true
      return
    }
    const { value, parameters } = part.type
    const contentType = CONTENT_TYPE.test(value) ? value : 'application/octet-stream'
    const filename = part.disposition.parameters.get('filename') || parameters.get('name') || ''
    const content = decodeTransfer(raw.subarray(part.start, part.end), part.encoding)
    attachments.push({
      filename: toSafeFilename(filename, contentType, attachments.length + 1),
      contentType,
      contentId: part.contentId.replace(/^<|>$/g, '').slice(0, MAX_ID_LENGTH) || null,
      content:
        CALENDAR.test(value) && content.length <= MAX_CALENDAR_BYTES
          ? Buffer.from(
              endWithLineBreak(decodeText(content, parameters.get('charset') ?? '').replaceAll('\r\n', '\n')),
            )
          : content,
    })
  }

  const collect = (part: Part, alternative: Part | undefined): void => {
    const container = part.multipart === 'alternative' ? part : alternative
    for (const child of part.parts) collect(child, container)
    if (part.multipart !== undefined) return
    const kind = toTextKind(part)
    if (kind === undefined) addAttachment(part)
    else addText(part, kind, alternative ?? part)
  }

  collect(root, undefined)
  /** If the message has this form at all, converts the texts that exist only in the other form. */
  const join = (kind: TextKind): string | null => {
    const entries = [...texts.values()]
    if (!entries.some((entry) => entry[kind])) return null
    const [other, convert] =
      kind === 'html' ? (['text', textToHtml] as const) : (['html', textOfHtml] as const)
    return nonEmpty(entries.flatMap((entry) => entry[kind] ?? (entry[other] ?? []).map(convert)).join('\n'))
  }
  const text = join('text')
  const security = classifySecurity(root, attachments, text)
  const armor = security === null && attachments.length < MAX_ATTACHMENTS ? readArmor(text) : undefined
  if (armor) attachments.push(armor)
  return {
    text,
    html: join('html'),
    attachments,
    isTruncated,
    security: armor ? createEncrypted('openpgp', attachments.length - 1) : security,
  }
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** Zone names of RFC 5322, section 4.3, in minutes. Any other name counts as UTC. */
const ZONES: Readonly<Record<string, number>> = {
  edt: -240,
  est: -300,
  cdt: -300,
  cst: -360,
  mdt: -360,
  mst: -420,
  pdt: -420,
  pst: -480,
}

const DAY_FIRST =
  /^(?:[a-z]{3,9}\.?,?\s+)?(?<day>\d{1,2})[\s-]+(?<month>[a-z]{3,9})\.?,?[\s-]+(?<year>\d{2,4})[,\s]+(?<hour>\d{1,2}):(?<minute>\d{1,2})(?::(?<second>\d{1,2})(?:\.\d+)?)?\s*(?<meridiem>am|pm)?\s*(?<zone>.*)$/i
const MONTH_FIRST =
  /^(?:[a-z]{3,9}\.?,?\s+)?(?<month>[a-z]{3,9})\.?\s+(?<day>\d{1,2})(?:,\s*(?<early>\d{4}))?[,\s]+(?:at\s+)?(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2}))?\s*(?<meridiem>am|pm)?\s*(?:(?<zone>[a-z]{1,5}|[+-]\d{4})\s+)?(?<late>\d{4})?\s*(?<rest>.*)$/i
const ISO = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?\s?(Z|[+-]\d{2}:?\d{2})?)?$/i

const parseZoneMinutes = (zone: string): number => {
  const [, sign, hours, minutes] = /^(?:utc|gmt)?([+-])(\d{2}):?(\d{2})/i.exec(zone) ?? []
  if (hours === undefined) return ZONES[/^[a-z]+/i.exec(zone)?.[0].toLowerCase() ?? ''] ?? 0
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

/** RFC 5322, section 4.3: two digits below 50 mean 20xx, three digits are added to 1900. */
const parseYear = (digits: string): number => {
  const year = Number(digits)
  if (digits.length >= 4) return year
  return digits.length === 3 ? 1900 + year : year < 50 ? 2000 + year : 1900 + year
}

type DateParts = Partial<Record<string, string>>

const toDate = (parts: DateParts, year: number, zone: string): Date | undefined => {
  const month = MONTHS.indexOf(parts.month?.slice(0, 3).toLowerCase() ?? '')
  const [day, minute, second] = [Number(parts.day), Number(parts.minute), Number(parts.second ?? 0)]
  let hour = Number(parts.hour)
  if (parts.meridiem && hour <= 12) hour = (hour % 12) + (parts.meridiem.toLowerCase() === 'pm' ? 12 : 0)
  if (month < 0 || day < 1 || day > 31 || hour > 24 || minute > 59 || second > 60) return undefined
  const date = new Date(0)
  date.setUTCFullYear(year, month, day)
  date.setUTCHours(hour, minute - parseZoneMinutes(zone), second, 0)
  return Number.isNaN(date.getTime()) ? undefined : date
}

const readDayFirst = (text: string): Date | undefined => {
  const parts: DateParts | undefined = DAY_FIRST.exec(text)?.groups
  return parts && toDate(parts, parseYear(parts.year ?? ''), parts.zone ?? '')
}

const readMonthFirst = (text: string): Date | undefined => {
  const parts: DateParts | undefined = MONTH_FIRST.exec(text)?.groups
  const year = parts?.early ?? parts?.late
  return parts && year ? toDate(parts, Number(year), parts.zone ?? parts.rest ?? '') : undefined
}

const readIso = (text: string): Date | undefined => {
  if (!ISO.test(text)) return undefined
  const hasZone = /(Z|[+-]\d{2}:?\d{2})$/i.test(text.slice(10))
  const date = new Date(text.length > 10 && !hasZone ? `${text}Z` : text)
  return Number.isNaN(date.getTime()) ? undefined : date
}

/** RFC 3339, the format of all dates in the API, requires four-digit years. A zone offset may exceed them. */
const hasFourDigitYear = (date: Date | undefined): boolean =>
  date !== undefined && /^\d/.test(date.toISOString())

const MAX_DATE_LENGTH = 500

/** Parses a Date field: RFC 5322 with its obsolete forms, and other formats that programs write. */
export const readDate = (field: string): Date | undefined => {
  // In a trace field, the date follows the semicolon.
  const text = replaceComments(field.slice(0, MAX_DATE_LENGTH).replace(/^.*;/s, ''))
    .replace(/\s+/g, ' ')
    .trim()
  const date = readDayFirst(text) ?? readMonthFirst(text) ?? readIso(text)
  return hasFourDigitYear(date) ? date : undefined
}

/** A parsed message. Missing or invalid fields are null or empty. */
export interface ParsedMessage extends Bodies {
  messageId: string | null
  inReplyTo: string | null
  /** Oldest first. */
  references: string[]
  from: Address | null
  to: Address[]
  cc: Address[]
  bcc: Address[]
  replyTo: Address[]
  subject: string
  date: Date | null
  mailingList: MailingList | null
  /** Sent by a program, for example an out-of-office reply. */
  isAutomatic: boolean
}

const MAX_REFERENCES = 100
const MAX_SUBJECT_LENGTH = 2_000
/** Limit before decoding. Encoding makes a subject longer, but less than this factor. */
const MAX_SUBJECT_FIELD_LENGTH = 20_000

/** Extracts the ids in angle brackets unchanged. Text between them is ignored. */
const parseIds = (values: readonly string[]): string[] =>
  values
    .flatMap((value) => [...value.matchAll(/<([^<>\s]+)>/g)].map(([, id]) => id as string))
    .filter((id) => id.length <= MAX_ID_LENGTH)

/** A single id may lack its angle brackets. */
const parseId = (value: string | undefined): string | null => {
  if (value === undefined) return null
  const [first] = parseIds([value])
  if (first !== undefined) return first
  const bare = value.replace(/^<|>$/g, '').trim()
  return /^[^\s<>]+@[^\s<>]+$/.test(bare) && bare.length <= MAX_ID_LENGTH ? bare : null
}

/** Merges repeated fields into one list without duplicates. */
const readAddressFields = (fields: readonly HeaderField[], name: string): Address[] => {
  const seen = new Map<string, Address>()
  for (const address of fieldsNamed(fields, name).flatMap(readAddresses)) {
    const key = `${address.address.toLowerCase() || address.name}`
    if (!seen.has(key)) seen.set(key, address)
  }
  return [...seen.values()]
}

/** RFC 3834 section 5, and the fields of older programs. */
const isAutomatic = (fields: readonly HeaderField[]): boolean =>
  fieldsNamed(fields, 'auto-submitted').some((value) => !/^\s*no\b/i.test(value)) ||
  fieldsNamed(fields, 'precedence').some((value) => /auto_reply/i.test(value)) ||
  ['x-autoreply', 'x-autorespond', 'x-failed-recipients'].some((name) => fieldsNamed(fields, name).length > 0)

const readEnvelope = (fields: readonly HeaderField[]) => {
  const last = (name: string): string | undefined => fieldsNamed(fields, name).at(-1)
  const references = [...new Set(parseIds(fieldsNamed(fields, 'references')))].slice(-MAX_REFERENCES)
  const [from = readAddresses(last('sender') ?? '')[0] ?? null] = fieldsNamed(fields, 'from').flatMap(
    readAddresses,
  )
  return {
    messageId: parseId(last('message-id')),
    inReplyTo: parseIds(fieldsNamed(fields, 'in-reply-to'))[0] ?? null,
    references,
    from,
    to: readAddressFields(fields, 'to'),
    cc: readAddressFields(fields, 'cc'),
    bcc: readAddressFields(fields, 'bcc'),
    replyTo: readAddressFields(fields, 'reply-to'),
    subject: decodeWords((last('subject') ?? '').slice(0, MAX_SUBJECT_FIELD_LENGTH))
      .replace(/[\r\n\t ]+/g, ' ')
      .trim()
      .slice(0, MAX_SUBJECT_LENGTH),
    date:
      fieldsNamed(fields, 'date')
        .map(readDate)
        .findLast((date) => date !== undefined) ?? null,
    mailingList: readMailingList(fields, from?.address ?? ''),
    isAutomatic: isAutomatic(fields),
  }
}

/** The fallback if the parts cannot be parsed: everything after the header is text. */
const readPlainBody = (raw: Buffer): Bodies => {
  const text = decodeUnlabelled(raw.subarray(findHeaderEnd(raw)).subarray(0, MAX_TEXT_BYTES)).trimStart()
  return {
    text: text === '' ? null : text,
    html: null,
    attachments: [],
    isTruncated: raw.length > MAX_TEXT_BYTES,
    security: null,
  }
}

/**
 * Removes NUL and unpaired surrogates, which the databases reject. Runs last, because decoding can produce
 * NUL and truncation can split a surrogate pair.
 */
const toStorable = <T>(value: T): T => {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed() as T
  if (Array.isArray(value)) return value.map(toStorable) as T
  if (value === null || typeof value !== 'object' || value instanceof Date || Buffer.isBuffer(value))
    return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, toStorable(inner)])) as T
}

const readBodiesSafely = (raw: Buffer, fields: readonly HeaderField[]): Bodies => {
  try {
    return readBodies(raw, fields)
  } catch {
    return readPlainBody(raw)
  }
}

/**
 * Parses a message and never fails. If the body cannot be parsed, it becomes plain text and the header is
 * kept.
 */
export const readMessage = (raw: Buffer): ParsedMessage => {
  const fields = readHeader(raw)
  return toStorable({ ...readEnvelope(fields), ...readBodiesSafely(raw, fields) })
}
