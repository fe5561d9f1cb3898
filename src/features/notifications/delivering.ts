import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { type Random, randomId } from '../../platform/random.ts'
import { changeDeliveries, type DeliveryRecord, findDuePerson, takeDue } from './delivery-store.ts'
import { insertMail } from './mail-store.ts'
import { NO_ACCOUNT } from './plan.ts'
import type { PersonalPost } from './post.ts'
import { listByIds, showInConsole } from './store.ts'
import type { Telling } from './telling.ts'

export const MAIL_JOB = 'notifications.mail'
/** What one mail holds at most; the rest goes with the next. */
const MOST_AT_ONCE = 200

const idsOf = (deliveries: readonly DeliveryRecord[]): number[] => deliveries.map(({ id }) => id)

/** Tells what has become due: endpoints of each thing, mail of all of it together. */
export const createDelivering = (deps: {
  db: Db
  clock: Clock
  random: Random
  jobs: Pick<Jobs, 'enqueue'>
  post: Pick<PersonalPost, 'senderOf'>
  telling: Telling
}) => {
  const { db, clock, random, jobs, post, telling } = deps

  /** What could not be told by mail is there to be read, with the reason. */
  const giveUp = async (
    tx: Db,
    deliveries: readonly DeliveryRecord[],
    end: { state: 'failed' | 'uncertain'; error: string },
  ): Promise<void> => {
    const [first] = deliveries
    if (!first) return
    await changeDeliveries(tx, idsOf(deliveries), { ...end, finishedAt: clock.now().toISOString() })
    await showInConsole(
      tx,
      deliveries.map(({ notificationId }) => notificationId),
    )
    await telling.announceChange(tx, first.userId)
  }

  const mail = async (tx: Db, userId: number, due: readonly DeliveryRecord[]): Promise<void> => {
    if (due.length === 0) return
    const sender = await post.senderOf(tx, userId)
    if (sender === undefined) return giveUp(tx, due, { state: 'failed', error: NO_ACCOUNT })
    const now = clock.now().toISOString()
    const mailId = await insertMail(tx, {
      ...{ userId, messageId: `${randomId(random)}@${sender.split('@').at(-1)}`, state: 'queued' },
      ...{ attempt: null, attempts: 0, error: null, createdAt: now, updatedAt: now },
    })
    await changeDeliveries(tx, idsOf(due), { mailId })
    await jobs.enqueue(tx, MAIL_JOB, { mailId })
  }

  const tellEndpoints = async (tx: Db, due: readonly DeliveryRecord[]): Promise<void> => {
    if (due.length === 0) return
    const rows = await listByIds(
      tx,
      due.map(({ notificationId }) => notificationId),
    )
    // What was cleared meanwhile has no words left to tell.
    for (const row of rows) if (row.clearedAt === null) await telling.announce(tx, row)
    await changeDeliveries(tx, idsOf(due), { state: 'told', finishedAt: clock.now().toISOString() })
  }

  return {
    giveUp,

    /** All that is due by now, one person after the other, each in one transaction. */
    async tellDue(): Promise<void> {
      for (;;) {
        const now = clock.now().toISOString()
        const userId = await findDuePerson(db, now)
        if (userId === undefined) return
        await inTransaction(db, async (tx) => {
          const due = await takeDue(tx, userId, now, MOST_AT_ONCE)
          await tellEndpoints(
            tx,
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

export type Delivering = ReturnType<typeof createDelivering>
