import { createRequire } from 'node:module'
import type { MailComposerAttachment } from 'nodemailer/lib/mail-composer'
import { SIGNATURE_HEADER } from '../../../platform/secrets/signatures.ts'
import type { Address } from '../mime/addresses.ts'
import { type OutgoingHtml, toContentId, toOutgoingHtml } from './outgoing-html.ts'

/** The content of a message to compose. BCC recipients are missing: they belong only to the SMTP envelope. */
export interface Composition {
  messageId: string
  date: Date
  from: Address
  to: readonly Address[]
  cc: readonly Address[]
  replyTo: readonly Address[]
  subject: string
  text: string
  html: string | null
  inReplyTo: string | null
  references: readonly string[]
  attachments: readonly { filename: string; contentType: string; content: Buffer; contentId: string | null }[]
  /** An iTIP reply to an invitation (RFC 6047). */
  calendar?: { method: string; content: string } | undefined
  /** Sets Auto-Submitted, so that vacation responders do not reply (RFC 3834). */
  isAutomatic?: boolean
  /** Identifies mail that this instance sent itself. */
  signature?: string
}

const require = createRequire(import.meta.url)
const loadComposer = () =>
  (
    require('nodemailer/lib/mail-composer') as {
      default: typeof import('nodemailer/lib/mail-composer').default
    }
  ).default

/**
 * RFC 5322, sections 2.1.1 and 3.6.4: limit the References header. The first and the last ids matter most.
 */
const MAX_REFERENCES = 50
const limitReferences = (ids: readonly string[]): string[] =>
  ids.length <= MAX_REFERENCES ? [...ids] : [...ids.slice(0, 1), ...ids.slice(1 - MAX_REFERENCES)]

const addBrackets = (id: string): string => `<${id}>`

const toComposerAttachment = ({
  filename,
  contentType,
  content,
  contentId,
}: Composition['attachments'][number]): MailComposerAttachment => ({
  filename,
  content,
  // Let the composer derive an unspecific content type from the file name.
  ...(contentType !== 'application/octet-stream' && { contentType }),
  ...(contentId !== null && { cid: contentId, contentDisposition: 'inline' as const }),
})

/** The parts of a message: files, and the images that its HTML shows. */
export const toParts = (
  files: readonly { id: string; filename: string; contentType: string; content: Buffer }[],
  outgoing: OutgoingHtml | null,
): Composition['attachments'] => [
  ...files.map(({ id, ...file }) => ({
    ...file,
    contentId: outgoing?.inlineIds.has(id) ? toContentId(id) : null,
  })),
  ...(outgoing?.embedded ?? []).map((image, index) => ({
    ...image,
    filename: `image-${index + 1}.${image.contentType.slice('image/'.length).replace(/\W.*$/, '')}`,
  })),
]

type Fields = 'date' | 'to' | 'cc' | 'replyTo' | 'subject' | 'text' | 'html' | 'inReplyTo' | 'references'

/** Compiles the fields of every message. File paths and URLs in it are never opened. */
const compile = (
  message: Pick<Composition, 'messageId' | Fields | 'attachments'>,
  options: Record<string, unknown>,
) => {
  const Composer = loadComposer()
  const { html, inReplyTo, references } = message
  return new Composer({
    messageId: addBrackets(message.messageId),
    date: message.date,
    to: [...message.to],
    cc: [...message.cc],
    replyTo: [...message.replyTo],
    subject: message.subject,
    text: message.text,
    ...(html !== null && { html }),
    ...(inReplyTo !== null && { inReplyTo: addBrackets(inReplyTo) }),
    ...(references.length > 0 && { references: references.map(addBrackets) }),
    attachments: message.attachments.map(toComposerAttachment),
    ...options,
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: '\r\n',
    xMailer: false,
  } as ConstructorParameters<typeof Composer>[0]).compile()
}

/** Builds the MIME message (RFC 5322). */
export const compose = (composition: Composition): Promise<Buffer> => {
  const { from, calendar, isAutomatic = false, signature } = composition
  const headers = {
    ...(isAutomatic && { 'Auto-Submitted': 'auto-generated' }),
    ...(signature !== undefined && { [SIGNATURE_HEADER]: signature }),
  }
  const message = { ...composition, references: limitReferences(composition.references) }
  return compile(message, { from, headers, ...(calendar && { icalEvent: calendar }) }).build()
}

/**
 * Adds the Bcc header to a composed message, for the copy of the sender. Recipients never get it: RFC 5322,
 * section 3.6.3.
 */
export const addBcc = async (raw: Buffer, bcc: readonly Address[]): Promise<Buffer> => {
  if (bcc.length === 0) return raw
  const Composer = loadComposer()
  const node = new Composer({ bcc: [...bcc], newline: '\r\n' }).compile()
  Object.assign(node, { keepBcc: true })
  const header = /^Bcc:.*\r\n(?:[ \t].*\r\n)*/m.exec((await node.build()).toString('latin1'))?.[0] ?? ''
  return Buffer.concat([Buffer.from(header, 'latin1'), raw])
}

/** An email that was created here, with everything that a MIME message needs. */
export interface KeptEmail extends Pick<Composition, Exclude<Fields, 'date'>> {
  id: number
  messageId: string | null
  date: string
  from: Address | null
  bcc: readonly Address[]
  attachments: readonly { id: string; filename: string; contentType: string; content: Buffer }[]
}

/**
 * Serializes an email as a MIME message (RFC 5322). The same email always yields the same bytes, so that
 * exports of the same data are identical.
 */
export const writeMessage = (email: KeptEmail): Promise<Buffer> => {
  const outgoing = email.html === null ? null : toOutgoingHtml(email.html, email.id)
  const message = {
    ...email,
    messageId: email.messageId ?? `email-${email.id}@factotum.invalid`,
    date: new Date(email.date),
    html: outgoing?.html ?? null,
    attachments: toParts(email.attachments, outgoing),
  }
  const node = compile(message, {
    ...(email.from && { from: email.from }),
    bcc: [...email.bcc],
    baseBoundary: `email-${email.id}`,
  })
  // An exported draft must keep its BCC recipients.
  Object.assign(node, { keepBcc: true })
  return node.build()
}
