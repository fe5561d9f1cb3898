import { type GivenContent, type Inlined, type MarkedContent, makeContent } from './content.ts'
import { sanitiseAgain } from './html.ts'
import { type ParsedMessage, readMessage } from './mime/message.ts'

/* What is done with the bytes of strangers, as tasks for a worker thread. */

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)

export interface MessageInput {
  raw: Uint8Array
  mark: string
  /** For the attachments, in their order. */
  ids: readonly string[]
}

export interface MessageOutput {
  message: ParsedMessage
  content: MarkedContent
}

/** Reads a message and makes its bodies fit to be shown. */
export const readWhole = ({ raw, mark, ids }: MessageInput): MessageOutput => {
  const message = readMessage(bufferOf(raw))
  const files = message.attachments.map(({ contentId }, index) => ({ id: ids[index] as string, contentId }))
  return { message, content: makeContent(message, files, mark) }
}

/** The HTML of a message as it came. */
export const readHtml = (raw: Uint8Array): string | null => readMessage(bufferOf(raw)).html

export interface ContentInput {
  given: GivenContent
  attachments: readonly Inlined[]
  mark: string
}

export const prepareContent = ({ given, attachments, mark }: ContentInput): MarkedContent =>
  makeContent(given, attachments, mark)

export const sanitiseKept = ({ html, emailId }: { html: string; emailId: number }): string =>
  sanitiseAgain(html, emailId)
