import { createRequire } from 'node:module'
import type { MailComposerAttachment } from 'nodemailer/lib/mail-composer'
import { SIGNATURE_HEADER } from '../../../platform/secrets/mail-signature.ts'

export interface Correspondent {
  name: string
  address: string
}

/** A message before it is one. Blind copies are not part of it: they stand on the envelope alone. */
export interface Composition {
  messageId: string
  date: Date
  from: Correspondent
  to: readonly Correspondent[]
  cc: readonly Correspondent[]
  replyTo: readonly Correspondent[]
  subject: string
  text: string
  html: string | null
  inReplyTo: string | null
  references: readonly string[]
  attachments: readonly { filename: string; contentType: string; content: Buffer; contentId: string | null }[]
  /** An answer to an invitation (RFC 6047). */
  calendar?: { method: string; content: string } | undefined
  /** Written by no person: nobody's holiday notice need answer it (RFC 3834). */
  isAutomatic?: boolean
  /** Marks mail of the service itself. */
  signature?: string
}

const require = createRequire(import.meta.url)
const loadComposer = () =>
  (
    require('nodemailer/lib/mail-composer') as {
      default: typeof import('nodemailer/lib/mail-composer').default
    }
  ).default

/** RFC 5322, 2.1.1 and 3.6.4: a line of references must end somewhere; the first and the last ones tell the most. */
const MOST_REFERENCES = 50
const shorten = (ids: readonly string[]): string[] =>
  ids.length <= MOST_REFERENCES ? [...ids] : [...ids.slice(0, 1), ...ids.slice(1 - MOST_REFERENCES)]

const bracketed = (id: string): string => `<${id}>`

const attached = ({
  filename,
  contentType,
  content,
  contentId,
}: Composition['attachments'][number]): MailComposerAttachment => ({
  filename,
  content,
  // What is only known to be bytes is told by its name.
  ...(contentType !== 'application/octet-stream' && { contentType }),
  ...(contentId !== null && { cid: contentId }),
})

/** The message as it goes out (RFC 5322, MIME). Files and addresses named in it are never opened. */
export const compose = async (composition: Composition): Promise<Buffer> => {
  const Composer = loadComposer()
  const { inReplyTo, references, calendar, isAutomatic = false, signature } = composition
  const headers = {
    ...(isAutomatic && { 'Auto-Submitted': 'auto-generated' }),
    ...(signature !== undefined && { [SIGNATURE_HEADER]: signature }),
  }
  const composer = new Composer({
    messageId: bracketed(composition.messageId),
    date: composition.date,
    from: composition.from,
    to: [...composition.to],
    cc: [...composition.cc],
    replyTo: [...composition.replyTo],
    subject: composition.subject,
    text: composition.text,
    ...(composition.html !== null && { html: composition.html }),
    ...(inReplyTo !== null && { inReplyTo: bracketed(inReplyTo) }),
    ...(references.length > 0 && { references: shorten(references).map(bracketed) }),
    attachments: composition.attachments.map(attached),
    ...(calendar && { icalEvent: { method: calendar.method, content: calendar.content } }),
    headers,
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: '\r\n',
    xMailer: false,
  } as ConstructorParameters<typeof Composer>[0])
  const node = composer.compile()
  return node.build()
}
