import { createRequire } from 'node:module'
import type { Address } from './addresses.ts'

/** An email that was created here, with everything that a MIME message needs. */
export interface KeptEmail {
  id: number
  messageId: string | null
  date: string
  from: Address | null
  to: readonly Address[]
  cc: readonly Address[]
  bcc: readonly Address[]
  replyTo: readonly Address[]
  subject: string
  text: string
  html: string | null
  inReplyTo: string | null
  references: readonly string[]
  attachments: readonly { filename: string; contentType: string; content: Buffer }[]
}

const require = createRequire(import.meta.url)
const loadComposer = () =>
  (
    require('nodemailer/lib/mail-composer') as {
      default: typeof import('nodemailer/lib/mail-composer').default
    }
  ).default

const addBrackets = (id: string): string => `<${id}>`

/**
 * Serializes an email as a MIME message (RFC 5322). The same email always yields the same bytes, so that
 * exports of the same data are identical.
 */
export const writeMessage = (email: KeptEmail): Promise<Buffer> => {
  const Composer = loadComposer()
  const composer = new Composer({
    messageId: addBrackets(email.messageId ?? `email-${email.id}@factotum.invalid`),
    date: new Date(email.date),
    ...(email.from && { from: email.from }),
    to: [...email.to],
    cc: [...email.cc],
    bcc: [...email.bcc],
    replyTo: [...email.replyTo],
    subject: email.subject,
    text: email.text,
    ...(email.html !== null && { html: email.html }),
    ...(email.inReplyTo !== null && { inReplyTo: addBrackets(email.inReplyTo) }),
    ...(email.references.length > 0 && { references: email.references.map(addBrackets) }),
    attachments: email.attachments.map((file) => ({ ...file })),
    baseBoundary: `email-${email.id}`,
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: '\r\n',
    xMailer: false,
  } as ConstructorParameters<typeof Composer>[0])
  const node = composer.compile()
  // An exported draft must keep its BCC recipients.
  Object.assign(node, { keepBcc: true })
  return node.build()
}
