import { snippetOf } from '../../engine/mail/snippet.ts'
import { sanitiseHtml, textOfHtml } from './html.ts'
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

/**
 * Makes the bodies of a message fit to be kept and shown. `mark` stands for the e-mail's number until that is known:
 * it is random, so that no message can contain it.
 */
export const contentOf = (
  given: { text: string | null; html: string | null },
  attachments: readonly Inlined[],
  mark: string,
): Content => {
  const byContentId = new Map(
    attachments.flatMap(({ id, contentId }) => (contentId === null ? [] : [[contentId, id]])),
  )
  const urlOf = (contentId: string): string | undefined => {
    const id = byContentId.get(contentId)
    return id && `/api/emails/${mark}/attachments/${id}`
  }
  const html = given.html === null ? null : sanitiseHtml(given.html, { urlOf })
  const text = given.text ?? (html === null ? '' : textOfHtml(html))
  return {
    text,
    snippet: snippetOf(text),
    htmlOf: (emailId) => html?.replaceAll(mark, String(emailId)) || null,
  }
}

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
    email.text,
    ...(JSON.parse(email.attachments) as { filename: string }[]).map(({ filename }) => filename),
  ].join(' ; '),
})
