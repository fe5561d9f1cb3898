import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Clock } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors.ts'
import type { JobContext } from '../../platform/jobs/jobs.ts'
import { type Random, randomId } from '../../platform/random.ts'
import type { DeliveryRunner } from './delivery.ts'
import type { NotificationTexts } from './locales/en.ts'
import { type RenderedText, renderNotification, textsFor } from './notification-text.ts'
import { toTitle } from './plain-line.ts'
import { NO_ACCOUNT, type PersonalPost } from './ports.ts'
import {
  advanceMail,
  changeDeliveries,
  findMail,
  findPerson,
  listByIds,
  listOfMail,
  type MailRecord,
  type NotificationRecord,
} from './repository.ts'

/** A notification in the language of its reader. */
type MailEntry = RenderedText & Pick<NotificationRecord, 'link'>

const headingOf = (rows: readonly MailEntry[], isDigest: boolean, t: NotificationTexts): string => {
  const [only] = rows
  if (only && rows.length === 1 && !isDigest) return only.title
  return isDigest ? t.digest(rows.length) : t.notifications(rows.length)
}

const entryOf = ({ title, body, link }: MailEntry, consoleUrl: string): string =>
  [
    `* ${title}`,
    ...(body === '' ? [] : [`  ${body}`]),
    ...(link === null ? [] : [`  ${consoleUrl}${link}`]),
  ].join('\n')

/**
 * Composes a notification mail. It is plain text, because others wrote much of it. It links only to the
 * console.
 */
const formatMail = (
  rows: readonly MailEntry[],
  {
    name,
    t,
    isDigest,
    consoleUrl,
  }: { name: string; t: NotificationTexts; isDigest: boolean; consoleUrl: string },
): { subject: string; text: string } => ({
  subject: toTitle(headingOf(rows, isDigest, t)),
  text: [
    t.greeting(toTitle(name)),
    ...rows.map((row) => entryOf(row, consoleUrl)),
    t.settings(`${consoleUrl}/settings/notifications`),
    '',
  ].join('\n\n'),
})

/** Older notifications are no longer news, and the console shows them. */
const RETRY_FOR_MS = 86_400_000

const UNCERTAIN = 'The connection ended before the mail server confirmed or rejected the message.'

type From = { state: 'queued' | 'sending'; attempt?: string }

/**
 * Sends one mail. Its row has the state `sending` from before the first byte until the result is known. After
 * a crash, a mail in this state is not sent again. A duplicate mail is worse than a notification that only
 * the console shows.
 */
export const createMailSender = (deps: {
  db: Db
  clock: Clock
  random: Random
  post: PersonalPost
  deliveryRunner: DeliveryRunner
  /** The public URL of the console. */
  baseUrl: () => string
}) => {
  const { db, clock, random, post, deliveryRunner } = deps
  const now = (): string => clock.now().toISOString()

  const settle = (
    mail: MailRecord,
    from: From,
    to: { state: 'sent' } | { state: 'failed' | 'uncertain'; error: string },
    context: JobContext,
  ): Promise<void> =>
    inTransaction(db, async (tx) => {
      const change = { state: to.state, error: 'error' in to ? to.error : null, updatedAt: now() }
      // Another process may have marked this mail as uncertain, but this process knows the result.
      const late = {
        state: 'uncertain',
        ...(from.attempt !== undefined && { attempt: from.attempt }),
      } as const
      const isOurs =
        (await advanceMail(tx, mail, from, change)) ||
        (to.state === 'sent' && from.attempt !== undefined && (await advanceMail(tx, mail, late, change)))
      if (!isOurs) return
      const deliveries = await listOfMail(tx, mail)
      const ids = deliveries.map(({ id }) => id)
      if (to.state === 'sent')
        await changeDeliveries(tx, ids, { state: 'told', error: null, finishedAt: now() })
      else await deliveryRunner.giveUp(tx, deliveries, to)
      await context.complete(tx).catch(() => undefined)
    })

  const postpone = async (
    mail: MailRecord,
    from: From,
    response: string,
    context: JobContext,
  ): Promise<void> => {
    if (clock.now().getTime() - Date.parse(mail.createdAt) > RETRY_FOR_MS)
      return settle(mail, from, { state: 'failed', error: response }, context)
    const change = { state: 'queued', attempt: null, error: response, updatedAt: now() } as const
    await inTransaction(db, (tx) => advanceMail(tx, mail, from, { ...change, attempts: mail.attempts + 1 }))
    throw new AppError('upstream', 'upstream_failed', response)
  }

  /**
   * Composes the mail again for each attempt, so that it contains no notification that was cleared in the
   * meantime.
   */
  const compose = async (mail: MailRecord) => {
    const person = await findPerson(db, mail.userId)
    const deliveries = await listOfMail(db, mail)
    if (!person || deliveries.length === 0) return undefined
    const rows = await listByIds(
      db,
      deliveries.map(({ notificationId }) => notificationId),
    )
    const visible = rows
      .filter(({ clearedAt }) => clearedAt === null)
      .map((row) => ({ ...renderNotification(row, person, clock.now()), link: row.link }))
    if (visible.length === 0) return undefined
    const { name, email: address } = person
    const isDigest = deliveries.every(({ heldBy }) => heldBy === 'digest')
    const content = formatMail(visible, { name, t: textsFor(person), isDigest, consoleUrl: deps.baseUrl() })
    return { messageId: mail.messageId, to: { name, address }, ...content }
  }

  const send = async (mail: MailRecord, context: JobContext): Promise<void> => {
    const composed = await compose(mail)
    if (!composed) return settle(mail, { state: 'queued' }, { state: 'sent' }, context)
    const attempt = randomId(random)
    const beforeData = async (): Promise<void> => {
      const change = { state: 'sending', attempt, updatedAt: now() } as const
      const isOurs = await inTransaction(db, (tx) => advanceMail(tx, mail, { state: 'queued' }, change))
      if (!isOurs) throw new Error('Another process is sending this mail.')
    }
    const outcome = await post.send(mail.userId, composed, beforeData, context.signal)
    const isBegun = (await findMail(db, mail.id))?.state !== 'queued'
    const from: From = isBegun ? { state: 'sending', attempt } : { state: 'queued' }
    switch (outcome.result) {
      case 'sent':
        return settle(mail, { state: 'sending', attempt }, { state: 'sent' }, context)
      case 'no_account':
        return settle(mail, from, { state: 'failed', error: NO_ACCOUNT }, context)
      case 'refused':
        return settle(mail, from, { state: 'failed', error: outcome.response }, context)
      case 'uncertain':
        return settle(mail, from, { state: 'uncertain', error: UNCERTAIN }, context)
      case 'postponed':
        return postpone(mail, from, outcome.response, context)
    }
  }

  return async (mailId: number, context: JobContext): Promise<void> => {
    const mail = await findMail(db, mailId)
    if (mail?.state === 'sending')
      return settle(mail, { state: 'sending' }, { state: 'uncertain', error: UNCERTAIN }, context)
    if (mail?.state === 'queued') await send(mail, context)
  }
}
