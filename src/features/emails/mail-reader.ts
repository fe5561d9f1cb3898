import { type Random, randomId } from '../../platform/random.ts'
import { runTask } from '../../platform/workers/run-task.ts'
import { defineTask, type Task } from '../../platform/workers/task.ts'
import type { WorkerPool } from '../../platform/workers/worker-pool.ts'
import { type Content, type GivenContent, type Inlined, makeContent, toContent } from './content.ts'
import { MOST_ATTACHMENTS } from './mime/bodies.ts'
import { type ParsedMessage, readMessage } from './mime/message.ts'
import type * as tasks from './reader-tasks.ts'

/*
 * Reading takes one pass over the bytes of a message: below this size it takes a few milliseconds, whatever they are.
 * HTML is dearer by the tag, and styles are the dearest.
 */
const SMALL_MESSAGE = 64 * 1024
const SMALL_HTML = 16 * 1024
const FEW_TAGS = 500

type Tasks = typeof tasks
const taskOf = <Name extends keyof Tasks>(
  name: Name,
): Task<Parameters<Tasks[Name]>[0], ReturnType<Tasks[Name]>> =>
  defineTask(new URL('./reader-tasks.ts', import.meta.url), name)

const hasFewTags = (html: string): boolean => {
  let count = 0
  for (let at = html.indexOf('<'); at >= 0 && count <= FEW_TAGS; at = html.indexOf('<', at + 1)) count++
  return count <= FEW_TAGS
}

const isCheapHtml = (html: string | null): boolean =>
  html === null || (html.length <= SMALL_HTML && hasFewTags(html))

/** A message that was read, and what is kept of its bodies. */
export interface ReadMail {
  message: ParsedMessage
  content: Content
  /** Of its attachments, in their order. */
  ids: string[]
}

export type MailReader = ReturnType<typeof createMailReader>

/** Reads what strangers wrote. Whatever may take long is read in a worker thread, with limits of time and memory. */
export const createMailReader = ({ workers, random }: { workers: WorkerPool; random: Random }) => {
  /** Stands for the number of an e-mail that has none yet. */
  const newMark = (): string => `~${randomId(random)}~`
  const terms = { isCheap: false, subject: 'the message', code: 'unreadable_message' } as const

  const prepareContent = async (given: GivenContent, attachments: readonly Inlined[]): Promise<Content> => {
    const mark = newMark()
    // Of a text only the beginning is looked at.
    if (isCheapHtml(given.html)) return toContent(makeContent(given, attachments, mark), mark)
    const { text, html, isCut = false } = given
    const files = attachments.map(({ id, contentId }) => ({ id, contentId }))
    const input = { given: { text, html, isCut }, attachments: files, mark }
    return toContent(await runTask(workers, taskOf('prepareContent'), input, terms), mark)
  }

  const readSmall = async (raw: Buffer): Promise<ReadMail> => {
    const message = readMessage(raw)
    const ids = message.attachments.map(() => randomId(random))
    const files = message.attachments.map(({ contentId }, index) => ({ id: ids[index] as string, contentId }))
    return { message, content: await prepareContent(message, files), ids }
  }

  const readLarge = async (raw: Buffer): Promise<ReadMail> => {
    const mark = newMark()
    const ids = Array.from({ length: MOST_ATTACHMENTS }, () => randomId(random))
    // The caller goes on to store the bytes, so that the thread is given a copy.
    const copy = new Uint8Array(raw)
    const { message, content } = await runTask(
      workers,
      taskOf('readWhole'),
      { raw: copy, mark, ids },
      { ...terms, transfer: [copy.buffer] },
    )
    const attachments = message.attachments.map((part) => {
      const { buffer, byteOffset, byteLength } = part.content
      return { ...part, content: Buffer.from(buffer, byteOffset, byteLength) }
    })
    return { message: { ...message, attachments }, content: toContent(content, mark), ids }
  }

  return {
    read: (raw: Buffer): Promise<ReadMail> => (raw.length <= SMALL_MESSAGE ? readSmall(raw) : readLarge(raw)),

    /** The HTML of a message as it came, or null. */
    async readHtml(raw: Buffer): Promise<string | null> {
      if (raw.length <= SMALL_MESSAGE) return readMessage(raw).html
      const copy = new Uint8Array(raw)
      return runTask(workers, taskOf('readHtml'), copy, { ...terms, transfer: [copy.buffer] })
    },

    prepareContent,

    /** Of bodies that are cheap to make, such as a text of our own. */
    contentOf(given: GivenContent): Content {
      const mark = newMark()
      return toContent(makeContent(given, [], mark), mark)
    },

    /** HTML that was kept with an e-mail and has been elsewhere since. */
    sanitiseKept: (html: string, emailId: number): Promise<string> =>
      runTask(
        workers,
        taskOf('sanitiseKept'),
        { html, emailId },
        { ...terms, isCheap: isCheapHtml(html), subject: `the HTML of e-mail ${emailId}` },
      ),
  }
}
