import { textOfHtml } from '../html.ts'
import { decodeText } from './charsets.ts'
import { tidyFilename } from './filenames.ts'
import type { HeaderField } from './header-fields.ts'
import { type Part, splitParts } from './parts.ts'
import { decodeTransfer } from './transfer-encodings.ts'

export interface MessagePart {
  filename: string
  contentType: string
  /** What `cid:` names it by. */
  contentId: string | null
  content: Buffer
}

export interface Bodies {
  text: string | null
  /** As it came: not fit to be shown. */
  html: string | null
  attachments: MessagePart[]
  /** A limit was reached: the message holds more than this. */
  isCut: boolean
}

/** Bytes of text, and of HTML. Nobody reads more, and everything that is done with a text takes longer for more. */
export const LARGEST_TEXT = 1024 * 1024
/** A calendar that is larger is kept in the charset it came in. */
const LARGEST_CALENDAR = 5 * 1024 * 1024
export const MOST_ATTACHMENTS = 500
const LONGEST_ID = 500

type TextKind = 'text' | 'html'
type Texts = Partial<Record<TextKind, string[]>>

/** RFC 3676: lines that end in a space go on in the next. */
const decodeFlowed = (text: string, deletesSpace: boolean): string => {
  const pieces: string[] = []
  const lines = text.split(/\r?\n/)
  for (const [index, given] of lines.entries()) {
    const line = given.startsWith(' ') ? given.slice(1) : given
    const isLast = index === lines.length - 1
    const isSoft = line.endsWith(' ') && line !== '-- ' && !isLast
    pieces.push(isSoft && deletesSpace ? line.slice(0, -1) : line)
    if (!isSoft && !isLast) pieces.push('\n')
  }
  return pieces.join('')
}

const ESCAPES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '"': '&quot;', '&': '&amp;' }
const htmlOfText = (text: string): string =>
  `<div>${text
    .trim()
    .replace(/[<>"&]/g, (character) => ESCAPES[character] as string)
    .replaceAll('\n', '<br>')}</div>`

const kindOf = ({ type, disposition }: Part): TextKind | undefined => {
  if (disposition.value === 'attachment') return undefined
  return type.value === 'text/plain' ? 'text' : type.value === 'text/html' ? 'html' : undefined
}

const CONTENT_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/
const CALENDAR = /^(?:text\/calendar|application\/ics)$/

/** Without line breaks at the end but one. */
const endOnce = (text: string): string => {
  let end = text.length
  while (end > 0 && text[end - 1] === '\n') end--
  return `${text.slice(0, end)}\n`
}

const nonEmpty = (text: string): string | null => (text.trim() === '' ? null : text)

/** Takes the body of a message apart: what is shown of it, and what is attached. */
export const readBodies = (raw: Buffer, header: readonly HeaderField[]): Bodies => {
  const { root, isCut: arePartsCut } = splitParts(raw, header)
  let isCut = arePartsCut
  const left: Record<TextKind, number> = { text: LARGEST_TEXT, html: LARGEST_TEXT }
  /** By the part that chooses among them: an alternative, else the text itself. */
  const texts = new Map<Part, Texts>()
  const attachments: MessagePart[] = []

  const addText = (part: Part, kind: TextKind, chooser: Part): void => {
    // Encoded it is up to three times as long, and what comes of the rest would not be kept.
    const body = raw.subarray(part.start, Math.min(part.end, part.start + 3 * left[kind]))
    const content = decodeTransfer(body, part.encoding)
    if (body.length < part.end - part.start || content.length > left[kind]) isCut = true
    const bytes = content.subarray(0, left[kind])
    left[kind] -= bytes.length
    const { parameters } = part.type
    const decoded = decodeText(bytes, parameters.get('charset') ?? '')
    const isFlowed = parameters.get('format')?.toLowerCase() === 'flowed'
    const deletesSpace = parameters.get('delsp')?.toLowerCase() === 'yes'
    const entry = texts.get(chooser) ?? {}
    entry[kind] = [...(entry[kind] ?? []), isFlowed ? decodeFlowed(decoded, deletesSpace) : decoded]
    texts.set(chooser, entry)
  }

  const addAttachment = (part: Part): void => {
    if (attachments.length >= MOST_ATTACHMENTS) {
      isCut = true
      return
    }
    const { value, parameters } = part.type
    const contentType = CONTENT_TYPE.test(value) ? value : 'application/octet-stream'
    const filename = part.disposition.parameters.get('filename') || parameters.get('name') || ''
    const content = decodeTransfer(raw.subarray(part.start, part.end), part.encoding)
    attachments.push({
      filename: tidyFilename(filename, contentType, attachments.length + 1),
      contentType,
      contentId: part.contentId.replace(/^<|>$/g, '').slice(0, LONGEST_ID) || null,
      content:
        CALENDAR.test(value) && content.length <= LARGEST_CALENDAR
          ? Buffer.from(
              endOnce(decodeText(content, parameters.get('charset') ?? '').replaceAll('\r\n', '\n')),
            )
          : content,
    })
  }

  const collect = (part: Part, alternative: Part | undefined): void => {
    const chooser = part.multipart === 'alternative' ? part : alternative
    for (const child of part.parts) collect(child, chooser)
    if (part.multipart !== undefined) return
    const kind = kindOf(part)
    if (kind === undefined) addAttachment(part)
    else addText(part, kind, alternative ?? part)
  }

  collect(root, undefined)
  /** A text that is there in the other form only is converted, where the message has this form at all. */
  const join = (kind: TextKind): string | null => {
    const entries = [...texts.values()]
    if (!entries.some((entry) => entry[kind])) return null
    const [other, convert] =
      kind === 'html' ? (['text', htmlOfText] as const) : (['html', textOfHtml] as const)
    return nonEmpty(entries.flatMap((entry) => entry[kind] ?? (entry[other] ?? []).map(convert)).join('\n'))
  }
  return { text: join('text'), html: join('html'), attachments, isCut }
}
