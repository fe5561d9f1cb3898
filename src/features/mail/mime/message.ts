import { type Address, readAddresses } from './addresses.ts'
import { type Bodies, MAX_TEXT_BYTES, readBodies } from './bodies.ts'
import { decodeUnlabelled } from './charsets.ts'
import {
  decodeWords,
  fieldsNamed,
  findHeaderEnd,
  type HeaderField,
  readHeader,
  replaceComments,
} from './header-fields.ts'
import { type MailingList, readMailingList } from './list-fields.ts'

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
  /^(?:[a-z]{3,9}\.?,?\s+)?(\d{1,2})[\s-]+([a-z]{3,9})\.?,?[\s-]+(\d{2,4})[,\s]+(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.\d+)?)?\s*(am|pm)?\s*(.*)$/i
const MONTH_FIRST =
  /^(?:[a-z]{3,9}\.?,?\s+)?([a-z]{3,9})\.?\s+(\d{1,2})(?:,\s*(\d{4}))?[,\s]+(?:at\s+)?(\d{1,2}):(\d{2})(?::(\d{2}))?\s*(am|pm)?\s*(?:([a-z]{1,5}|[+-]\d{4})\s+)?(\d{4})?\s*(.*)$/i
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

interface DateParts {
  year: number
  month: string
  day: string
  hour: string
  minute: string
  second: string | undefined
  meridiem: string | undefined
  zone: string
}

const toDate = (parts: DateParts): Date | undefined => {
  const month = MONTHS.indexOf(parts.month.slice(0, 3).toLowerCase())
  const [day, minute, second] = [Number(parts.day), Number(parts.minute), Number(parts.second ?? 0)]
  let hour = Number(parts.hour)
  if (parts.meridiem && hour <= 12) hour = (hour % 12) + (parts.meridiem.toLowerCase() === 'pm' ? 12 : 0)
  if (month < 0 || day < 1 || day > 31 || hour > 24 || minute > 59 || second > 60) return undefined
  const date = new Date(0)
  date.setUTCFullYear(parts.year, month, day)
  date.setUTCHours(hour, minute - parseZoneMinutes(parts.zone), second, 0)
  return Number.isNaN(date.getTime()) ? undefined : date
}

const readDayFirst = (text: string): Date | undefined => {
  const [whole, day, month, year, hour, minute, second, meridiem, zone] = DAY_FIRST.exec(text) ?? []
  if (whole === undefined) return undefined
  return toDate({
    year: parseYear(year as string),
    month,
    day,
    hour,
    minute,
    second,
    meridiem,
    zone,
  } as DateParts)
}

const readMonthFirst = (text: string): Date | undefined => {
  const [whole, month, day, early, hour, minute, second, meridiem, zone, late, rest] =
    MONTH_FIRST.exec(text) ?? []
  const year = early ?? late
  if (whole === undefined || year === undefined) return undefined
  return toDate({
    year: Number(year),
    month,
    day,
    hour,
    minute,
    second,
    meridiem,
    zone: zone ?? rest ?? '',
  } as DateParts)
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
}

const MAX_REFERENCES = 100
const MAX_ID_LENGTH = 500
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
