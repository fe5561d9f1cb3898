import { isTemporary } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import { randomId } from '../../../platform/random.ts'
import { runTask } from '../../../platform/workers/run-task.ts'
import { defineTask, type Task } from '../../../platform/workers/task.ts'
import { MAX_ATTACHMENTS, type ParsedMessage, readMessage } from '../mime/message.ts'
import { hasSmimeSignature } from '../mime/security.ts'
import { type GivenContent, type InlineAttachment, makeContent, toContent } from './content.ts'
import type { Content } from './email.ts'
import { type MessageSource, toSource } from './message-source.ts'
import type * as tasks from './reader-tasks.ts'

/*
 * Parsing makes one pass over the bytes, so small messages take a few milliseconds. The cost of HTML depends
 * on the number of tags, and styles are the most expensive.
 */
const SMALL_MESSAGE_BYTES = 64 * 1024
const SMALL_HTML_LENGTH = 16 * 1024
const FEW_TAGS = 500

type Tasks = typeof tasks
const createTask = <Name extends keyof Tasks>(
  name: Name,
): Task<Parameters<Tasks[Name]>[0], Awaited<ReturnType<Tasks[Name]>>> =>
  defineTask(new URL('./reader-tasks.ts', import.meta.url), name)

const hasFewTags = (html: string): boolean => {
  let count = 0
  for (let at = html.indexOf('<'); at >= 0 && count <= FEW_TAGS; at = html.indexOf('<', at + 1)) count++
  return count <= FEW_TAGS
}

const isCheapHtml = (html: string | null): boolean =>
  html === null || (html.length <= SMALL_HTML_LENGTH && hasFewTags(html))

/** A parsed message with its sanitized bodies. */
export interface ReadMail {
  message: ParsedMessage
  content: Content
  /** Ids of the attachments, in their order. */
  ids: string[]
}

export type MailReader = ReturnType<typeof createMailReader>

/** The structure of a signed message begins near its header. */
const SIGNATURE_SEARCH_BYTES = 64 * 1024
const maySign = (raw: Buffer): boolean =>
  /pkcs7|\.p7[ms]/i.test(raw.toString('latin1', 0, SIGNATURE_SEARCH_BYTES))

/**
 * Parses untrusted messages. Expensive ones run in a worker thread with limits for time and memory, and so do all
 * messages with an S/MIME signature.
 */
export const createMailReader = ({
  workers,
  random,
  clock,
}: Pick<Platform, 'workers' | 'random' | 'clock'>) => {
  /** A placeholder for the id of an email that is not stored yet. */
  const createMark = (): string => `~${randomId(random)}~`
  const taskOptions = { isCheap: false, subject: 'the message', code: 'unreadable_message' } as const

  const prepareContent = async (
    given: GivenContent,
    attachments: readonly InlineAttachment[],
  ): Promise<Content> => {
    const mark = createMark()
    // The cost of plain text does not matter: only its beginning is processed.
    if (isCheapHtml(given.html)) return toContent(makeContent(given, attachments, mark), mark)
    const { text, html, isTruncated = false } = given
    const files = attachments.map(({ id, contentId }) => ({ id, contentId }))
    const input = { given: { text, html, isTruncated }, attachments: files, mark }
    return toContent(await runTask(workers, createTask('prepareContent'), input, taskOptions), mark)
  }

  const readSmall = async (message: ParsedMessage): Promise<ReadMail> => {
    const ids = message.attachments.map(() => randomId(random))
    const files = message.attachments.map(({ contentId }, index) => ({ id: ids[index] as string, contentId }))
    return { message, content: await prepareContent(message, files), ids }
  }

  const readInThread = async (raw: Buffer, now: number | undefined): Promise<ReadMail> => {
    const mark = createMark()
    const ids = Array.from({ length: MAX_ATTACHMENTS }, () => randomId(random))
    const { message, content } = await runTask(
      workers,
      createTask('readWhole'),
      { raw, mark, ids, now },
      { ...taskOptions, copied: 'raw' },
    )
    const attachments = message.attachments.map((part) => {
      const { buffer, byteOffset, byteLength } = part.content
      return { ...part, content: Buffer.from(buffer, byteOffset, byteLength) }
    })
    return { message: { ...message, attachments }, content: toContent(content, mark), ids }
  }

  /** The message, if reading it in this thread is cheap. */
  const readIfCheap = (raw: Buffer): ParsedMessage | undefined => {
    if (raw.length > SMALL_MESSAGE_BYTES) return undefined
    const message = readMessage(raw)
    return hasSmimeSignature(message.security) ? undefined : message
  }

  return {
    async read(raw: Buffer): Promise<ReadMail> {
      const message = readIfCheap(raw)
      if (message) return readSmall(message)
      try {
        return await readInThread(raw, clock.now().getTime())
      } catch (error) {
        if (isTemporary(error) || !maySign(raw)) throw error
        // A hostile signature must not hide the message.
        return readInThread(raw, undefined)
      }
    },

    /** The original HTML and the machine-readable parts of a message. */
    async readSource(raw: Buffer): Promise<MessageSource> {
      const message = readIfCheap(raw)
      if (message) return toSource(message)
      const input = { raw, now: clock.now().getTime() }
      return runTask(workers, createTask('readSource'), input, { ...taskOptions, copied: 'raw' })
    },

    prepareContent,

    /** For content that is cheap to process, such as text that we wrote ourselves. */
    toPlainContent(given: GivenContent): Content {
      const mark = createMark()
      return toContent(makeContent(given, [], mark), mark)
    },

    /** Sanitizes stored HTML again after an import. */
    sanitizeKept: (html: string, emailId: number): Promise<string> =>
      runTask(
        workers,
        createTask('sanitizeKept'),
        { html, emailId },
        { ...taskOptions, isCheap: isCheapHtml(html), subject: `the HTML of email ${emailId}` },
      ),
  }
}
