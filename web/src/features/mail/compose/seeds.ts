import * as t from '#locale/mail-compose'
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

/** Prefixes of other mail programs count as well. */
const REPLY_PREFIX = /^(?:Re|AW|SV)\s*:/i
const FORWARD_PREFIX = /^(?:Fwd|FW|WG)\s*:/i

/** Formats a date in the time zone and locale of the account. */
export type FormatDate = (at: string) => string

const quoteOf = (email: Email, formatDate: FormatDate): string => {
  const lines = email.text.trimEnd().split('\n')
  const quoted = lines.map((line) => (line.startsWith('>') ? `>${line}` : `> ${line}`)).join('\n')
  return `\n\n${t.attribution({ date: formatDate(email.date), sender: nameOf(email.from) })}\n${quoted}\n`
}

export type AnswerKind = 'reply' | 'all' | 'forward'

interface Answer {
  email: Email
  kind: 'reply' | 'all'
  /** The user's own addresses. */
  own: readonly Recipient[]
  formatDate: FormatDate
}

/**
 * Addresses a reply to Reply-To or the sender. A reply to one's own mail goes to its recipients. The user's
 * own addresses are removed from Cc.
 */
export const answerTo = ({ email, kind, own, formatDate }: Answer): Seed => {
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
      subject: REPLY_PREFIX.test(email.subject) ? email.subject : `Re: ${email.subject}`,
      text: quoteOf(email, formatDate),
    },
    inReplyTo: email.messageId,
    me: mine,
  }
}

export const forwardOf = (email: Email, formatDate: FormatDate): Seed => {
  const people = (list: readonly Address[]) =>
    list.map(({ name, address }) => (name ? `${name} <${address}>` : address)).join(', ')
  const head = [
    t.forwardedEmail,
    t.forwardedHeaders.from(email.from ? people([email.from]) : nameOf(null)),
    t.forwardedHeaders.date(formatDate(email.date)),
    t.forwardedHeaders.subject(email.subject),
    t.forwardedHeaders.to(people(email.to)),
    ...(email.cc.length > 0 ? [t.forwardedHeaders.cc(people(email.cc))] : []),
  ]
  return {
    ...EMPTY_SEED,
    fields: {
      ...NOTHING,
      accountId: email.accountId,
      subject: FORWARD_PREFIX.test(email.subject) ? email.subject : `Fwd: ${email.subject}`,
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
