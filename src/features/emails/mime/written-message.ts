import { createRequire } from 'node:module'
import type { Address } from './addresses.ts'

/** An e-mail that was made of fields, with everything that a message has. */
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

const bracketed = (id: string): string => `<${id}>`

/**
 * The e-mail as a message (RFC 5322), for programs that read those. The same e-mail is always written with the same bytes,
 * so that two exports of the same data are alike.
 */
export const writeMessage = (email: KeptEmail): Promise<Buffer> => {
  const Composer = loadComposer()
  const composer = new Composer({
    messageId: bracketed(email.messageId ?? `email-${email.id}@factotum.invalid`),
    date: new Date(email.date),
    ...(email.from && { from: email.from }),
    ...{ to: [...email.to], cc: [...email.cc], bcc: [...email.bcc], replyTo: [...email.replyTo] },
    ...{ subject: email.subject, text: email.text },
    ...(email.html !== null && { html: email.html }),
    ...(email.inReplyTo !== null && { inReplyTo: bracketed(email.inReplyTo) }),
    ...(email.references.length > 0 && { references: email.references.map(bracketed) }),
    attachments: email.attachments.map((file) => ({ ...file })),
    baseBoundary: `email-${email.id}`,
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: '\r\n',
    xMailer: false,
  } as ConstructorParameters<typeof Composer>[0])
  const node = composer.compile()
  // Whoever keeps a draft keeps whom it is for.
  Object.assign(node, { keepBcc: true })
  return node.build()
}
