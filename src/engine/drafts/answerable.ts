import type { Category } from '../mail/category.ts'

const NOBODY_READS =
  /^(?:no[-_.]?reply|do[-_.]?not[-_.]?reply|noreply[\w.+-]*|[\w.+-]*[-_.+]no-?reply|bounces?|mailer-daemon|postmaster|notifications?|alerts?|automated|auto)(?:[+@.-]|$)/i

/** Who would be answered, when it is nobody. */
export type Unanswerable =
  | 'no-reply'
  | Extract<Category, 'newsletter' | 'notification' | 'shipping' | 'security' | 'auto-reply' | 'bounce'>

const MACHINES: readonly Category[] = [
  'newsletter',
  'notification',
  'shipping',
  'security',
  'auto-reply',
  'bounce',
]

/** Why an answer would reach no person; undefined when it would. RFC 3834: machines are not answered. */
export const unanswerable = (
  from: string,
  category: Category,
  headers: Readonly<Record<string, string>> = {},
): Unanswerable | undefined => {
  if (NOBODY_READS.test(from.trim())) return 'no-reply'
  if (/^auto-/i.test(headers['auto-submitted'] ?? '')) return category === 'bounce' ? 'bounce' : 'auto-reply'
  return MACHINES.includes(category) ? (category as Unanswerable) : undefined
}

export const NOTICES: Readonly<Record<Unanswerable, string>> = {
  'no-reply': 'It came from an address that takes no mail: an answer would reach nobody.',
  newsletter: 'It is a newsletter, sent to many: nobody there waits for an answer.',
  notification: 'A program sent it: nobody there waits for an answer.',
  shipping: 'It is a notice about a parcel, sent by a program: nobody there waits for an answer.',
  security: 'It is a security notice, sent by a program. Never send a code or a password in an answer.',
  'auto-reply':
    'It is an automatic answer: its writer has not read your mail yet, and would not expect an answer to this.',
  bounce: 'It says that a mail could not be delivered: there is nobody to answer.',
}
