import type { Db } from '../../database/db.ts'
import { getLocalUserId } from '../../database/local-account.ts'
import { deviceOf } from '../../platform/access/caller.ts'
import type { Changes, RecordedChange } from '../../platform/changes.ts'
import type { Clock } from '../../platform/clock.ts'
import { notFound } from '../../platform/errors.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { type Random, randomId } from '../../platform/random.ts'
import type { ActivityEntry } from '../auth/activity.ts'
import type { IsFamiliar } from '../auth/credentials.ts'
import { isSecurityAction, type Kind } from './kinds.ts'
import type { Reader } from './moments.ts'
import { toNotificationData } from './notification-text.ts'
import { occurrencesIn } from './occurrences.ts'
import { toLine, toName } from './plain-line.ts'
import type { NotificationsOfCalendar, PersonalPost } from './ports.ts'
import {
  blankChanges,
  findPerson,
  insertDeliveries,
  insertNotifications,
  listOwnMail,
  listPeople,
  type NotificationRecord,
  type Person,
} from './repository.ts'
import {
  type Due,
  deliveriesOf,
  isDeliveredNow,
  isMailedNow,
  momentsOf,
  type Occurrence,
  occurrence,
  type Plan,
  plansFor,
  rowOf,
  unmailable,
  wantedBy,
} from './schedule.ts'

/** A removed passphrase and muted mail have titles of their own. */
const toSecurityAction = ({ action, details }: ActivityEntry): string => {
  if (action === 'backup_passphrase.changed' && details.isRemoved === true) return 'backup_passphrase.removed'
  return action === 'notifications.changed' && details.mutesSecurity === true
    ? 'security_mail.disabled'
    : action
}

/** The name, address, device or destination that an activity entry is about. */
const findSubject = ({
  host,
  destination,
  address,
  to,
  device,
  name,
}: ActivityEntry['details']): string | null => toName(host ?? destination ?? address ?? to ?? device ?? name)

/** Converts an activity entry to a notification for its person. */
const noticeOf = (entry: ActivityEntry, id: string): Occurrence | undefined => {
  const { userId, action, details, ip, userAgent } = entry
  const whom = { userId }
  const origin = { ip, device: userAgent === '' ? null : toName(deviceOf(userAgent).name) }
  if (action === 'session.started') return occurrence('sign_in', { key: `sign_in:${id}`, whom, data: origin })
  if (action === 'webhook.disabled')
    return occurrence('webhook_disabled', {
      key: `webhook_disabled:${id}`,
      whom,
      data: { name: toName(details.name), reason: toLine(details.reason) },
    })
  const securityAction = toSecurityAction(entry)
  if (!isSecurityAction(securityAction, details.host !== undefined)) return undefined
  return occurrence('security', {
    key: `security:${id}`,
    whom,
    data: { ...origin, action: securityAction, name: findSubject(details) },
  })
}

export const DELIVER_JOB = 'notifications.deliver'

/** Adds a notification of the past for an account. It is only shown in the console. Returns its id. */
export const insertPastNotification = async <K extends Kind>(
  tx: Db,
  given: Omit<Occurrence<K>, 'whom'>,
  { userId, at, isRead }: { userId: number; at: Date; isRead: boolean },
): Promise<number> => {
  const person = await findPerson(tx, userId)
  if (!person) throw notFound('account')
  const [plan] = plansFor(person, [occurrence(given.kind, { ...given, whom: { userId } })], at)
  const row = rowOf(plan as Plan, person, at)
  const [inserted] = await insertNotifications(tx, [{ ...row, readAt: isRead ? row.createdAt : null }])
  return (inserted as NotificationRecord).id
}

export type InsertPastNotification = typeof insertPastNotification

export type Dispatcher = ReturnType<typeof createDispatcher>

/**
 * Inserts notifications in the transaction of the change, so that neither exists without the other. A job of
 * the same transaction delivers those that cannot be delivered in it.
 */
export const createDispatcher = (deps: {
  clock: Clock
  random: Random
  changes: Changes
  jobs: Pick<Jobs, 'enqueue'>
  post: Pick<PersonalPost, 'senderOf'>
  isFamiliar: IsFamiliar
  notificationsOf: NotificationsOfCalendar
}) => {
  const { clock, random, changes, jobs, post } = deps

  /** Tells the console that the list of a person has changed. */
  const announceChange = (tx: Db, userId: number): Promise<void> =>
    changes.record(tx, { userId, type: 'notification.changed', subject: String(userId), data: {} })

  /** Publishes the notification to webhooks. */
  const announce = (tx: Db, row: NotificationRecord, reader: Reader): Promise<void> =>
    changes.record(tx, {
      userId: row.userId,
      type: 'notification.created',
      subject: String(row.userId),
      data: toNotificationData(row, reader, clock.now()),
    })

  const awaitDue = async (tx: Db, { at, heldBy }: Due): Promise<void> => {
    const options = heldBy === null ? {} : { runAt: at, key: at.toISOString() }
    await jobs.enqueue(tx, DELIVER_JOB, {}, options)
  }

  const checkMailability = async (tx: Db, person: Person, plans: Plan[]): Promise<Plan[]> => {
    if (!plans.some(isMailedNow) || (await post.senderOf(tx, person.id)) !== undefined) return plans
    return plans.map(unmailable)
  }

  const notifyPerson = async (
    tx: Db,
    person: Person,
    wanted: readonly Occurrence[],
    now: Date,
  ): Promise<void> => {
    const plans = await checkMailability(tx, person, plansFor(person, wanted, now))
    if (plans.length === 0) return
    const rows = await insertNotifications(
      tx,
      plans.map((plan) => rowOf(plan, person, now)),
    )
    const planOf = new Map(plans.map((plan) => [plan.notice.key, plan]))
    const inserted = rows.map((row) => ({ row, plan: planOf.get(row.key) as Plan }))
    const deliveries = inserted.flatMap(({ row, plan }) => deliveriesOf(plan, row))
    if (deliveries.length > 0) await insertDeliveries(tx, deliveries)
    for (const { row, plan } of inserted) if (isDeliveredNow(plan, 'webhook')) await announce(tx, row, person)
    const moments = inserted.flatMap(({ plan }) => momentsOf(plan))
    for (const due of new Map(moments.map((each) => [each.at.getTime(), each])).values())
      await awaitDue(tx, due)
    if (inserted.some(({ plan }) => plan.inConsole)) await announceChange(tx, person.id)
  }

  const readPeople = async (tx: Db, occurrences: readonly Occurrence[]): Promise<Person[]> => {
    const userIds = new Set<number>()
    for (const { whom } of occurrences) if (whom !== 'owner') userIds.add(whom.userId)
    // The local account becomes the owner, and cannot be notified before.
    if (occurrences.some(({ whom }) => whom === 'owner')) userIds.add(await getLocalUserId(tx))
    return listPeople(tx, [...userIds])
  }

  /**
   * Filters out notification mails that arrived in a synced mailbox. Otherwise each would cause another mail.
   */
  const withoutOwnMail = async (
    tx: Db,
    wanted: readonly Occurrence[],
  ): Promise<(one: Occurrence) => boolean> => {
    const emailIds = wanted.flatMap(({ emailId }) => emailId ?? [])
    const own = emailIds.length > 0 ? await listOwnMail(tx, emailIds) : new Set<number>()
    return ({ emailId }) => emailId === undefined || !own.has(emailId)
  }

  const dispatch = async (tx: Db, occurrences: readonly Occurrence[]): Promise<void> => {
    if (occurrences.length === 0) return
    const people = await readPeople(tx, occurrences)
    const recipients = people.map((person) => ({ person, wanted: wantedBy(person, occurrences) }))
    const all = recipients.flatMap(({ wanted }) => wanted)
    if (all.length === 0) return
    const isNews = await withoutOwnMail(tx, all)
    const now = clock.now()
    for (const { person, wanted } of recipients) await notifyPerson(tx, person, wanted.filter(isNews), now)
  }

  /** Whether a person wants to hear of a change, if it concerns a calendar. */
  const isWanted = async (tx: Db, { userId, type, data }: RecordedChange): Promise<boolean> => {
    const calendarId = 'calendarId' in data ? data.calendarId : undefined
    if (calendarId === undefined) return true
    const wanted = await deps.notificationsOf(tx, userId, calendarId)
    return wanted === 'all' || (wanted === 'reminders' && type === 'event.starting')
  }

  return {
    dispatch,
    announce,
    announceChange,
    awaitDue,

    /** Runs in the transaction of every recorded change. */
    async onChanges(tx: Db, recorded: readonly RecordedChange[]): Promise<void> {
      for (const { type, subject } of recorded)
        if (type === 'account.deleted') await blankChanges(tx, Number(subject))
      const occurrences: Occurrence[] = []
      for (const change of recorded) {
        const found = occurrencesIn([change], clock.now())
        if (found.length > 0 && (await isWanted(tx, change))) occurrences.push(...found)
      }
      await dispatch(tx, occurrences)
    },

    /** Runs in the transaction of every activity entry. */
    async onActivity(tx: Db, entry: ActivityEntry): Promise<void> {
      const notice = noticeOf(entry, randomId(random))
      if (!notice) return
      if (entry.action === 'session.started') {
        const person = await findPerson(tx, entry.userId)
        if (!person || (await deps.isFamiliar(tx, person, entry))) return
      }
      await dispatch(tx, [notice])
    },
  }
}
