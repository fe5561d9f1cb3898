import * as t from '#locale/mail-compose'
import type { Shape } from '../../../api/client.ts'
import { type Address, type Attachment, type Email, nameOf } from '../folders.ts'
import { distinct, isSame, type Recipient } from './addresses.ts'
import { escapeHtml, listInlineIds, textToHtml, toInlineSources } from './html-text.ts'
import { replaceHtmlSignature, toSignatureText } from './signature.ts'

export type MailAccount = Shape<'MailAccount'>

export interface Fields {
  /** The sending account; null while unknown. */
  accountId: string | null
  /** The address of the sending identity; null for the address of the account. */
  from: string | null
  to: readonly Recipient[]
  cc: readonly Recipient[]
  bcc: readonly Recipient[]
  subject: string
  /** The text of a plain-text message. */
  text: string
  /** The formatted text; null for a plain-text message. */
  html: string | null
  attachments: readonly Attachment[]
  /** Attachments that are images of the text. */
  inlineIds: readonly string[]
  /** New ids of the copied images of the quoted email, by their former ids. */
  copiedIds: Readonly<Record<string, string>>
}

/** Initial values of the composer. */
export interface Seed {
  fields: Fields
  /** Text above the quote, for example a suggested reply. */
  words: string
  /** Message-ID of the answered email. */
  inReplyTo: string | null
  /** The draft that is being continued. */
  saved: { id: number; etag: string | null } | null
  /** Attachments of a forwarded or quoted email that must be copied. */
  copies: { emailId: number; attachments: readonly Attachment[] } | null
  /** The time of a reminder if nobody answers. */
  followUpAt: string | null
  /** Addresses of the user in the answered email. They select the sender. */
  me: readonly Address[]
}

const NOTHING: Fields = {
  accountId: null,
  from: null,
  to: [],
  cc: [],
  bcc: [],
  subject: '',
  text: '',
  html: '',
  attachments: [],
  inlineIds: [],
  copiedIds: {},
}

export const EMPTY_SEED: Seed = {
  fields: NOTHING,
  words: '',
  inReplyTo: null,
  saved: null,
  copies: null,
  followUpAt: null,
  me: [],
}

/** Prefixes of other mail programs count as well. */
const REPLY_PREFIX = /^(?:Re|AW|SV)\s*:/i
const FORWARD_PREFIX = /^(?:Fwd|FW|WG)\s*:/i
/** The API accepts a million characters. A longer original is quoted as text. */
const MAX_QUOTED_HTML = 600_000

/** Formats a date in the time zone and locale of the account. */
export type FormatDate = (at: string) => string

const hasQuotableHtml = ({ html }: Email): boolean => html !== null && html.length <= MAX_QUOTED_HTML

const quoteHtml = (email: Email): string =>
  hasQuotableHtml(email)
    ? `<blockquote type="cite">${email.html}</blockquote>`
    : `<blockquote>${textToHtml(email.text.trimEnd()) || '<p></p>'}</blockquote>`

/** Attachments that the HTML of a received email shows. */
const listDisplayedImages = ({ id, html, attachments }: Email): Attachment[] =>
  html === null
    ? []
    : attachments.filter((attachment) => html.includes(`/api/emails/${id}/attachments/${attachment.id}"`))

const quoteOf = (email: Email, formatDate: FormatDate) => {
  const attribution = t.attribution({ date: formatDate(email.date), sender: nameOf(email.from) })
  const lines = email.text.trimEnd().split('\n')
  const quoted = lines.map((line) => (line.startsWith('>') ? `>${line}` : `> ${line}`)).join('\n')
  return {
    text: `\n\n${attribution}\n${quoted}\n`,
    html: `<p>${escapeHtml(attribution)}</p>${quoteHtml(email)}`,
  }
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
  const images = hasQuotableHtml(email) ? listDisplayedImages(email) : []
  return {
    ...EMPTY_SEED,
    fields: {
      ...NOTHING,
      accountId: email.accountId,
      to: distinct(to),
      cc: distinct(others).filter(isElse),
      subject: REPLY_PREFIX.test(email.subject) ? email.subject : `Re: ${email.subject}`,
      ...quoteOf(email, formatDate),
    },
    inReplyTo: email.messageId,
    copies: images.length > 0 ? { emailId: email.id, attachments: images } : null,
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
      html: `<p>${head.map(escapeHtml).join('<br>')}</p>${quoteHtml(email)}`,
    },
    copies: email.attachments.length > 0 ? { emailId: email.id, attachments: email.attachments } : null,
    me: [...email.to, ...email.cc],
  }
}

const contentsOf = (email: Email): Fields => {
  const html = email.html === null ? null : toInlineSources(email.html, email.id)
  const displayed = listInlineIds(html)
  return {
    ...NOTHING,
    accountId: email.accountId,
    from: email.from?.address ?? null,
    to: email.to,
    cc: email.cc,
    bcc: email.bcc,
    subject: email.subject,
    text: email.text,
    html,
    attachments: email.attachments,
    inlineIds: email.attachments.map(({ id }) => id).filter((id) => displayed.has(id)),
  }
}

export const continueDraft = (email: Email, etag: string | null): Seed => ({
  ...EMPTY_SEED,
  fields: contentsOf(email),
  inReplyTo: email.inReplyTo,
  saved: { id: email.id, etag },
  followUpAt: email.followUpAt,
  me: email.from ? [email.from] : [],
})

/** All senders of an account. The first one is its own address. */
export const listIdentities = ({ senderName, address, identities }: MailAccount): Address[] => [
  { name: senderName, address },
  ...identities,
]

/** The account and the identity that the answered mail was sent to, or those of the draft. */
const findSender = (seed: Seed, accounts: readonly MailAccount[]) => {
  const all = accounts.flatMap((account) =>
    listIdentities(account).map((identity) => ({ account, identity })),
  )
  const isOfDraft = ({ account }: (typeof all)[number]): boolean => account.id === seed.fields.accountId
  const isMe = ({ identity }: (typeof all)[number]): boolean =>
    seed.me.some((person) => isSame(person, identity))
  return all.find((each) => isMe(each) && isOfDraft(each)) ?? all.find(isMe) ?? all.find(isOfDraft) ?? all[0]
}

/** Completes the first content with the sender, its signature and the preferred format. */
export const prepareSeed = (seed: Seed, accounts: readonly MailAccount[]): Seed => {
  const sender = findSender(seed, accounts)
  const signature = sender?.account.signature ?? null
  const { text, html } = seed.fields
  const fields: Fields = {
    ...seed.fields,
    accountId: sender?.account.id ?? seed.fields.accountId,
    from: sender?.identity.address ?? seed.fields.from,
  }
  const prefersText = sender?.account.plainText ?? false
  if (seed.saved) {
    // An empty draft has no format yet.
    const isEmpty = html === null && text === ''
    return { ...seed, fields: { ...fields, html: isEmpty && !prefersText ? '' : html } }
  }
  if (prefersText)
    return {
      ...seed,
      fields: { ...fields, text: `${seed.words}${toSignatureText(signature)}${text}`, html: null },
    }
  const opening = textToHtml(seed.words)
  const body = `${opening || (html === '' && signature === null ? '' : '<p></p>')}${html ?? ''}`
  return {
    ...seed,
    fields: { ...fields, html: signature === null ? body : replaceHtmlSignature(body, signature), text: '' },
  }
}
