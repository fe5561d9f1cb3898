import { createRequire } from 'node:module'
import type { Attachment, Email } from 'postal-mime'
import { type Address, readAddresses } from './addresses.ts'
import { decodeCharset, decodeUnlabelled } from './charsets.ts'
import { readDate } from './dates.ts'
import { decodeWords } from './encoded-words.ts'
import { fieldsNamed, type HeaderField, readHeader, withBodyFields } from './header-fields.ts'
import { type MailingList, mailingListOf } from './list-fields.ts'
import { asWestern, fromAscii, isAscii, isNoUtf8, saysAscii } from './mislabelled.ts'

const require = createRequire(import.meta.url)

export interface MessagePart {
  filename: string
  contentType: string
  /** What `cid:` names it by. */
  contentId: string | null
  content: Buffer
}

/** What a message says, as far as it can be told. */
export interface ParsedMessage {
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
  text: string | null
  /** As it came: not fit to be shown. */
  html: string | null
  attachments: MessagePart[]
}

const MOST_PARTS = 500
const MOST_REFERENCES = 100
const LONGEST_ID = 500
const LONGEST_SUBJECT = 2_000
/** As it is written: encoding makes it longer, not as much longer as this. */
const LONGEST_SUBJECT_FIELD = 20_000
/** Lines that may begin a part. A message that has more is not taken apart: it would keep others waiting. */
const MOST_DIVISIONS = 5_000
/** Where a message says how it is written. */
const LABELLED = 64 * 1024
/** What is larger is not taken apart a second time. */
const LARGEST_REREAD = 5 * 1024 * 1024
const LONGEST_NAME = 200

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

/** A name that a disk would take, whatever the sender thought of it. */
export const tidyFilename = (name: string, contentType: string, number: number): string => {
  const last = name.split(/[\\/]/).at(-1) as string
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const tidy = last.replace(/[\0-\x1f\x7f\u202a-\u202e\u2066-\u2069]/g, '').trim()
  if (tidy !== '' && !/^\.+$/.test(tidy)) return tidy.slice(-LONGEST_NAME).toWellFormed()
  const extension = EXTENSIONS[contentType] ?? (/^[\w.+-]+\/([\w.-]{1,10})$/.exec(contentType)?.[1] || 'bin')
  return `attachment-${number}.${extension}`
}

const CONTENT_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/

const partOf = (attachment: Attachment, index: number): MessagePart => {
  const { content } = attachment
  const contentType = CONTENT_TYPE.test(attachment.mimeType)
    ? attachment.mimeType.toLowerCase()
    : 'application/octet-stream'
  return {
    filename: tidyFilename(attachment.filename ?? '', contentType, index + 1),
    contentType,
    contentId: attachment.contentId?.replace(/^<|>$/g, '').slice(0, LONGEST_ID) || null,
    content: typeof content === 'string' ? Buffer.from(content) : Buffer.from(content as ArrayBuffer),
  }
}

const wordsIn = (text: string | undefined): string | null =>
  text === undefined || text.trim() === '' ? null : text

/** The one charset of mail that the decoders of the web leave out. It is all ASCII, so it can be decoded afterwards. */
const fromUtf7 = (text: string): string =>
  /\+[\w/]+-?/.test(text) ? decodeCharset(Buffer.from(text, 'latin1'), 'utf-7') : text

type Content = Pick<ParsedMessage, 'text' | 'html' | 'attachments'>

/** When nothing can be made of its parts, what follows the header is the text. */
const plainContent = (raw: Buffer): Content => {
  const text = decodeUnlabelled(raw.subarray(0, 1024 * 1024)).replace(/^[\s\S]*?\r?\n\r?\n/, '')
  return { text: wordsIn(text), html: null, attachments: [] }
}

const hasTooManyDivisions = (raw: Buffer): boolean => {
  let count = 0
  for (let at = raw.indexOf('\n--'); at >= 0 && count <= MOST_DIVISIONS; at = raw.indexOf('\n--', at + 3))
    count++
  return count > MOST_DIVISIONS
}

const partsOf = async (raw: Buffer): Promise<Email> => {
  const { default: PostalMime } = require('postal-mime') as typeof import('postal-mime')
  return PostalMime.parse(raw, { forceRfc822Attachments: true })
}

type Words = Pick<Content, 'text' | 'html'>

const wordsOf = ({ text, html }: Email): Words => ({ text: wordsIn(text), html: wordsIn(html) })

const eachOf = ({ text, html }: Words, change: (words: string) => string): Words => ({
  text: text && change(text),
  html: html && change(html),
})

/** What is said in a message, whatever it says of how that is written. */
const readable = async (words: Words, raw: Buffer): Promise<Words> => {
  const labels = (): string => raw.toString('latin1', 0, LABELLED)
  if (raw.includes('-7') && /charset\s*=\s*"?(?:unicode-1-1-)?utf-7/i.test(labels()))
    return eachOf(words, fromUtf7)
  if (isAscii(words.text ?? '') && isAscii(words.html ?? '')) return words
  if (saysAscii(labels())) return eachOf(words, fromAscii)
  const [text, html] = [isNoUtf8(words.text ?? ''), isNoUtf8(words.html ?? '')]
  if ((!text && !html) || raw.length > LARGEST_REREAD) return words
  const western = wordsOf(await partsOf(asWestern(raw)))
  return { text: text ? western.text : words.text, html: html ? western.html : words.html }
}

const contentOf = async (raw: Buffer): Promise<Content> => {
  if (hasTooManyDivisions(raw)) return plainContent(raw)
  const body = withBodyFields(raw)
  const parsed = await partsOf(body)
  return {
    ...(await readable(wordsOf(parsed), body)),
    attachments: parsed.attachments.slice(0, MOST_PARTS).map(partOf),
  }
}

/** As both databases keep it. Done last: any decoding on the way can make a NUL, and any cut half a surrogate pair. */
const keepable = <T>(value: T): T => {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed() as T
  if (Array.isArray(value)) return value.map(keepable) as T
  if (value === null || typeof value !== 'object' || value instanceof Date || Buffer.isBuffer(value))
    return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, keepable(inner)])) as T
}

/** Reads a message. Whatever it is, something comes of it: a parser that gives up costs the parts, not the message. */
export const readMessage = async (raw: Buffer): Promise<ParsedMessage> => {
  const envelope = envelopeOf(readHeader(raw))
  try {
    return keepable({ ...envelope, ...(await contentOf(raw)) })
  } catch {
    return keepable({ ...envelope, ...plainContent(raw) })
  }
}
