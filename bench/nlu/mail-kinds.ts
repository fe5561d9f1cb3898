import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { classifyMail, type Letter, type MailKind } from '../../src/nlu/mail/kind.ts'
import type { Rate } from './data.ts'

/* Written mails with their kind. A hash assigns each to a part; nobody reads the mails of the last part for tuning. */

const KIND_PARTS = ['train', 'validation', 'held'] as const
type KindPart = (typeof KIND_PARTS)[number]

interface KindMail extends Letter {
  kind: MailKind
  part: KindPart
}

export const readKindMails = (): KindMail[] =>
  readFileSync(new URL('./mails/kinds.txt', import.meta.url), 'utf8')
    .split(/^=== /m)
    .slice(1)
    .map((block) => {
      const [head = '', ...lines] = block.split('\n')
      const [kind = '', from = '', subject = ''] = head.split(' | ')
      const digest = createHash('sha256').update(`${from} ${subject}`).digest()
      return {
        kind: kind as MailKind,
        from,
        subject,
        text: lines.join('\n').trim(),
        part: KIND_PARTS[digest.readUInt32LE(0) % KIND_PARTS.length] as KindPart,
      }
    })

/** Counts the mails of a part whose kind is recognized. */
export const scoreKinds = (part: KindPart, kind: MailKind): Rate => {
  const mails = readKindMails().filter((mail) => mail.part === part && mail.kind === kind)
  const wrong = mails.filter((mail) => classifyMail(mail).kind !== kind).map(({ subject }) => subject)
  return { right: mails.length - wrong.length, of: mails.length, wrong }
}
