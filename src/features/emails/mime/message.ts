import { type Address, readAddresses } from './addresses.ts'
import { type Bodies, LARGEST_TEXT, readBodies } from './bodies.ts'
import { decodeUnlabelled } from './charsets.ts'
import { readDate } from './dates.ts'
import { decodeWords } from './encoded-words.ts'
import { endOfHeader, fieldsNamed, type HeaderField, readHeader } from './header-fields.ts'
import { type MailingList, mailingListOf } from './list-fields.ts'

/** What a message says, as far as it can be told. */
export interface ParsedMessage extends Bodies {
  messageId: string | null
  inReplyTo: string | null
  /** The oldest first. */
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

const MOST_REFERENCES = 100
const LONGEST_ID = 500
const LONGEST_SUBJECT = 2_000
/** As it is written: encoding makes it longer, not as much longer as this. */
const LONGEST_SUBJECT_FIELD = 20_000

/** Message ids are compared as they are; what stands between them is nobody's business. */
const idsIn = (values: readonly string[]): string[] =>
  values
    .flatMap((value) => [...value.matchAll(/<([^<>\s]+)>/g)].map(([, id]) => id as string))
    .filter((id) => id.length <= LONGEST_ID)

/** A single id need not have its brackets to be meant. */
const idIn = (value: string | undefined): string | null => {
  if (value === undefined) return null
  const [first] = idsIn([value])
  if (first !== undefined) return first
  const bare = value.replace(/^<|>$/g, '').trim()
  return /^[^\s<>]+@[^\s<>]+$/.test(bare) && bare.length <= LONGEST_ID ? bare : null
}

/** A field that came twice is read as one list, each address once. */
const addressesIn = (fields: readonly HeaderField[], name: string): Address[] => {
  const seen = new Map<string, Address>()
  for (const address of fieldsNamed(fields, name).flatMap(readAddresses)) {
    const key = `${address.address.toLowerCase() || address.name}`
    if (!seen.has(key)) seen.set(key, address)
  }
  return [...seen.values()]
}

const envelopeOf = (fields: readonly HeaderField[]) => {
  const last = (name: string): string | undefined => fieldsNamed(fields, name).at(-1)
  const references = [...new Set(idsIn(fieldsNamed(fields, 'references')))].slice(-MOST_REFERENCES)
  const [from = readAddresses(last('sender') ?? '')[0] ?? null] = fieldsNamed(fields, 'from').flatMap(
    readAddresses,
  )
  return {
    messageId: idIn(last('message-id')),
    inReplyTo: idsIn(fieldsNamed(fields, 'in-reply-to'))[0] ?? null,
    references,
    from,
    to: addressesIn(fields, 'to'),
    cc: addressesIn(fields, 'cc'),
    bcc: addressesIn(fields, 'bcc'),
    replyTo: addressesIn(fields, 'reply-to'),
    subject: decodeWords((last('subject') ?? '').slice(0, LONGEST_SUBJECT_FIELD))
      .replace(/[\r\n\t ]+/g, ' ')
      .trim()
      .slice(0, LONGEST_SUBJECT),
    date:
      fieldsNamed(fields, 'date')
        .map(readDate)
        .findLast((date) => date !== undefined) ?? null,
    mailingList: mailingListOf(fields, from?.address ?? ''),
  }
}

/** When nothing can be made of its parts, what follows the header is the text. */
const plainBodies = (raw: Buffer): Bodies => {
  const text = decodeUnlabelled(raw.subarray(endOfHeader(raw)).subarray(0, LARGEST_TEXT)).trimStart()
  return { text: text === '' ? null : text, html: null, attachments: [], isCut: raw.length > LARGEST_TEXT }
}

/** As both databases keep it. Done last: any decoding on the way can make a NUL, and any cut half a surrogate pair. */
const keepable = <T>(value: T): T => {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed() as T
  if (Array.isArray(value)) return value.map(keepable) as T
  if (value === null || typeof value !== 'object' || value instanceof Date || Buffer.isBuffer(value))
    return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, keepable(inner)])) as T
}

const bodiesOf = (raw: Buffer, fields: readonly HeaderField[]): Bodies => {
  try {
    return readBodies(raw, fields)
  } catch {
    return plainBodies(raw)
  }
}

/** Reads a message. Whatever it is, something comes of it: a body that cannot be read costs the parts, not the message. */
export const readMessage = (raw: Buffer): ParsedMessage => {
  const fields = readHeader(raw)
  return keepable({ ...envelopeOf(fields), ...bodiesOf(raw, fields) })
}
