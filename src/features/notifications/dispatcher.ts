import type { Db } from '../../database/db.ts'
import { deviceOf } from '../../platform/access/caller.ts'
import type { Changes, RecordedChange } from '../../platform/changes.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { type Random, randomId } from '../../platform/random.ts'
import type { ActivityEntry } from '../auth/activity.ts'
import type { IsFamiliar } from '../auth/credentials.ts'
import { toNotificationData } from './inbox.ts'
import { nameOr, type PersonalPost } from './mail-delivery.ts'
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
  type Plan,
  plansFor,
  type Reader,
  rowOf,
  unmailable,
  wantedBy,
} from './schedule.ts'

const DAY_MS = 86_400_000

type Data = Readonly<Record<string, unknown>>
type Read = (change: RecordedChange & { data: Data }, now: Date) => Occurrence | undefined

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const part = (value: unknown): Data => (typeof value === 'object' && value !== null ? (value as Data) : {})

const TIME = { hour: 'numeric', minute: '2-digit' } as const
const DAY = { weekday: 'short', day: 'numeric', month: 'short' } as const

/**
 * Falls back to the ISO text. This runs in the transaction of the change, and an unknown time zone must not
 * abort it.
 */
const formatTime = (
  instant: string,
  { timezone, locale }: Reader,
  options: Intl.DateTimeFormatOptions,
): string => {
  try {
    return new Intl.DateTimeFormat(locale, { timeZone: timezone, ...options }).format(new Date(instant))
  } catch {
    return instant
  }
}

const timeOf = (instant: string, reader: Reader): string => formatTime(instant, reader, TIME)
const dayAndTimeOf = (instant: string, reader: Reader): string =>
  formatTime(instant, reader, { ...DAY, ...TIME })
/** An all-day event takes place on that day in its own time zone. */
const whenOf = (data: Data, reader: Reader): string =>
  data.allDay === true
    ? formatTime(text(data.start), { ...reader, timezone: text(data.timezone) || reader.timezone }, DAY)
    : dayAndTimeOf(text(data.start), reader)

/** The calendar page for the day of an event. */
const calendarAt = (start: unknown): string => {
  const day = text(start).slice(0, 10)
  return /^\d{4}-\d\d-\d\d$/.test(day) ? `/calendar?date=${day}` : '/calendar'
}

const eventStarting: Read = ({ id, data }) => ({
  kind: 'event_starting',
  key: `event_starting:${id}`,
  whom: 'everyone',
  link: calendarAt(data.start),
  write: (reader) => {
    const title = nameOr(data.title, 'An event')
    const start = text(data.start)
    // An alarm from an iCalendar file may be after the start.
    const starts = Number(data.minutesBefore) < 0 ? 'started' : 'starts'
    return {
      title: data.allDay === true ? `${title}: all day` : `${title} ${starts} at ${timeOf(start, reader)}`,
      body: [whenOf(data, reader), nameOr(data.location, ''), text(data.meetingUrl)]
        .filter(Boolean)
        .join(' · '),
    }
  },
})

/** A due day is the same day in every time zone. */
const dueTextOf = (data: Data, reader: Reader): string => {
  const [at, day] = [text(data.dueAt), text(data.dueDay)]
  if (day !== '') return `Due ${formatTime(`${day}T12:00:00Z`, { ...reader, timezone: 'UTC' }, DAY)}`
  return at === '' ? '' : `Due ${dayAndTimeOf(at, reader)}`
}

const taskDue: Read = ({ id, subject, data }) => ({
  kind: 'task_due',
  key: `task_due:${id}`,
  whom: 'everyone',
  link: `/tasks?task=${subject}`,
  write: (reader) => ({
    title: `To do: ${nameOr(data.title, 'a task')}`,
    body: dueTextOf(data, reader),
  }),
})

/** Mail that was filed or read, by a rule or by a person, needs no notification. */
const isSettled = ({ folder = 'inbox', read = false }: Readonly<Record<string, unknown>>): boolean =>
  folder !== 'inbox' || read === true

const mailReceived: Read = ({ subject, data }, now) => {
  if (isSettled(data)) return undefined
  if (Date.parse(text(data.date)) < now.getTime() - DAY_MS) return undefined
  const from = part(data.from)
  const emailId = Number(subject)
  return {
    kind: 'mail_received',
    key: `mail_received:${subject}`,
    whom: 'everyone',
    emailId,
    link: `/mail/inbox/${emailId}`,
    write: () => ({
      title: `Email from ${nameOr(from.name, nameOr(from.address, 'someone'))}`,
      body: nameOr(data.subject, 'without a subject'),
    }),
  }
}

const URGENT: readonly unknown[] = ['high', 'critical']

/** The key has no change id, so that analyzing an email again does not notify again. */
const mailUrgent: Read = ({ subject, data }) => {
  if (isSettled(data) || !URGENT.includes(part(data.urgency).level)) return undefined
  const emailId = Number(subject)
  const from = part(data.from)
  return {
    kind: 'mail_urgent',
    key: `mail_urgent:${subject}`,
    whom: 'everyone',
    emailId,
    link: `/mail/inbox/${emailId}`,
    write: () => ({
      title: `Urgent: ${nameOr(data.subject, 'an email without a subject')}`,
      body: `From ${nameOr(from.name, nameOr(from.address, 'someone'))}`,
    }),
  }
}

const BOOKING_TITLES = {
  booking_made: (title: string) => `Booked: ${title}`,
  booking_changed: (title: string) => `Moved: ${title}`,
  booking_cancelled: (title: string) => `Cancelled: ${title}`,
} as const

/** Ignores bookings in the past. */
const booking =
  (kind: keyof typeof BOOKING_TITLES): Read =>
  ({ id, data }, now) => {
    if (data.source !== 'bookingsvc' || Date.parse(text(data.end)) <= now.getTime()) return undefined
    const fields = Array.isArray(data.fields) ? data.fields : []
    if (kind === 'booking_changed' && !['start', 'end'].some((field) => fields.includes(field)))
      return undefined
    return {
      kind,
      key: `${kind}:${id}`,
      whom: 'everyone',
      link: calendarAt(data.start),
      write: (reader) => ({
        title: BOOKING_TITLES[kind](nameOr(data.title, 'a meeting')),
        body: whenOf(data, reader),
      }),
    }
  }

const RSVP_WORDS: Readonly<Record<string, string>> = {
  accepted: 'accepted',
  declined: 'declined',
  tentative: 'tentatively accepted',
}

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(text).filter(Boolean) : [])

/** A mail changed an event, or its RSVP, automatically. */
const invitationApplied: Read = ({ id, data }) => {
  const isAnswer = data.what === 'answered'
  const kind = isAnswer ? 'invitation_answered' : 'invitation_updated'
  return {
    kind,
    key: `${kind}:${id}`,
    whom: 'everyone',
    link: calendarAt(data.start),
    actionId: Number(data.actionId),
    write: (reader) => {
      const [by, title] = [nameOr(data.by, 'Someone'), `“${nameOr(data.title, 'an event')}”`]
      const when = whenOf(data, reader)
      if (isAnswer)
        return { title: `${by} ${RSVP_WORDS[text(data.answer)] ?? 'answered'} ${title}`, body: when }
      if (data.what === 'cancelled') return { title: `${by} cancelled ${title}`, body: when }
      const details = texts(data.details)
      if (data.what === 'changed')
        return { title: `${by} changed ${title}`, body: [...details, when].join(' · ') }
      const former = `Before: ${whenOf({ ...data, start: data.formerStart }, reader)}`
      return { title: `${by} moved ${title} to ${when}`, body: [former, ...details].join(' · ') }
    },
  }
}

/** The server's version of an event replaced a local change. */
const calendarConflict: Read = ({ id, subject, data }) => ({
  kind: 'calendar_conflict',
  key: `calendar_conflict:${id}`,
  whom: { userId: Number(subject) },
  link: calendarAt(data.start),
  actionId: Number(data.actionId),
  write: () => ({
    title: `${nameOr(data.account, 'The calendar server')} replaced your changes to “${nameOr(data.title, 'an event')}”`,
    body: texts(data.details).join(' · '),
  }),
})

const actionWaiting: Read = ({ subject, data }) => ({
  kind: 'action_waiting',
  key: `action_waiting:${subject}`,
  whom: 'everyone',
  link: '/assistant',
  write: (reader) => ({
    title: `Waits for your confirmation: ${nameOr(data.summary, 'an action')}`,
    body: `Until ${dayAndTimeOf(text(data.expiresAt), reader)}`,
  }),
})

const milestoneReached: Read = ({ id, data }) => {
  const milestone = part(data.milestone)
  return {
    kind: 'milestone_reached',
    key: `milestone_reached:${id}`,
    whom: 'everyone',
    link: '/stream',
    write: () => ({
      title: `Reached: ${nameOr(milestone.title, 'a milestone')}`,
      body: `${Number(milestone.target)} ${nameOr(milestone.unit, '')}`,
    }),
  }
}

/**
 * The key has the time of the last successful sync. Repeated failures until the next success notify only
 * once.
 */
const mailAccountFailing: Read = ({ subject, data }) => ({
  kind: 'mail_account_failing',
  key: `mail_account_failing:${text(data.accountId)}:${text(data.lastSyncAt)}`,
  whom: { userId: Number(subject) },
  link: '/settings/mail-accounts',
  write: () => ({
    title: `${nameOr(data.address, 'A mail account')} cannot be reached`,
    body: text(data.error),
  }),
})

const calendarAccountFailing: Read = ({ subject, data }) => ({
  kind: 'calendar_account_failing',
  key: `calendar_account_failing:${text(data.accountId)}:${text(data.lastSyncAt)}`,
  whom: { userId: Number(subject) },
  link: '/settings/calendar-accounts',
  write: () => ({
    title: `${nameOr(data.name, 'A calendar account')} cannot be reached`,
    body: text(data.error),
  }),
})

const MEASURES: Readonly<Record<string, string>> = {
  aiRequests: 'AI requests',
  aiTokens: 'AI tokens',
  aiCostUsd: 'AI cost',
  storageBytes: 'storage',
  messagesSynced: 'messages synced',
}

const budgetReached: Read = ({ id, subject, data }) => ({
  kind: 'budget_reached',
  key: `budget_reached:${id}`,
  link: '/settings/billing',
  whom: { userId: Number(subject) },
  write: () => ({
    title: `Budget reached: ${MEASURES[text(data.measure)] ?? nameOr(data.measure, 'usage')}`,
    body: `${Number(data.used)} of ${Number(data.limit)} ${nameOr(data.unit, '')} in ${nameOr(data.period, 'this month')}`,
  }),
})

const READERS: Readonly<Record<string, Read>> = {
  'event.starting': eventStarting,
  'task.due': taskDue,
  'email.received': mailReceived,
  'email.analyzed': mailUrgent,
  'event.created': booking('booking_made'),
  'event.updated': booking('booking_changed'),
  'event.cancelled': booking('booking_cancelled'),
  'invitation.applied': invitationApplied,
  'calendar_account.conflict': calendarConflict,
  'action.waiting': actionWaiting,
  'stream.milestone_reached': milestoneReached,
  'mail_account.failing': mailAccountFailing,
  'calendar_account.failing': calendarAccountFailing,
  'billing.budget_reached': budgetReached,
}

/** Finds the changes that may cause notifications. Needs no query, because most changes cause none. */
const occurrencesIn = (changes: readonly RecordedChange[], now: Date): Occurrence[] =>
  changes.flatMap((change) => {
    const read = Object.hasOwn(READERS, change.type) ? READERS[change.type] : undefined
    return read?.(change, now) ?? []
  })

type Details = Readonly<Record<string, unknown>>

/** Titles of security notifications. The reader must be able to tell whether the action was their own. */
const SECURITY_TITLES: Readonly<Record<string, (details: Details) => string>> = {
  'password.changed': () => 'Your password was changed',
  'password.reset': () => 'Your password was reset',
  'email.changed': ({ to }) => `Your sign-in address was changed to ${nameOr(to, 'another')}`,
  'two_factor.enabled': () => 'Two-factor authentication was enabled',
  'two_factor.disabled': () => 'Two-factor authentication was disabled',
  'two_factor.backup_codes_renewed': () => 'Your backup codes were replaced',
  'two_factor.backup_code_used': () => 'A backup code was used to sign in',
  'token.created': ({ name }) => `The access token “${nameOr(name, 'unnamed')}” was created`,
  'session.reuse_detected': () => 'A session was ended because its token was used twice',
  'data.exported': () => 'All your data was exported',
}

const formatOrigin = ({ ip, userAgent }: ActivityEntry): string =>
  ip === '' ? '' : `From ${ip}${userAgent === '' ? '' : `, ${nameOr(deviceOf(userAgent).name, '')}`}`

/** Converts an activity entry to a notification for its person. */
const noticeOf = (entry: ActivityEntry, id: string): Occurrence | undefined => {
  const { userId, action, details } = entry
  const whom = { userId }
  if (action === 'session.started')
    return {
      kind: 'sign_in',
      key: `sign_in:${id}`,
      whom,
      link: '/settings/security#sessions',
      write: () => ({ title: 'A new sign-in to your account', body: formatOrigin(entry) }),
    }
  if (action === 'webhook.disabled')
    return {
      kind: 'webhook_disabled',
      key: `webhook_disabled:${id}`,
      whom,
      link: '/settings/webhooks',
      write: () => ({
        title: `The webhook “${nameOr(details.name, 'unnamed')}” was disabled`,
        body: typeof details.reason === 'string' ? details.reason : '',
      }),
    }
  const toTitle = Object.hasOwn(SECURITY_TITLES, action) ? SECURITY_TITLES[action] : undefined
  if (!toTitle) return undefined
  return {
    kind: 'security',
    key: `security:${id}`,
    whom,
    link: '/settings/security#activity',
    write: () => ({
      title: toTitle(details),
      body: `${formatOrigin(entry)}${formatOrigin(entry) ? '. ' : ''}If that was not you, change your password.`,
    }),
  }
}

export const DELIVER_JOB = 'notifications.deliver'

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
}) => {
  const { clock, random, changes, jobs, post } = deps

  /**
   * Tells the console that the list of a person has changed. The subject of both event types is the user id.
   */
  const announceChange = (tx: Db, userId: number): Promise<void> =>
    changes.record(tx, { type: 'notification.changed', subject: String(userId), data: {} })

  /** Publishes the notification to webhooks. */
  const announce = (tx: Db, row: NotificationRecord): Promise<void> =>
    changes.record(tx, {
      type: 'notification.created',
      subject: String(row.userId),
      data: toNotificationData(row),
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
    const planOf = new Map(plans.map((plan) => [plan.occurrence.key, plan]))
    const inserted = rows.map((row) => ({ row, plan: planOf.get(row.key) as Plan }))
    const deliveries = inserted.flatMap(({ row, plan }) => deliveriesOf(plan, row))
    if (deliveries.length > 0) await insertDeliveries(tx, deliveries)
    for (const { row, plan } of inserted) if (isDeliveredNow(plan, 'webhook')) await announce(tx, row)
    const moments = inserted.flatMap(({ plan }) => momentsOf(plan))
    for (const due of new Map(moments.map((each) => [each.at.getTime(), each])).values())
      await awaitDue(tx, due)
    if (inserted.some(({ plan }) => plan.inConsole)) await announceChange(tx, person.id)
  }

  /** Looks up only one person if all occurrences are theirs. */
  const readPeople = async (tx: Db, occurrences: readonly Occurrence[]): Promise<Person[]> => {
    const [only = null, ...others] = new Set(
      occurrences.map(({ whom }) => (typeof whom === 'string' ? null : whom.userId)),
    )
    if (others.length > 0 || only === null) return listPeople(tx)
    const person = await findPerson(tx, only)
    return person ? [person] : []
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

  return {
    dispatch,
    announce,
    announceChange,
    awaitDue,

    /** Runs in the transaction of every recorded change. */
    async onChanges(tx: Db, recorded: readonly RecordedChange[]): Promise<void> {
      for (const { type, subject } of recorded)
        if (type === 'account.deleted') await blankChanges(tx, subject)
      await dispatch(tx, occurrencesIn(recorded, clock.now()))
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
