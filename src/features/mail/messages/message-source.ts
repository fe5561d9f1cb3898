import type { Bodies } from '../mime/message.ts'
import type { MessagePart } from '../mime/parts.ts'

/** Content of a message for programs: the original HTML with its structured data, and parts that are data. */
export interface MessageSource {
  html: string | null
  /** Calendar files, for example of a railway company. */
  calendars: string[]
  /** JSON-LD as a part of its own. */
  jsonLd: string[]
}

export const NO_SOURCE: MessageSource = { html: null, calendars: [], jsonLd: [] }

const MAX_PARTS = 10
const MAX_PART_BYTES = 256 * 1024
export const CALENDAR = /^(?:text\/(?:x-v)?calendar|application\/(?:ics|calendar))$/
const JSON_LD = /^application\/(?:ld\+json|json\+ld)$/

const readParts = (attachments: readonly MessagePart[], type: RegExp, name: RegExp): string[] =>
  attachments
    .filter(
      ({ contentType, filename, content }) =>
        content.length <= MAX_PART_BYTES && (type.test(contentType) || name.test(filename)),
    )
    .slice(0, MAX_PARTS)
    .map(({ content }) => content.toString())

export const toSource = ({ html, attachments }: Pick<Bodies, 'html' | 'attachments'>): MessageSource => ({
  html,
  calendars: readParts(attachments, CALENDAR, /\.ics$/i),
  jsonLd: readParts(attachments, JSON_LD, /\.jsonld$/i),
})
