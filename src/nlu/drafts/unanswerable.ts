import { ownText } from '../history.ts'
import { type Category, isAdvertising } from '../mail/category.ts'
import { classifyMail } from '../mail/kind.ts'

const NO_REPLY_ADDRESS =
  /^(?:no[-_.]?reply|do[-_.]?not[-_.]?reply|noreply[\w.+-]*|[\w.+-]*[-_.+]no-?reply|bounces?|mailer-daemon|postmaster|notifications?|alerts?|automated|auto)(?:[+@.-]|$)/i

/** The reason why a mail gets no reply. */
export type Unanswerable =
  | 'no-reply'
  | 'phishing'
  | 'dunning'
  | 'advertising'
  | Extract<Category, 'newsletter' | 'notification' | 'shipping' | 'security' | 'auto-reply' | 'bounce'>

const AUTOMATIC_CATEGORIES: readonly Category[] = [
  'newsletter',
  'notification',
  'shipping',
  'security',
  'auto-reply',
  'bounce',
]

/**
 * Returns the reason why a mail gets no reply, or undefined. A reply to phishing or advertising confirms the address;
 * a reply to a dunning letter may admit the debt. RFC 3834: do not reply to automatic mail.
 */
export const unanswerable = (
  mail: { from: string; text?: string; subject?: string; headers?: Readonly<Record<string, string>> },
  { category, insights = [] }: { category: Category; insights?: readonly { kind: string }[] },
): Unanswerable | undefined => {
  const { from, text = '', subject = '', headers = {} } = mail
  if (insights.some(({ kind }) => kind === 'phishing')) return 'phishing'
  if (NO_REPLY_ADDRESS.test(from.trim())) return 'no-reply'
  if (/^auto-/i.test(headers['auto-submitted'] ?? '')) return category === 'bounce' ? 'bounce' : 'auto-reply'
  const own = ownText(text.slice(0, 30_000))
  if (classifyMail({ subject, from, text: own }).kind === 'dunning') return 'dunning'
  if (AUTOMATIC_CATEGORIES.includes(category)) return category as Unanswerable
  return isAdvertising(`${subject}\n${own}`, category) ? 'advertising' : undefined
}

export const NOTICES: Readonly<Record<Unanswerable, string>> = {
  'no-reply': 'The sender address does not accept email. A reply would not reach anyone.',
  phishing: 'This email shows signs of phishing. Do not reply, and do not open its links.',
  dunning:
    'This is a demand for payment. Check it against your invoices. A reply can have legal consequences, so no draft was written.',
  advertising: 'This is advertising. A reply would only confirm your address.',
  newsletter: 'This is a newsletter. Nobody expects a reply.',
  notification: 'This is an automatic notification. Nobody expects a reply.',
  shipping: 'This is an automatic shipping notification. Nobody expects a reply.',
  security: 'This is an automatic security notification. Never send a code or a password in a reply.',
  'auto-reply':
    'This is an automatic reply. The sender has not read your email yet and does not expect a reply.',
  bounce: 'This is a delivery failure report. Nobody expects a reply.',
}
