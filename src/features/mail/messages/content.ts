import { snippetOf } from '../../../nlu/mail/facts.ts'
import { addTruncationNote, sanitizeHtml, TRUNCATION_NOTE, textOfHtml } from '../html/sanitizer.ts'
import type { Address } from '../mime/addresses.ts'
import type { Content, WholeEmail } from './email.ts'

/** An attachment that HTML can refer to with its Content-ID. */
export interface InlineAttachment {
  id: string
  contentId: string | null
}

/** Sanitized bodies with a placeholder instead of the email id. */
export interface MarkedContent {
  text: string
  snippet: string
  html: string | null
}

/** The bodies of a message, or of an email that was created from fields. */
export interface GivenContent {
  text: string | null
  html: string | null
  /** True if the message contains more than this. */
  isTruncated?: boolean
}

/**
 * Sanitizes the bodies of a message for storage and display. `mark` is a placeholder for the email id. It is
 * random, so that no message can contain it.
 */
export const makeContent = (
  given: GivenContent,
  attachments: readonly InlineAttachment[],
  mark: string,
): MarkedContent => {
  const byContentId = new Map(
    // A client that writes HTML knows the id of an upload, not its Content-ID.
    attachments.map(({ id, contentId }) => [contentId ?? id, id]),
  )
  const toUrl = (contentId: string): string | undefined => {
    const id = byContentId.get(contentId)
    return id && `/api/emails/${mark}/attachments/${id}`
  }
  const sanitized = given.html === null ? null : sanitizeHtml(given.html, { toUrl })
  const html = sanitized !== null && given.isTruncated ? addTruncationNote(sanitized) : sanitized
  const givenText =
    given.text !== null && given.isTruncated ? `${given.text}\n\n${TRUNCATION_NOTE}` : given.text
  const text = givenText ?? (html === null ? '' : textOfHtml(html))
  return { text: text === '' && given.isTruncated ? TRUNCATION_NOTE : text, snippet: snippetOf(text), html }
}

/** Replaces the placeholder when the email id is known. */
export const toContent = ({ html, ...rest }: MarkedContent, mark: string): Content => ({
  ...rest,
  htmlOf: (emailId) => html?.replaceAll(mark, String(emailId)) || null,
})

/** Limits the indexed part of a text. The index itself takes far fewer words. */
const MAX_SEARCHED_LENGTH = 100_000

const listNames = (json: string): string[] =>
  (JSON.parse(json) as Address[]).map(({ name, address }) => `${name} ${address}`)

/** The searchable texts of an email. */
export const searchTextsOf = (
  email: Pick<
    WholeEmail,
    'subject' | 'fromName' | 'fromAddress' | 'to' | 'cc' | 'bcc' | 'attachments' | 'text'
  >,
) => ({
  subject: email.subject,
  sender: `${email.fromName} ${email.fromAddress}`,
  recipients: [email.to, email.cc, email.bcc].flatMap(listNames).join(' ; '),
  body: [
    email.text.slice(0, MAX_SEARCHED_LENGTH),
    ...(JSON.parse(email.attachments) as { filename: string }[]).map(({ filename }) => filename),
  ].join(' ; '),
})
