import { PassThrough, type Readable } from 'node:stream'
import Type, { type Static } from 'typebox'
import { AppError, isTemporary, notFound } from '../../../platform/errors.ts'
import { Instant, Nullable } from '../../../platform/http/shapes.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { CalendarText } from '../../calendar/ical/objects.ts'
import { decodeText } from '../mime/charsets.ts'
import { type AttachmentRecord, findAttachment, listAttachments } from './attachment-repository.ts'
import { AddressSchema } from './email.ts'
import { getEmail } from './email-repository.ts'
import type { MailReader } from './mail-reader.ts'

const MAX_TEXT_BYTES = 256 * 1024
/** A larger email or calendar is not parsed for a preview. */
const MAX_PARSED_BYTES = 10 * 1024 * 1024
const MAX_EVENTS = 50

const PreviewedEvent = Type.Object(
  {
    title: Type.String(),
    start: Nullable(Instant),
    end: Nullable(Instant),
    allDay: Type.Boolean(),
    location: Type.String(),
  },
  { title: 'PreviewedEvent' },
)

const PreviewedEmail = Type.Object(
  {
    from: Nullable(AddressSchema),
    to: Type.Array(AddressSchema),
    subject: Type.String(),
    date: Nullable(Instant),
    attachments: Type.Array(Type.String({ description: 'The file name' })),
  },
  { title: 'PreviewedEmail' },
)

export const AttachmentPreview = Type.Object(
  {
    kind: Type.Enum(['text', 'email', 'calendar', 'none'], {
      type: 'string',
      description: '`none`: the file has no preview, or is too large for one. Download it instead.',
    }),
    text: Nullable(Type.String({ description: 'The text of the file, or of the email' })),
    truncated: Type.Boolean({ description: 'Whether the file contains more than the preview' }),
    email: Nullable(PreviewedEmail),
    events: Nullable(Type.Array(PreviewedEvent)),
  },
  { title: 'AttachmentPreview' },
)
export type AttachmentPreview = Static<typeof AttachmentPreview>

const NO_PREVIEW: AttachmentPreview = {
  kind: 'none',
  text: null,
  truncated: false,
  email: null,
  events: null,
}

const isCalendar = (type: string, name: string): boolean =>
  /^(?:text|application)\/(?:calendar|ics)$/.test(type) || /\.ics$/i.test(name)
const isEmail = (type: string, name: string): boolean => type === 'message/rfc822' || /\.eml$/i.test(name)
const isText = (type: string, name: string): boolean =>
  /^text\/|^application\/(?:json|xml|x-(?:sh|yaml)|yaml|sql)$/.test(type) ||
  /\.(?:txt|md|csv|tsv|log|json|xml|ya?ml|ini|conf|srt|vtt)$/i.test(name)

/** File names in a zip must be unique. */
const toUniqueNames = (files: readonly AttachmentRecord[]): Map<string, AttachmentRecord> => {
  const named = new Map<string, AttachmentRecord>()
  for (const file of files) {
    const [, base = file.filename, extension = ''] = /^(.+?)(\.[^.]{1,10})?$/s.exec(file.filename) ?? []
    let name = file.filename
    for (let n = 2; named.has(name); n++) name = `${base} (${n})${extension}`
    named.set(name, file)
  }
  return named
}

export interface PreviewNeeds {
  reader: MailReader
  readCalendar: (userId: number, bytes: Uint8Array) => Promise<CalendarText>
}

export type Previews = ReturnType<typeof createPreviews>

export const createPreviews = (
  { db, blobs, clock, log }: Pick<Platform, 'db' | 'blobs' | 'clock' | 'log'>,
  { reader, readCalendar }: PreviewNeeds,
) => {
  const previewText = async ({ blob, size }: AttachmentRecord): Promise<AttachmentPreview> => {
    const bytes = (await blobs.readStart(db, blob, MAX_TEXT_BYTES)).subarray(0, MAX_TEXT_BYTES)
    return { ...NO_PREVIEW, kind: 'text', text: decodeText(bytes, ''), truncated: size > MAX_TEXT_BYTES }
  }

  const previewEmail = async ({ blob }: AttachmentRecord): Promise<AttachmentPreview> => {
    const { message, content } = await reader.read(await blobs.readWhole(db, blob))
    const { from, to, subject, date, attachments, isTruncated } = message
    return {
      ...NO_PREVIEW,
      kind: 'email',
      text: content.text,
      truncated: isTruncated,
      email: {
        from,
        to,
        subject,
        date: date?.toISOString() ?? null,
        attachments: attachments.map(({ filename }) => filename),
      },
    }
  }

  const previewCalendar = async (
    userId: number,
    { blob }: AttachmentRecord,
  ): Promise<AttachmentPreview | null> => {
    const { isCalendar: isValid, objects } = await readCalendar(userId, await blobs.readWhole(db, blob))
    const events = objects.flatMap((object) => object.events.map(({ entry }) => entry))
    if (!isValid || events.length === 0) return null
    return {
      ...NO_PREVIEW,
      kind: 'calendar',
      truncated: events.length > MAX_EVENTS,
      events: events.slice(0, MAX_EVENTS).map((entry) => ({
        title: entry.title,
        start: 'start' in entry ? entry.start : null,
        end: 'end' in entry ? entry.end : null,
        allDay: 'allDay' in entry && entry.allDay,
        location: entry.location,
      })),
    }
  }

  const parse = async (userId: number, file: AttachmentRecord): Promise<AttachmentPreview> => {
    const { contentType, filename, size } = file
    if (size > MAX_PARSED_BYTES) return isText(contentType, filename) ? previewText(file) : NO_PREVIEW
    if (isEmail(contentType, filename)) return previewEmail(file)
    if (isCalendar(contentType, filename)) return (await previewCalendar(userId, file)) ?? previewText(file)
    return isText(contentType, filename) ? previewText(file) : NO_PREVIEW
  }

  return {
    /** Returns the readable content of a text, email or calendar. Images and PDF files are displayed by the browser. */
    async read(userId: number, emailId: number, id: string): Promise<AttachmentPreview> {
      const file = await findAttachment(db, userId, emailId, id)
      if (!file) throw notFound('attachment')
      try {
        return await parse(userId, file)
      } catch (error) {
        // A file that cannot be parsed has no preview. Other errors have nothing to do with the file.
        if (error instanceof AppError && !isTemporary(error)) return NO_PREVIEW
        throw error
      }
    },

    /** Streams all attachments of an email as a zip file. */
    async zip(userId: number, emailId: number): Promise<Readable> {
      await getEmail(db, userId, emailId)
      const files = toUniqueNames(await listAttachments(db, userId, emailId))
      if (files.size === 0) throw notFound('attachment')
      const output = new PassThrough()
      const write = async (): Promise<void> => {
        // Loaded lazily, to keep the start of the server fast.
        const { createZipWriter } = await import('../../../platform/zip/writer.ts')
        const zip = createZipWriter(output, clock.now())
        try {
          for (const [name, { blob }] of files) await zip.add(name, blobs.read(db, blob))
          await zip.end()
        } finally {
          zip.abandon()
        }
      }
      write().catch((error: unknown) => {
        // A client that disconnects is not an error. In both cases the zip must not look complete.
        if (!output.destroyed) log.error({ err: error }, 'could not write a zip file of attachments')
        output.destroy(error instanceof Error ? error : undefined)
      })
      return output
    },
  }
}
