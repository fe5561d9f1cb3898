import { readAddresses } from '../mime/addresses.ts'
import { decodeWords, fieldsNamed, readHeader } from '../mime/header-fields.ts'
import { readDate } from '../mime/message.ts'

const HEAD_BYTES = 128 * 1024
const MAX_FIELD_LENGTH = 8 * 1024

/** The fields of a header that are needed before a message is parsed. */
export interface MessageHead {
  /** Without angle brackets. */
  messageId: string | null
  subject: string
  from: string
  date: string | null
  /** The decoded text of the last field with this name; empty if there is none. */
  field(name: string): string
}

/** Reads the header of a message without its body. */
export const readMessageHead = (raw: Buffer): MessageHead => {
  const fields = readHeader(raw.subarray(0, HEAD_BYTES))
  const last = (name: string): string => fieldsNamed(fields, name).at(-1)?.slice(0, MAX_FIELD_LENGTH) ?? ''
  const [id = ''] = /[^<>\s]+/.exec(last('message-id')) ?? []
  return {
    messageId: id === '' ? null : id,
    subject: decodeWords(last('subject')),
    from: readAddresses(last('from'))[0]?.address ?? '',
    date: readDate(last('date'))?.toISOString() ?? null,
    field: (name) => decodeWords(last(name)),
  }
}
