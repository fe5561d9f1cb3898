import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Clock } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors.ts'
import type { JobContext } from '../../platform/jobs/jobs.ts'
import { type Random, randomId } from '../../platform/random.ts'
import type { Delivering } from './delivering.ts'
import { changeDeliveries, listOfMail } from './delivery-store.ts'
import { letterOf } from './letter.ts'
import { advanceMail, findMail, type MailRecord } from './mail-store.ts'
import { NO_ACCOUNT } from './plan.ts'
import type { PersonalPost } from './post.ts'
import { findPerson, listByIds } from './store.ts'

/** News that is older than this is none, and stands in the console by then. */
const GIVES_UP_MS = 86_400_000

const UNCERTAIN = 'The connection ended before the mail server said whether it took the message.'

type From = { state: 'queued' | 'sending'; attempt?: string }

/**
 * Sends one mail. Its row says `sending` from before the server gets the first byte until its answer is known, so
 * whoever finds it so after a crash knows that nobody knows, and sends nothing: told twice is worse than read in the
 * console.
 */
export const createMailing = (deps: {
  db: Db
  clock: Clock
  random: Random
  post: PersonalPost
  delivering: Delivering
  /** Where the console is reached. */
  baseUrl: () => string
}) => {
  const { db, clock, random, post, delivering } = deps
  const now = (): string => clock.now().toISOString()

  const settle = (
    mail: MailRecord,
    from: From,
    to: { state: 'sent' } | { state: 'failed' | 'uncertain'; error: string },
    context: JobContext,
  ): Promise<void> =>
    inTransaction(db, async (tx) => {
      const change = { state: to.state, error: 'error' in to ? to.error : null, updatedAt: now() }
      // Taken for lost by another, who could not know; this one does.
      const late = {
        state: 'uncertain',
        ...(from.attempt !== undefined && { attempt: from.attempt }),
      } as const
      const isOurs =
        (await advanceMail(tx, mail.id, from, change)) ||
        (to.state === 'sent' && from.attempt !== undefined && (await advanceMail(tx, mail.id, late, change)))
      if (!isOurs) return
      const deliveries = await listOfMail(tx, mail.id)
      const ids = deliveries.map(({ id }) => id)
      if (to.state === 'sent')
        await changeDeliveries(tx, ids, { state: 'told', error: null, finishedAt: now() })
      else await delivering.giveUp(tx, deliveries, to)
      await context.complete(tx).catch(() => undefined)
    })

  const postpone = async (mail: MailRecord, from: From, said: string, context: JobContext): Promise<void> => {
    if (clock.now().getTime() - Date.parse(mail.createdAt) > GIVES_UP_MS)
      return settle(mail, from, { state: 'failed', error: said }, context)
    const change = { state: 'queued', attempt: null, error: said, updatedAt: now() } as const
    await inTransaction(db, (tx) =>
      advanceMail(tx, mail.id, from, { ...change, attempts: mail.attempts + 1 }),
    )
    throw new AppError('upstream', 'upstream_failed', said)
  }

  /** Made of what it tells, each time it is tried: what was cleared meanwhile is no longer in it. */
  const compose = async (mail: MailRecord) => {
    const person = await findPerson(db, mail.userId)
    const deliveries = await listOfMail(db, mail.id)
    if (!person || deliveries.length === 0) return undefined
    const rows = await listByIds(
      db,
      deliveries.map(({ notificationId }) => notificationId),
    )
    const told = rows.filter(({ clearedAt }) => clearedAt === null)
    if (told.length === 0) return undefined
    const { name, email: address } = person
    const isDigest = deliveries.every(({ heldBy }) => heldBy === 'digest')
    const letter = letterOf(told, { name, isDigest, consoleUrl: deps.baseUrl() })
    return { messageId: mail.messageId, to: { name, address }, ...letter }
  }

  const send = async (mail: MailRecord, context: JobContext): Promise<void> => {
    const composed = await compose(mail)
    if (!composed) return settle(mail, { state: 'queued' }, { state: 'sent' }, context)
    const attempt = randomId(random)
    const beforeData = async (): Promise<void> => {
      const change = { state: 'sending', attempt, updatedAt: now() } as const
      const isOurs = await inTransaction(db, (tx) => advanceMail(tx, mail.id, { state: 'queued' }, change))
      if (!isOurs) throw new Error('Another is sending it.')
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
        return settle(mail, from, { state: 'failed', error: outcome.said }, context)
      case 'uncertain':
        return settle(mail, from, { state: 'uncertain', error: UNCERTAIN }, context)
      case 'postponed':
        return postpone(mail, from, outcome.said, context)
    }
  }

  return async (mailId: number, context: JobContext): Promise<void> => {
    const mail = await findMail(db, mailId)
    if (mail?.state === 'sending')
      return settle(mail, { state: 'sending' }, { state: 'uncertain', error: UNCERTAIN }, context)
    if (mail?.state === 'queued') await send(mail, context)
  }
}
