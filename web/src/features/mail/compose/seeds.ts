import { type Address, type Attachment, type Email, nameOf } from '../folders.ts'
import { distinct, isSame, type Recipient } from './addresses.ts'

export interface Fields {
  /** The sending account; null while unknown. */
  accountId: string | null
  to: readonly Recipient[]
  cc: readonly Recipient[]
  bcc: readonly Recipient[]
  subject: string
  text: string
  attachments: readonly Attachment[]
}

/** Initial values of the composer. */
export interface Seed {
  fields: Fields
  /** Message-ID of the answered email. */
  inReplyTo: string | null
  /** The draft that is being continued. */
  saved: { id: number; etag: string | null } | null
  /** Attachments of a forwarded email that must be copied. */
  copies: { emailId: number; attachments: readonly Attachment[] } | null
  /** Addresses of the user in the answered email. They select the sending account. */
  me: readonly Address[]
}

const NOTHING: Fields = { accountId: null, to: [], cc: [], bcc: [], subject: '', text: '', attachments: [] }

export const EMPTY_SEED: Seed = { fields: NOTHING, inReplyTo: null, saved: null, copies: null, me: [] }

const prefixed = (prefix: 'Re' | 'Fwd', subject: string): string =>
  new RegExp(`^(?:${prefix}|${prefix === 'Re' ? 'AW|SV|RE' : 'WG|FW'})\\s*:`, 'i').test(subject)
    ? subject
    : `${prefix}: ${subject}`

const dateOf = (email: Email): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(email.date))

const quoteOf = (email: Email): string => {
  const lines = email.text.trimEnd().split('\n')
  return `\n\nOn ${dateOf(email)}, ${nameOf(email.from)} wrote:\n${lines.map((line) => (line.startsWith('>') ? `>${line}` : `> ${line}`)).join('\n')}\n`
}

export type AnswerKind = 'reply' | 'all' | 'forward'

/**
 * Addresses a reply to Reply-To or the sender. A reply to one's own mail goes to its recipients. The user's
 * own addresses are removed from Cc.
 */
export const answerTo = (email: Email, kind: 'reply' | 'all', own: readonly Recipient[]): Seed => {
  const isMine = email.folder === 'sent' || email.folder === 'drafts'
  const sender = email.replyTo.length > 0 ? email.replyTo : email.from ? [email.from] : []
  const to = isMine ? email.to : sender
  const mine = isMine ? (email.from ? [email.from] : []) : [...email.to, ...email.cc]
  const others = kind === 'all' ? [...(isMine ? [] : email.to), ...email.cc] : []
  const isElse = (person: Address): boolean => ![...to, ...own].some((known) => isSame(known, person))
  return {
    ...EMPTY_SEED,
    fields: {
      ...NOTHING,
      accountId: email.accountId,
      to: distinct(to),
      cc: distinct(others).filter(isElse),
      subject: prefixed('Re', email.subject),
      text: quoteOf(email),
    },
    inReplyTo: email.messageId,
    me: mine,
  }
}

export const forwardOf = (email: Email): Seed => {
  const people = (list: readonly Address[]) =>
    list.map(({ name, address }) => (name ? `${name} <${address}>` : address)).join(', ')
  const head = [
    '---------- Forwarded message ----------',
    `From: ${email.from ? people([email.from]) : 'unknown'}`,
    `Date: ${dateOf(email)}`,
    `Subject: ${email.subject}`,
    `To: ${people(email.to)}`,
    ...(email.cc.length > 0 ? [`Cc: ${people(email.cc)}`] : []),
  ]
  return {
    ...EMPTY_SEED,
    fields: {
      ...NOTHING,
      accountId: email.accountId,
      subject: prefixed('Fwd', email.subject),
      text: `\n\n${head.join('\n')}\n\n${email.text}`,
    },
    copies: email.attachments.length > 0 ? { emailId: email.id, attachments: email.attachments } : null,
    me: [...email.to, ...email.cc],
  }
}

const contentsOf = (email: Email): Fields => ({
  accountId: email.accountId,
  to: email.to,
  cc: email.cc,
  bcc: email.bcc,
  subject: email.subject,
  text: email.text,
  attachments: email.attachments,
})

export const continueDraft = (email: Email, etag: string | null): Seed => ({
  fields: contentsOf(email),
  inReplyTo: email.inReplyTo,
  saved: { id: email.id, etag },
  copies: null,
  me: email.from ? [email.from] : [],
})
