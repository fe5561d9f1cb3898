import { type GivenContent, type InlineAttachment, type MarkedContent, makeContent } from './content.ts'
import { sanitiseAgain } from './html.ts'
import { type MessageSource, toSource } from './message-source.ts'
import { type ParsedMessage, readMessage } from './mime/message.ts'

/* Tasks that process untrusted content in a worker thread. */

const toBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)

export interface MessageInput {
  raw: Uint8Array
  mark: string
  /** Ids for the attachments, in their order. */
  ids: readonly string[]
}

export interface MessageOutput {
  message: ParsedMessage
  content: MarkedContent
}

/** Parses a message and sanitizes its bodies. */
export const readWhole = ({ raw, mark, ids }: MessageInput): MessageOutput => {
  const message = readMessage(toBuffer(raw))
  const files = message.attachments.map(({ contentId }, index) => ({ id: ids[index] as string, contentId }))
  return { message, content: makeContent(message, files, mark) }
}

/** The original HTML and the machine-readable parts of a message. */
export const readSource = ({ raw }: { raw: Uint8Array }): MessageSource =>
  toSource(readMessage(toBuffer(raw)))

export interface ContentInput {
  given: GivenContent
  attachments: readonly InlineAttachment[]
  mark: string
}

export const prepareContent = ({ given, attachments, mark }: ContentInput): MarkedContent =>
  makeContent(given, attachments, mark)

export const sanitiseKept = ({ html, emailId }: { html: string; emailId: number }): string =>
  sanitiseAgain(html, emailId)
