import { buffer } from 'node:stream/consumers'
import type { Db } from '../../../database/db.ts'
import type { Folder } from '../../../database/tables/mail.ts'
import { inTransaction, isInTransaction, transactionOr } from '../../../database/transaction.ts'
import { AppError, conflict, invalidField, notFound } from '../../../platform/errors.ts'
import { needsSmtpUtf8, toAsciiDomain } from '../../../platform/outbound/mail-address.ts'
import type { Platform } from '../../../platform/platform.ts'
import { randomId } from '../../../platform/random.ts'
import { readInstant } from '../../../platform/time.ts'
import { type Identity, listIdentities, toMaxMessageBytes } from '../accounts/accounts.ts'
import { type AccountRecord, findAccountOf } from '../accounts/repository.ts'
import type { Attachments } from '../messages/attachments.ts'
import { type Content, type EmailView, readAddress, toEmail } from '../messages/email.ts'
import type { EmailEditor } from '../messages/email-writer.ts'
import type { Emails } from '../messages/emails.ts'
import type { NewEmail } from '../messages/schema.ts'
import { type Composition, compose, toParts } from './compose.ts'
import { toOutgoingHtml } from './outgoing-html.ts'
import { advanceOutbox, findOriginal, findOutbox, insertOutbox, type OutboxRecord } from './repository.ts'
import type { RequestSentCopy } from './send-requests.ts'

/** Delay before sending, in which the user can undo it. */
export const UNDO_MS = 10_000
const MAX_DELAY_MS = 366 * 86_400_000
export const SEND_JOB = 'mail.send'

/** The request body of the API. */
export interface SendEmailInput
  extends Pick<
    NewEmail,
    'from' | 'to' | 'cc' | 'bcc' | 'replyTo' | 'subject' | 'text' | 'html' | 'attachmentIds'
  > {
  accountId?: string | undefined
  /** The email to reply to: its id here, or its Message-ID. */
  inReplyTo?: number | string | null | undefined
  sendAt?: string | undefined
  followUpAt?: string | undefined
}

interface Envelope {
  from: string
  to: string[]
  /** Stored here, because a draft that changes is composed again. */
  calendar?: Composition['calendar']
}

export interface OutboxDeps extends Pick<Platform, 'db' | 'clock' | 'random' | 'jobs' | 'quota'> {
  editor: Pick<EmailEditor, 'prepare' | 'create'>
  emails: Emails
  openAttachment: Attachments['open']
  zoneOf: (userId: number) => Promise<string>
}

const findSenderAccount = async (tx: Db, userId: number, id: string | undefined): Promise<AccountRecord> => {
  if (id !== undefined) {
    const account = await findAccountOf(tx, userId, id)
    if (!account) throw invalidField('accountId', 'is not a mail account')
    return account
  }
  const first = await tx
    .selectFrom('mail_accounts')
    .selectAll()
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .limit(1)
    .executeTakeFirst()
  if (!first)
    throw conflict('There is no mail account to send with. Add one in the settings.', 'not_configured')
  return first
}

const toDueDate = async (
  { clock, zoneOf }: OutboxDeps,
  userId: number,
  sendAt: string | undefined,
): Promise<Date> => {
  const earliest = clock.now().getTime() + UNDO_MS
  if (sendAt === undefined) return new Date(earliest)
  const requested = Date.parse(readInstant('sendAt', sendAt, await zoneOf(userId)))
  if (requested > earliest + MAX_DELAY_MS) throw invalidField('sendAt', 'must be within one year')
  return new Date(Math.max(earliest, requested))
}

/** The follow-up of a message must be after it is sent. */
const toFollowUp = async (
  { zoneOf }: OutboxDeps,
  userId: number,
  followUpAt: string | undefined,
  due: Date,
): Promise<string | null> => {
  if (followUpAt === undefined) return null
  const moment = readInstant('followUpAt', followUpAt, await zoneOf(userId))
  const requested = Date.parse(moment)
  if (requested <= due.getTime()) throw invalidField('followUpAt', 'must be after the email is sent')
  if (requested > due.getTime() + MAX_DELAY_MS)
    throw invalidField('followUpAt', 'must be within one year after sending')
  return moment
}

/** In-Reply-To and References of a reply (RFC 5322, section 3.6.4). */
const findConversation = async (tx: Db, userId: number, inReplyTo: SendEmailInput['inReplyTo']) => {
  if (inReplyTo === null || inReplyTo === undefined) return { inReplyTo: null, references: [] }
  const which = typeof inReplyTo === 'number' ? inReplyTo : inReplyTo.trim().replace(/^<|>$/g, '')
  const original = await findOriginal(tx, userId, which)
  if (!original && typeof which === 'number') throw invalidField('inReplyTo', 'is not an email')
  const messageId = original?.messageId ?? (typeof which === 'string' ? which : null)
  if (messageId === null) return { inReplyTo: null, references: [] }
  if (/[\s<>]/.test(messageId)) throw invalidField('inReplyTo', 'must be an email id or a Message-ID')
  const known = original ? (JSON.parse(original.references) as string[]) : []
  const before = known.length > 0 ? known : original?.inReplyTo ? [original.inReplyTo] : []
  return { inReplyTo: messageId, references: [...before.filter((id) => id !== messageId), messageId] }
}

const formatMegabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`

/** The sender of a message. It must be an identity of the account. */
const toSender = (account: AccountRecord, given: SendEmailInput['from']): Identity => {
  const [main, ...others] = listIdentities(account) as [Identity, ...Identity[]]
  if (given === undefined || given === null) return main
  const from = readAddress('from', given)
  const identity = [main, ...others].find(
    ({ address }) => address.toLowerCase() === from.address.toLowerCase(),
  )
  if (!identity) throw invalidField('from', 'is not an identity of this mail account')
  return { name: from.name || identity.name, address: identity.address }
}

const composeEmail = async (
  { clock, openAttachment }: OutboxDeps,
  tx: Db,
  account: AccountRecord,
  email: EmailView,
  options: Pick<Composition, 'messageId' | 'references' | 'calendar'>,
): Promise<Buffer> => {
  const outgoing = email.html === null ? null : toOutgoingHtml(email.html, email.id)
  const files: Parameters<typeof toParts>[0][number][] = []
  for (const { id } of email.attachments) {
    const { filename, contentType, content } = await openAttachment(tx, account.userId, email.id, id)
    files.push({ id, filename, contentType, content: await buffer(content) })
  }
  const raw = await compose({
    ...options,
    html: outgoing?.html ?? null,
    date: clock.now(),
    from: email.from ?? { name: '', address: '' },
    to: email.to,
    cc: email.cc,
    replyTo: email.replyTo,
    subject: email.subject,
    text: email.text,
    inReplyTo: email.inReplyTo,
    attachments: toParts(files, outgoing),
  })
  const limit = toMaxMessageBytes(account)
  if (raw.length > limit)
    throw new AppError(
      'too_large',
      'too_large',
      `The message has ${formatMegabytes(raw.length)}, and the mail server accepts ${formatMegabytes(limit)}. Send fewer or smaller attachments.`,
    )
  return raw
}

const listRecipients = (email: EmailView): string[] => [
  ...new Set([...email.to, ...email.cc, ...email.bcc].map(({ address }) => address)),
]

/** `explain` returns why a recipient is rejected. */
const checkRecipients = (email: EmailView, explain: (address: string) => string | undefined): void => {
  for (const field of ['to', 'cc', 'bcc'] as const)
    for (const [index, { address }] of email[field].entries()) {
      const reason = explain(address)
      if (reason !== undefined) throw invalidField(`${field}.${index}`, reason)
    }
}

const requireRecipients = (email: EmailView): string[] => {
  const to = listRecipients(email)
  if (to.length === 0) throw invalidField('to', 'must contain at least one recipient')
  checkRecipients(email, (address) =>
    toAsciiDomain(address) === null ? `has no valid domain: ${address}` : undefined,
  )
  return to
}

/** Rejects recipients that the server refused by what it announced. While that is unknown, it decides when it gets them. */
const requireAcceptedAddresses = (email: EmailView, { acceptsUtf8 }: AccountRecord): void => {
  if (acceptsUtf8 !== 0) return
  checkRecipients(email, (address) =>
    needsSmtpUtf8(address)
      ? `has letters before the @ that the mail server of this account does not accept (no SMTPUTF8): ${address}. Use an address with only a–z before the @, or send from another account.`
      : undefined,
  )
}

/**
 * Rejects emails that are not drafts, and drafts that were queued before: their job may still be pending.
 */
const requireSendable = ({ folder, delivery }: EmailView): void => {
  if (folder !== 'drafts') throw conflict('This email is not a draft. Only drafts can be sent.')
  if (delivery !== null)
    throw conflict(`This draft was queued for sending before (${delivery.status}). Create a new draft.`)
}

/** Stores the message as a draft of the sending account. Requires at least one recipient. */
const createDraft = async (
  deps: OutboxDeps,
  tx: Db,
  userId: number,
  input: SendEmailInput,
  content: Content,
) => {
  const { sendAt, accountId, followUpAt, inReplyTo, ...fields } = input
  const account = await findSenderAccount(tx, userId, accountId)
  const due = await toDueDate(deps, userId, sendAt)
  const conversation = await findConversation(tx, userId, inReplyTo)
  const created = await deps.editor.create(
    tx,
    userId,
    {
      ...fields,
      ...conversation,
      accountId: account.id,
      folder: 'drafts',
      read: true,
      from: toSender(account, input.from),
    },
    { content, followUpAt: await toFollowUp(deps, userId, followUpAt, due) },
  )
  const draft = toEmail(created)
  requireRecipients(draft)
  return { draft, account, due, references: conversation.references }
}

/** Adds a stored draft to the outbox. */
const queueDraft = async (
  deps: OutboxDeps,
  tx: Db,
  draft: EmailView,
  account: AccountRecord,
  due: Date,
  options: Omit<Parameters<typeof composeEmail>[4], 'messageId'>,
): Promise<EmailView> => {
  const { clock, random, emails, jobs, quota } = deps
  const { userId } = account
  const to = requireRecipients(draft)
  requireAcceptedAddresses(draft, account)
  const messageId = `${randomId(random)}@${toAsciiDomain(account.address) ?? 'localhost'}`
  const { calendar } = options
  const raw = await composeEmail(deps, tx, account, draft, { ...options, messageId })
  await emails.setRaw(tx, userId, draft.id, raw, messageId)
  // A full account can still answer mail, but not send files.
  if (draft.attachments.length > 0) await quota.requireSpace(tx, userId)
  await emails.setDelivery(tx, userId, draft.id, {
    status: 'queued',
    error: null,
    sendAt: due.toISOString(),
  })
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
  await jobs.enqueue(tx, SEND_JOB, { emailId: draft.id }, { runAt: due })
  return emails.get(userId, draft.id, tx)
}

export type Outbox = ReturnType<typeof createOutbox>

/** Stores messages until they are sent, with their delivery status. */
export const createOutbox = (deps: OutboxDeps) => {
  const { db, clock, editor, emails } = deps

  return {
    /** Renders the bodies of a message. Call it outside a transaction: it may take seconds. */
    prepareContent: (input: Pick<SendEmailInput, 'text' | 'html' | 'attachmentIds'>): Promise<Content> =>
      editor.prepare(input),

    /** Queues a message. It is sent after the undo delay, or at `sendAt`. */
    async send(
      userId: number,
      input: SendEmailInput,
      calendar?: Composition['calendar'],
      given?: Content,
    ): Promise<EmailView> {
      const content = given ?? (await editor.prepare(input))
      return inTransaction(db, async (tx) => {
        const { draft, account, due, references } = await createDraft(deps, tx, userId, input, content)
        return queueDraft(deps, tx, draft, account, due, { references, calendar })
      })
    },

    /** Validates and stores a message without sending it. */
    async draft(userId: number, input: SendEmailInput, given?: Content): Promise<EmailView> {
      const content = given ?? (await editor.prepare(input))
      return inTransaction(db, async (tx) => {
        const { draft } = await createDraft(deps, tx, userId, input, content)
        await deps.quota.requireSpace(tx, userId)
        return draft
      })
    },

    /**
     * Returns a draft that `sendDraft` accepts. Inside a transaction the draft stays locked until the end.
     */
    async getSendable(userId: number, emailId: number): Promise<EmailView> {
      const view = transactionOr(db)
      if (isInTransaction()) await emails.hold(view, userId, emailId)
      const draft = await emails.get(userId, emailId, view)
      requireSendable(draft)
      requireRecipients(draft)
      return draft
    },

    /** Sends a stored draft unchanged, from the account that it belongs to. */
    sendDraft: (userId: number, emailId: number, sendAt: string | undefined): Promise<EmailView> =>
      inTransaction(db, async (tx) => {
        await emails.hold(tx, userId, emailId)
        const found = await emails.get(userId, emailId, tx)
        requireSendable(found)
        const account = await findSenderAccount(tx, userId, found.accountId ?? undefined)
        const due = await toDueDate(deps, userId, sendAt)
        // A draft of another program may name any sender.
        const isIdentity = listIdentities(account).some(
          ({ address }) => address.toLowerCase() === found.from?.address.toLowerCase(),
        )
        if (!isIdentity) await emails.change(userId, emailId, { from: toSender(account, null) }, undefined)
        const draft = await emails.get(userId, emailId, tx)
        const { references } = await findConversation(tx, userId, draft.inReplyTo)
        // The draft may have waited for a confirmation longer than that.
        if (draft.followUpAt !== null && Date.parse(draft.followUpAt) <= due.getTime())
          await emails.change(userId, emailId, { followUpAt: null }, undefined)
        return queueDraft(deps, tx, draft, account, due, { references })
      }),

    /** Cancels sending, until the transmission to the server has started. The message remains a draft. */
    cancel: (userId: number, emailId: number): Promise<EmailView> =>
      inTransaction(db, async (tx) => {
        const row = (await emails.hold(tx, userId, emailId)) ? await findOutbox(tx, emailId) : undefined
        if (!row) throw notFound('queued email')
        const change = { state: 'cancelled', error: null, updatedAt: clock.now().toISOString() } as const
        const isCancelled = await advanceOutbox(tx, emailId, { state: 'queued' }, change)
        if (!isCancelled && row.state !== 'cancelled')
          throw conflict('The message cannot be cancelled: it is being sent or was sent.')
        await emails.setDelivery(tx, userId, emailId, { status: 'cancelled', error: null })
        return emails.get(userId, emailId, tx)
      }),

    /**
     * Returns the message and its envelope for transmission. A draft that was edited meanwhile is composed
     * again.
     */
    prepare: (
      userId: number,
      emailId: number,
    ): Promise<{ raw: Buffer; envelope: { from: string; to: string[] } } | undefined> =>
      inTransaction(db, async (tx) => {
        const row = await findOutbox(tx, emailId)
        if (row?.state !== 'queued') return undefined
        const storedRaw = await emails.readRaw(tx, userId, emailId)
        const { from, to, calendar } = JSON.parse(row.envelope) as Envelope
        if (storedRaw) return { raw: storedRaw, envelope: { from, to } }
        const account = await findAccountOf(tx, userId, row.accountId)
        if (!account) return undefined
        const email = await emails.get(userId, emailId, tx)
        const { references } = await findConversation(tx, userId, email.inReplyTo)
        const options = { messageId: row.messageId, references, calendar }
        const raw = await composeEmail(deps, tx, account, email, options)
        const envelope: Envelope = { from, to: listRecipients(email), calendar }
        await emails.setRaw(tx, userId, emailId, raw, row.messageId)
        await advanceOutbox(tx, emailId, { state: 'queued' }, { envelope: JSON.stringify(envelope) })
        return { raw, envelope: { from, to: envelope.to } }
      }),
  }
}

export interface UnsentDeps extends Pick<Platform, 'db' | 'clock' | 'jobs'> {
  emails: Pick<Emails, 'setDelivery' | 'move' | 'get' | 'hold'>
  requestSentCopy: RequestSentCopy
}

export type Unsent = ReturnType<typeof createUnsent>

const MAY_ARRIVE_TWICE =
  'It is unknown whether this email was sent. Recipients may receive it twice. Ask one of them first, or set `mayArriveTwice: true`.'

/**
 * Actions for messages that failed or have an unknown outcome. Only a user decides; the service never retries
 * them.
 */
export const createUnsent = ({ db, clock, jobs, emails, requestSentCopy }: UnsentDeps) => {
  const now = (): string => clock.now().toISOString()

  const get = async (tx: Db, userId: number, emailId: number): Promise<OutboxRecord> => {
    const row = (await emails.hold(tx, userId, emailId)) ? await findOutbox(tx, emailId) : undefined
    if (!row) throw notFound('outgoing email')
    return row
  }

  /**
   * Changes the state if it is still `failed` or `uncertain`. Only one of several concurrent decisions
   * succeeds.
   */
  const decide = async (
    tx: Db,
    { emailId, state }: OutboxRecord,
    change: Parameters<typeof advanceOutbox>[3],
  ): Promise<void> => {
    const isOpen = state === 'failed' || state === 'uncertain'
    if (isOpen && (await advanceOutbox(tx, emailId, { state }, { ...change, updatedAt: now() }))) return
    throw conflict(
      state === 'queued' || state === 'sending'
        ? 'The email is still being sent. Cancel it first, or wait for the result.'
        : `This email needs no decision: it ${state === 'sent' ? 'was sent' : 'is a draft again'}.`,
    )
  }

  /** Closes the message without sending it. */
  const close = (
    userId: number,
    emailId: number,
    status: 'sent' | 'cancelled',
    folder: Folder,
  ): Promise<EmailView> =>
    inTransaction(db, async (tx) => {
      await decide(tx, await get(tx, userId, emailId), { state: status, error: null })
      await emails.setDelivery(tx, userId, emailId, { status, error: null })
      await emails.move(tx, userId, emailId, folder)
      if (status === 'sent') await requestSentCopy(tx, emailId)
      return emails.get(userId, emailId, tx)
    })

  return {
    /**
     * Sends the message again unchanged. It keeps its Message-ID, so that many mailboxes detect the
     * duplicate.
     */
    resend: (
      userId: number,
      emailId: number,
      { mayArriveTwice = false }: { mayArriveTwice?: boolean },
    ): Promise<EmailView> =>
      inTransaction(db, async (tx) => {
        const row = await get(tx, userId, emailId)
        if (!(await findAccountOf(tx, userId, row.accountId)))
          throw conflict('The mail account that should send this email was removed.')
        if (row.state === 'uncertain' && !mayArriveTwice) throw conflict(MAY_ARRIVE_TWICE)
        const due = new Date(clock.now().getTime() + UNDO_MS)
        const sendAt = due.toISOString()
        await decide(tx, row, { state: 'queued', attempt: null, attempts: 0, error: null, sendAt })
        await emails.setDelivery(tx, userId, emailId, { status: 'queued', error: null, sendAt })
        await emails.move(tx, userId, emailId, 'drafts')
        await jobs.enqueue(tx, SEND_JOB, { emailId }, { runAt: due })
        return emails.get(userId, emailId, tx)
      }),

    /** For a user who knows that the message arrived. */
    markSent: (userId: number, emailId: number) => close(userId, emailId, 'sent', 'sent'),

    /** Cancels sending and moves the message to the trash, where it can be restored. */
    discard: (userId: number, emailId: number) => close(userId, emailId, 'cancelled', 'trash'),
  }
}
