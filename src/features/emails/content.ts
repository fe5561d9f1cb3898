import { snippetOf } from '../../engine/mail/snippet.ts'
import { CUT_NOTE, sanitiseHtml, textOfHtml, withCutNote } from './html.ts'
import type { Address } from './mime/addresses.ts'
import type { EmailRecord, WholeEmail } from './store.ts'

/** An attachment that is part of the message, or will be. */
export interface Inlined {
  id: string
  contentId: string | null
}

/** Bodies fit to be kept, before the e-mail has the number that the addresses of its attachments need. */
export interface Content {
  text: string
  snippet: string
  htmlOf(emailId: number): string | null
}

/** Bodies with a mark in place of the e-mail's number. */
export interface MarkedContent {
  text: string
  snippet: string
  html: string | null
}

/** The bodies of a message, or of an e-mail that is made of fields. */
export interface GivenContent {
  text: string | null
  html: string | null
  /** The message holds more than this. */
  isCut?: boolean
}

/**
 * Makes the bodies of a message fit to be kept and shown. `mark` stands for the e-mail's number until that is known:
 * it is random, so that no message can contain it.
 */
export const makeContent = (
  given: GivenContent,
  attachments: readonly Inlined[],
  mark: string,
): MarkedContent => {
  const byContentId = new Map(
    attachments.flatMap(({ id, contentId }) => (contentId === null ? [] : [[contentId, id]])),
  )
  const urlOf = (contentId: string): string | undefined => {
    const id = byContentId.get(contentId)
    return id && `/api/emails/${mark}/attachments/${id}`
  }
  const sanitised = given.html === null ? null : sanitiseHtml(given.html, { urlOf })
  const html = sanitised !== null && given.isCut ? withCutNote(sanitised) : sanitised
  const own = given.text !== null && given.isCut ? `${given.text}\n\n${CUT_NOTE}` : given.text
  const text = own ?? (html === null ? '' : textOfHtml(html))
  return { text: text === '' && given.isCut ? CUT_NOTE : text, snippet: snippetOf(text), html }
}

/** With the number of the e-mail still to come. */
export const toContent = ({ html, ...rest }: MarkedContent, mark: string): Content => ({
  ...rest,
  htmlOf: (emailId) => html?.replaceAll(mark, String(emailId)) || null,
})

/** What is searched of a text: its words alone, and far more of them than an index takes. */
const LONGEST_SEARCHED = 100_000

const namesIn = (json: string): string[] =>
  (JSON.parse(json) as Address[]).map(({ name, address }) => `${name} ${address}`)

/** What an e-mail is found by. */
export const searchTextsOf = (
  email: Pick<EmailRecord, 'subject' | 'fromName' | 'fromAddress' | 'to' | 'cc' | 'bcc' | 'attachments'> &
    Pick<WholeEmail, 'text'>,
) => ({
  subject: email.subject,
  sender: `${email.fromName} ${email.fromAddress}`,
  recipients: [email.to, email.cc, email.bcc].flatMap(namesIn).join(' ; '),
  body: [
    email.text.slice(0, LONGEST_SEARCHED),
    ...(JSON.parse(email.attachments) as { filename: string }[]).map(({ filename }) => filename),
  ].join(' ; '),
})
