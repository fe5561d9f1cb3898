import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { type Random, randomId } from '../../platform/random.ts'
import type { Dispatcher } from './dispatcher.ts'
import type { Kind } from './kinds.ts'
import { NO_ACCOUNT, type PersonalPost } from './ports.ts'
import {
  changeDeliveries,
  type DeliveryRecord,
  findDuePerson,
  findPerson,
  insertMail,
  listByIds,
  listWaiting,
  postponeDeliveries,
  showInConsole,
  takeDue,
} from './repository.ts'
import { type Due, dueOf } from './schedule.ts'
import { choicesOf, isSecurity, readChoices } from './settings.ts'

export const MAIL_JOB = 'notifications.mail'
/** The maximum number of notifications in one mail. The next mail has the rest. */
const MAX_PER_MAIL = 200

const idsOf = (deliveries: readonly DeliveryRecord[]): number[] => deliveries.map(({ id }) => id)

/** Sends due deliveries: one webhook event per notification, and one mail for all of them. */
export const createDeliveryRunner = (deps: {
  db: Db
  clock: Clock
  random: Random
  jobs: Pick<Jobs, 'enqueue'>
  post: Pick<PersonalPost, 'senderOf'>
  dispatcher: Dispatcher
}) => {
  const { db, clock, random, jobs, post, dispatcher } = deps

  /** Fails deliveries with a reason and shows their notifications in the console instead. */
  const giveUp = async (
    tx: Db,
    deliveries: readonly DeliveryRecord[],
    end: { state: 'failed' | 'uncertain'; error: string },
  ): Promise<void> => {
    const [first] = deliveries
    if (!first) return
    await changeDeliveries(tx, idsOf(deliveries), {
      ...end,
      finishedAt: clock.now().toISOString(),
    })
    await showInConsole(
      tx,
      deliveries.map(({ notificationId }) => notificationId),
    )
    await dispatcher.announceChange(tx, first.userId)
  }

  const mail = async (tx: Db, userId: number, due: readonly DeliveryRecord[]): Promise<void> => {
    if (due.length === 0) return
    const sender = await post.senderOf(tx, userId)
    if (sender === undefined) return giveUp(tx, due, { state: 'failed', error: NO_ACCOUNT })
    const now = clock.now().toISOString()
    const mailId = await insertMail(tx, {
      userId,
      messageId: `${randomId(random)}@${sender.split('@').at(-1)}`,
      state: 'queued',
      attempt: null,
      attempts: 0,
      error: null,
      createdAt: now,
      updatedAt: now,
    })
    await changeDeliveries(tx, idsOf(due), { mailId })
    await jobs.enqueue(tx, MAIL_JOB, { mailId })
  }

  const publishToWebhooks = async (tx: Db, userId: number, due: readonly DeliveryRecord[]): Promise<void> => {
    if (due.length === 0) return
    const rows = await listByIds(
      tx,
      due.map(({ notificationId }) => notificationId),
    )
    // Cleared notifications have no text any more.
    const reader = await findPerson(tx, userId)
    for (const row of rows) if (reader && row.clearedAt === null) await dispatcher.announce(tx, row, reader)
    await changeDeliveries(tx, idsOf(due), { state: 'told', finishedAt: clock.now().toISOString() })
  }

  return {
    giveUp,

    /** Sends all due deliveries, one person per transaction. */
    async deliverDue(): Promise<void> {
      for (;;) {
        const now = clock.now().toISOString()
        const userId = await findDuePerson(db, now)
        if (userId === undefined) return
        await inTransaction(db, async (tx) => {
          const due = await takeDue(tx, userId, now, MAX_PER_MAIL)
          await publishToWebhooks(
            tx,
            userId,
            due.filter(({ channel }) => channel === 'webhook'),
          )
          await mail(
            tx,
            userId,
            due.filter(({ channel }) => channel === 'email'),
          )
        })
      }
    },
  }
}

export type DeliveryRunner = ReturnType<typeof createDeliveryRunner>

const CHANNEL_DISABLED = 'The channel was disabled before the notification was sent.'

/** Recalculates waiting deliveries after a change of the settings or the time zone. */
export const createRescheduling =
  (deps: { clock: Clock; dispatcher: Dispatcher; deliveryRunner: DeliveryRunner }) =>
  async (tx: Db, userId: number): Promise<void> => {
    const waiting = await listWaiting(tx, userId)
    const person = waiting.length > 0 ? await findPerson(tx, userId) : undefined
    if (!person) return
    const now = deps.clock.now()
    const choices = choicesOf(readChoices(person.chosen))
    const moments = new Map<string, { due: Due; ids: number[] }>()
    const unwanted: DeliveryRecord[] = []
    for (const delivery of waiting) {
      const { id, channel, heldBy } = delivery
      const kind = delivery.kind as Kind
      const { email, webhook } = choices.kinds[kind]
      // A thief of a session must not hold back mail that is due.
      if (isSecurity(kind) && channel === 'email' && heldBy === null) continue
      if (channel === 'email' ? email === 'off' : !webhook) {
        unwanted.push(delivery)
        continue
      }
      const due = dueOf({ kind, channel, choices, timezone: person.timezone }, now)
      const dueAt = due.at.toISOString()
      if (dueAt === delivery.dueAt && due.heldBy === heldBy) continue
      const key = `${dueAt} ${due.heldBy}`
      const moment = moments.get(key) ?? { due, ids: [] }
      moment.ids.push(id)
      moments.set(key, moment)
    }
    await deps.deliveryRunner.giveUp(tx, unwanted, { state: 'failed', error: CHANNEL_DISABLED })
    for (const { due, ids } of moments.values()) {
      await postponeDeliveries(tx, ids, { dueAt: due.at.toISOString(), heldBy: due.heldBy })
      await deps.dispatcher.awaitDue(tx, due)
    }
  }
