import { sanitizeAgain } from '../html/sanitizer.ts'
import { type ParsedMessage, readMessage } from '../mime/message.ts'
import { hasSmimeSignature } from '../mime/security.ts'
import { type GivenContent, type InlineAttachment, type MarkedContent, makeContent } from './content.ts'
import { type MessageSource, toSource } from './message-source.ts'

/* Tasks that process untrusted content in a worker thread. */

const toBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)

/** The time is undefined if the signature is not to be checked. */
interface SignedInput {
  raw: Uint8Array
  now: number | undefined
}

/** The ASN.1 library takes long to load, and few messages need it. */
const readSigned = async ({ raw, now }: SignedInput): Promise<ParsedMessage> => {
  const bytes = toBuffer(raw)
  const message = readMessage(bytes)
  if (now === undefined || !hasSmimeSignature(message.security)) return message
  const { readSignedMessage } = await import('../mime/smime.ts')
  return readSignedMessage(bytes, { now })
}

export interface MessageInput extends SignedInput {
  mark: string
  /** Ids for the attachments, in their order. */
  ids: readonly string[]
}

export interface MessageOutput {
  message: ParsedMessage
  content: MarkedContent
}

/** Parses a message and sanitizes its bodies. */
export const readWhole = async ({ mark, ids, ...input }: MessageInput): Promise<MessageOutput> => {
  const message = await readSigned(input)
  const files = message.attachments.map(({ contentId }, index) => ({ id: ids[index] as string, contentId }))
  return { message, content: makeContent(message, files, mark) }
}

/** The original HTML and the machine-readable parts of a message. */
export const readSource = async (input: SignedInput): Promise<MessageSource> =>
  toSource(await readSigned(input))

export interface ContentInput {
  given: GivenContent
  attachments: readonly InlineAttachment[]
  mark: string
}

export const prepareContent = ({ given, attachments, mark }: ContentInput): MarkedContent =>
  makeContent(given, attachments, mark)

export const sanitizeKept = ({ html, emailId }: { html: string; emailId: number }): string =>
  sanitizeAgain(html, emailId)
