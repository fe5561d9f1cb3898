import { type Address, readAddresses } from './mime/addresses.ts'
import { readDate } from './mime/dates.ts'
import { decodeWords } from './mime/encoded-words.ts'
import { fieldsNamed, readHeader } from './mime/header-fields.ts'
import type { ParsedMessage } from './mime/message.ts'

/** How much of a message is read for its header when the message as a whole cannot be read. */
const HEAD_BYTES = 64 * 1024
const LONGEST_FIELD = 2_000
const LONGEST_ID = 500

/** What a mail server says of a message without handing it over (IMAP's ENVELOPE). */
export interface KnownEnvelope {
  messageId: string | null
  subject: string
  from: Address | null
}

interface Envelope extends KnownEnvelope {
  date: Date | null
}

const toKeepable = (text: string): string =>
  text.slice(0, LONGEST_FIELD).replaceAll('\0', '').replace(/\s+/g, ' ').trim().toWellFormed()

const toAddress = (address: Address | null | undefined): Address | null =>
  address ? { name: toKeepable(address.name), address: toKeepable(address.address) } : null

const toMessageId = (field: string | null | undefined): string | null => {
  const [, id = null] = /<([^<>\s]+)>/.exec(field ?? '') ?? []
  return id !== null && id.length <= LONGEST_ID ? toKeepable(id) : null
}

/** Reads subject, sender, date and id from the first bytes of a message. Each field is cut before it is decoded. */
const readEnvelope = (head: Buffer): Envelope => {
  const fields = readHeader(head.subarray(0, HEAD_BYTES))
  const last = (name: string): string | undefined => fieldsNamed(fields, name).at(-1)?.slice(0, LONGEST_FIELD)
  return {
    messageId: toMessageId(last('message-id')),
    subject: toKeepable(decodeWords(last('subject') ?? '')),
    from: toAddress(readAddresses(last('from') ?? last('sender') ?? '')[0]),
    date: readDate(last('date') ?? '') ?? null,
  }
}

/** The header where it can be read; what the mail server says of the message where it cannot. */
const toEnvelope = (head: Buffer | null, known: KnownEnvelope): Envelope => {
  const said: Envelope = {
    messageId: toMessageId(known.messageId),
    subject: toKeepable(known.subject),
    from: toAddress(known.from),
    date: null,
  }
  if (head === null) return said
  try {
    const read = readEnvelope(head)
    return {
      messageId: read.messageId ?? said.messageId,
      subject: read.subject || said.subject,
      from: read.from ?? said.from,
      date: read.date,
    }
  } catch {
    return said
  }
}

/** The message that stands in for one that could not be read: its envelope, and a text that says why. */
export const toUnreadableMessage = (
  given: { head: Buffer | null; hasRaw: boolean; reason: string },
  known: KnownEnvelope,
): ParsedMessage => ({
  ...toEnvelope(given.head, known),
  inReplyTo: null,
  references: [],
  to: [],
  cc: [],
  bcc: [],
  replyTo: [],
  mailingList: null,
  text: `This message could not be read. ${given.reason} ${
    given.hasRaw
      ? 'Download the original message to open it in another program.'
      : 'Open it in your mail provider’s own program.'
  }`,
  html: null,
  attachments: [],
  isCut: false,
})
