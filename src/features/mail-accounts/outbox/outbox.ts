import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Db } from '../../../database/db.ts'
import { inTransaction } from '../../../database/transaction.ts'
import type { Clock } from '../../../platform/clock.ts'
import { AppError, conflict, invalidField, notFound } from '../../../platform/errors.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { type Random, randomId } from '../../../platform/random.ts'
import { readInstant } from '../../../platform/time.ts'
import type { Content } from '../../emails/content.ts'
import type { MailFiling } from '../../emails/mail-filing.ts'
import type { NewEmail } from '../../emails/schema.ts'
import type { EmailView } from '../../emails/view.ts'
import { type AccountRecord, findAccount } from '../store.ts'
import { type Composition, compose } from './compose.ts'
import { advanceOutbox, findOriginal, findOutbox, insertOutbox } from './outbox-store.ts'

/** How long a message waits, so that it can be taken back. */
export const UNDO_MS = 10_000
const FURTHEST_MS = 366 * 86_400_000
const LARGEST = 35 * 1024 * 1024
export const SEND_JOB = 'mail.send'

/** What is asked for, in the words of the API. */
export interface SendWish
  extends Pick<NewEmail, 'to' | 'cc' | 'bcc' | 'replyTo' | 'subject' | 'text' | 'html' | 'attachmentIds'> {
  accountId?: string | undefined
  /** The e-mail that is answered, by its id here or by its Message-ID. */
  inReplyTo?: number | string | null | undefined
  sendAt?: string | undefined
}

interface Envelope {
  from: string
  to: string[]
  /** Also for a draft that is composed anew. */
  calendar?: Composition['calendar']
}

export interface OutboxDeps {
  db: Db
  clock: Clock
  random: Random
  jobs: Pick<Jobs, 'enqueue'>
  emails: MailFiling & {
    prepare(wish: Pick<NewEmail, 'text' | 'html'>): Promise<Content>
    create(wish: NewEmail, prepared?: Content): Promise<EmailView>
    get(id: number, view?: Db): Promise<EmailView>
  }
  openAttachment(
    view: Db,
    emailId: number,
    id: string,
  ): Promise<{ filename: string; contentType: string; content: Readable }>
  timezone: () => Promise<string>
}

export type Outbox = ReturnType<typeof createOutbox>

/** What is to be sent: kept until it went, with what became of it. */
export const createOutbox = (deps: OutboxDeps) => {
  const { db, clock, random, emails } = deps

  const accountFor = async (tx: Db, id: string | undefined): Promise<AccountRecord> => {
    if (id !== undefined) {
      const account = await findAccount(tx, id)
      if (!account) throw invalidField('accountId', 'is not a mail account')
      return account
    }
    const first = await tx
      .selectFrom('mail_accounts')
      .selectAll()
      .orderBy('createdAt')
      .limit(1)
      .executeTakeFirst()
    if (!first)
      throw conflict('There is no mail account to send with: add one in the settings.', 'not_configured')
    return first
  }

  const dueAt = async (sendAt: string | undefined): Promise<Date> => {
    const soonest = clock.now().getTime() + UNDO_MS
    if (sendAt === undefined) return new Date(soonest)
    const asked = Date.parse(readInstant('sendAt', sendAt, await deps.timezone()))
    if (asked > soonest + FURTHEST_MS) throw invalidField('sendAt', 'must be within a year')
    return new Date(Math.max(soonest, asked))
  }

  /** RFC 5322, 3.6.4. */
  const conversationOf = async (tx: Db, inReplyTo: SendWish['inReplyTo']) => {
    if (inReplyTo === null || inReplyTo === undefined) return { inReplyTo: null, references: [] }
    const which = typeof inReplyTo === 'number' ? inReplyTo : inReplyTo.trim().replace(/^<|>$/g, '')
    const original = await findOriginal(tx, which)
    if (!original && typeof which === 'number') throw invalidField('inReplyTo', 'is not an e-mail')
    const messageId = original?.messageId ?? (typeof which === 'string' ? which : null)
    if (messageId === null) return { inReplyTo: null, references: [] }
    if (/[\s<>]/.test(messageId)) throw invalidField('inReplyTo', 'must be an e-mail or a message id')
    const known = original ? (JSON.parse(original.references) as string[]) : []
    const before = known.length > 0 ? known : original?.inReplyTo ? [original.inReplyTo] : []
    return { inReplyTo: messageId, references: [...before.filter((id) => id !== messageId), messageId] }
  }

  const composeEmail = async (
    tx: Db,
    email: EmailView,
    own: Pick<Composition, 'messageId' | 'references' | 'html' | 'calendar'>,
  ): Promise<Buffer> => {
    const attachments: Composition['attachments'][number][] = []
    for (const { id } of email.attachments) {
      const { filename, contentType, content } = await deps.openAttachment(tx, email.id, id)
      attachments.push({ filename, contentType, content: await buffer(content), contentId: null })
    }
    const raw = await compose({
      ...own,
      date: clock.now(),
      from: email.from ?? { name: '', address: '' },
      to: email.to,
      cc: email.cc,
      replyTo: email.replyTo,
      subject: email.subject,
      text: email.text,
      inReplyTo: email.inReplyTo,
      attachments,
    })
    if (raw.length > LARGEST)
      throw new AppError(
        'too_large',
        'too_large',
        'The message is larger than mail servers take: send less at once.',
      )
    return raw
  }

  const recipientsOf = (email: EmailView): string[] => [
    ...new Set([...email.to, ...email.cc, ...email.bcc].map(({ address }) => address)),
  ]

  return {
    /** Makes the bodies of a message that is to be sent; outside a transaction, for it may take seconds. */
    prepareContent: (wish: Pick<SendWish, 'text' | 'html'>): Promise<Content> => emails.prepare(wish),

    /** Takes a message in for sending; it goes in ten seconds, or when it was asked to. */
    async send(wish: SendWish, calendar?: Composition['calendar'], given?: Content): Promise<EmailView> {
      const prepared = given ?? (await emails.prepare(wish))
      return inTransaction(db, async (tx) => {
        const account = await accountFor(tx, wish.accountId)
        const { sendAt, accountId: _, inReplyTo, ...content } = wish
        const due = await dueAt(sendAt)
        const conversation = await conversationOf(tx, inReplyTo)
        const draft = await emails.create(
          {
            ...content,
            ...conversation,
            accountId: account.id,
            folder: 'drafts',
            read: true,
            from: { name: account.senderName, address: account.address },
          },
          prepared,
        )
        const to = recipientsOf(draft)
        if (to.length === 0) throw invalidField('to', 'must name someone to send to')
        const domain = account.address.slice(account.address.lastIndexOf('@') + 1)
        const messageId = `${randomId(random)}@${domain}`
        const html = wish.html ?? null
        const raw = await composeEmail(tx, draft, {
          messageId,
          html,
          references: conversation.references,
          calendar,
        })
        await emails.setRaw(tx, draft.id, raw, messageId)
        await emails.setDelivery(tx, draft.id, { status: 'queued', error: null, sendAt: due.toISOString() })
        const now = clock.now().toISOString()
        await insertOutbox(tx, {
          emailId: draft.id,
          accountId: account.id,
          state: 'queued',
          messageId,
          envelope: JSON.stringify({ from: account.address, to, calendar } satisfies Envelope),
          sendAt: due.toISOString(),
          attempts: 0,
          attempt: null,
          error: null,
          createdAt: now,
          updatedAt: now,
        })
        await deps.jobs.enqueue(tx, SEND_JOB, { emailId: draft.id }, { runAt: due })
        return emails.get(draft.id, tx)
      })
    },

    /** Takes it back, as long as the server has not been told. It stays as a draft. */
    cancel: (emailId: number): Promise<EmailView> =>
      inTransaction(db, async (tx) => {
        const row = await findOutbox(tx, emailId)
        if (!row) throw notFound('e-mail that is being sent')
        const change = { state: 'cancelled', error: null, updatedAt: clock.now().toISOString() } as const
        const isTakenBack = await advanceOutbox(tx, emailId, { state: 'queued' }, change)
        if (!isTakenBack && row.state !== 'cancelled')
          throw conflict('It is too late to take it back: the message is on its way or has gone.')
        await emails.setDelivery(tx, emailId, { status: 'cancelled', error: null })
        return emails.get(emailId, tx)
      }),

    /** The message and its envelope as they are to go; a draft that was worked on since is composed anew. */
    prepare: (
      emailId: number,
    ): Promise<{ raw: Buffer; envelope: { from: string; to: string[] } } | undefined> =>
      inTransaction(db, async (tx) => {
        const row = await findOutbox(tx, emailId)
        if (row?.state !== 'queued') return undefined
        const kept = await emails.readRaw(tx, emailId)
        const { from, to, calendar } = JSON.parse(row.envelope) as Envelope
        if (kept) return { raw: kept, envelope: { from, to } }
        const email = await emails.get(emailId, tx)
        const { references } = await conversationOf(tx, email.inReplyTo)
        const own = { messageId: row.messageId, html: email.html, references, calendar }
        const raw = await composeEmail(tx, email, own)
        const envelope: Envelope = { from, to: recipientsOf(email), calendar }
        await emails.setRaw(tx, emailId, raw, row.messageId)
        await advanceOutbox(tx, emailId, { state: 'queued' }, { envelope: JSON.stringify(envelope) })
        return { raw, envelope: { from, to: envelope.to } }
      }),
  }
}
