import type { Db } from '../../database/db.ts'
import type { Changes, RecordedChange } from '../../platform/changes.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { type Random, randomId } from '../../platform/random.ts'
import type { ActivityEntry } from '../auth/activity.ts'
import type { IsFamiliar } from '../auth/familiar-visits.ts'
import { noticeOf } from './account-notices.ts'
import { insertDeliveries } from './delivery-store.ts'
import { listOwnMail } from './mail-store.ts'
import type { Occurrence } from './occurrence.ts'
import {
  deliveriesOf,
  isMailedNow,
  isToldNow,
  momentsOf,
  type Plan,
  plansFor,
  rowOf,
  unmailable,
  wantedBy,
} from './plan.ts'
import type { PersonalPost } from './post.ts'
import type { Due } from './schedule.ts'
import { occurrencesIn } from './sources.ts'
import {
  blankChanges,
  findPerson,
  insertNotifications,
  listPeople,
  type NotificationRecord,
  type Person,
} from './store.ts'
import { toldOf } from './view.ts'

export const DELIVER_JOB = 'notifications.deliver'

export type Telling = ReturnType<typeof createTelling>

/**
 * Writes what people are told of in the transaction of what happened, so that neither is there without the other.
 * What is not told in that transaction is told by a job that is part of it.
 */
export const createTelling = (deps: {
  clock: Clock
  random: Random
  changes: Changes
  jobs: Pick<Jobs, 'enqueue'>
  post: Pick<PersonalPost, 'senderOf'>
  isFamiliar: IsFamiliar
}) => {
  const { clock, random, changes, jobs, post } = deps

  /** That a person's list is another one now: for the console. The subject of both kinds of change is whose it is. */
  const announceChange = (tx: Db, userId: number): Promise<void> =>
    changes.record(tx, { type: 'notification.changed', subject: String(userId), data: {} })

  /** What endpoints hear of, by the webhook channel. */
  const announce = (tx: Db, row: NotificationRecord): Promise<void> =>
    changes.record(tx, { type: 'notification.created', subject: String(row.userId), data: toldOf(row) })

  const awaitDue = async (tx: Db, { at, heldBy }: Due): Promise<void> => {
    const options = heldBy === null ? {} : { runAt: at, key: at.toISOString() }
    await jobs.enqueue(tx, DELIVER_JOB, {}, options)
  }

  const withPost = async (tx: Db, person: Person, plans: Plan[]): Promise<Plan[]> => {
    if (!plans.some(isMailedNow) || (await post.senderOf(tx, person.id)) !== undefined) return plans
    return plans.map(unmailable)
  }

  const tellPerson = async (
    tx: Db,
    person: Person,
    wanted: readonly Occurrence[],
    now: Date,
  ): Promise<void> => {
    const plans = await withPost(tx, person, plansFor(person, wanted, now))
    if (plans.length === 0) return
    const made = await insertNotifications(
      tx,
      plans.map((plan) => rowOf(plan, person, now)),
    )
    const planOf = new Map(plans.map((plan) => [plan.occurrence.key, plan]))
    const told = made.map((row) => ({ row, plan: planOf.get(row.key) as Plan }))
    const deliveries = told.flatMap(({ row, plan }) => deliveriesOf(plan, row))
    if (deliveries.length > 0) await insertDeliveries(tx, deliveries)
    for (const { row, plan } of told) if (isToldNow(plan, 'webhook')) await announce(tx, row)
    const moments = told.flatMap(({ plan }) => momentsOf(plan))
    for (const due of new Map(moments.map((each) => [each.at.getTime(), each])).values())
      await awaitDue(tx, due)
    if (told.some(({ plan }) => plan.inConsole)) await announceChange(tx, person.id)
  }

  /** Of one person alone only that one is looked up. */
  const readPeople = async (tx: Db, occurrences: readonly Occurrence[]): Promise<Person[]> => {
    const [only = null, ...others] = new Set(
      occurrences.map(({ whom }) => (typeof whom === 'string' ? null : whom.userId)),
    )
    if (others.length > 0 || only === null) return listPeople(tx)
    const person = await findPerson(tx, only)
    return person ? [person] : []
  }

  /** Mail of ours that came home is no news, or it would never end. */
  const withoutOwnMail = async (
    tx: Db,
    wanted: readonly Occurrence[],
  ): Promise<(one: Occurrence) => boolean> => {
    const emailIds = wanted.flatMap(({ emailId }) => emailId ?? [])
    const own = emailIds.length > 0 ? await listOwnMail(tx, emailIds) : new Set<number>()
    return ({ emailId }) => emailId === undefined || !own.has(emailId)
  }

  const tell = async (tx: Db, occurrences: readonly Occurrence[]): Promise<void> => {
    if (occurrences.length === 0) return
    const people = await readPeople(tx, occurrences)
    const wishes = people.map((person) => ({ person, wanted: wantedBy(person, occurrences) }))
    const all = wishes.flatMap(({ wanted }) => wanted)
    if (all.length === 0) return
    const isNews = await withoutOwnMail(tx, all)
    const now = clock.now()
    for (const { person, wanted } of wishes) await tellPerson(tx, person, wanted.filter(isNews), now)
  }

  return {
    tell,
    announce,
    announceChange,
    awaitDue,

    /** Goes along with every change that is recorded. */
    async ofChanges(tx: Db, recorded: readonly RecordedChange[]): Promise<void> {
      for (const { type, subject } of recorded)
        if (type === 'account.deleted') await blankChanges(tx, subject)
      await tell(tx, occurrencesIn(recorded, clock.now()))
    },

    /** Goes along with everything that happens to an account. */
    async ofActivity(tx: Db, entry: ActivityEntry): Promise<void> {
      const notice = noticeOf(entry, randomId(random))
      if (!notice) return
      if (entry.action === 'session.started') {
        const person = await findPerson(tx, entry.userId)
        if (!person || (await deps.isFamiliar(tx, person, entry))) return
      }
      await tell(tx, [notice])
    },
  }
}
