import type { RecordedChange } from '../../platform/changes.ts'
import type { EventDetail } from './kinds.ts'
import { toLine, toName } from './plain-line.ts'
import { type Occurrence, occurrence } from './schedule.ts'

const DAY_MS = 86_400_000
const MOST_NAMES = 3

type Data = Readonly<Record<string, unknown>>
type Read = (change: RecordedChange & { data: Data }, now: Date) => Occurrence | undefined

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const textOrNull = (value: unknown): string | null => text(value) || null
const toAmount = (value: unknown): number | null => (Number.isFinite(value) ? (value as number) : null)
const part = (value: unknown): Data => (typeof value === 'object' && value !== null ? (value as Data) : {})

const toPerson = (value: unknown): string | null => {
  const { name, address } = part(value)
  return toName(name) ?? toName(address)
}

const toOccasion = (data: Data) => ({
  title: toName(data.title),
  start: textOrNull(data.start),
  allDay: data.allDay === true,
  timezone: textOrNull(data.timezone),
})

const toDue = (data: Data) => ({ dueAt: textOrNull(data.dueAt), dueDay: textOrNull(data.dueDay) })

const toEmail = ({ subject, data }: RecordedChange) => ({
  emailId: Number(subject),
  subject: toName(data.subject),
  from: toPerson(data.from),
})

const eventStarting: Read = ({ id, userId, data }) =>
  occurrence('event_starting', {
    key: `event_starting:${id}`,
    whom: { userId },
    data: { ...toOccasion(data), location: toName(data.location), meetingUrl: toLine(data.meetingUrl) },
  })

const taskDue: Read = ({ id, userId, subject, data }) =>
  occurrence('task_due', {
    key: `task_due:${id}`,
    whom: { userId },
    data: { taskId: Number(subject), title: toName(data.title), ...toDue(data) },
  })

/** A promise of the person, or one that was made to the person. */
const commitmentDue: Read = ({ id, userId, data }) =>
  occurrence('commitment_due', {
    key: `commitment_due:${id}`,
    whom: { userId },
    ...(typeof data.emailId === 'number' && { emailId: data.emailId }),
    data: {
      isMine: data.direction === 'mine',
      person: toPerson(data.person),
      text: toLine(data.text),
      ...toDue(data),
    },
  })

/** Mail that was filed, read or snoozed, by a rule or by a person, needs no notification. */
const isSettled = ({ folder = 'inbox', read = false, snoozedUntil = null }: Data): boolean =>
  folder !== 'inbox' || read === true || snoozedUntil !== null

const mailReceived: Read = (change, now) => {
  const { userId, subject, data } = change
  if (isSettled(data)) return undefined
  if (Date.parse(text(data.date)) < now.getTime() - DAY_MS) return undefined
  const email = toEmail(change)
  return occurrence('mail_received', {
    key: `mail_received:${subject}`,
    whom: { userId },
    emailId: email.emailId,
    data: email,
  })
}

const URGENT: readonly unknown[] = ['high', 'critical']

/** The key has no change id, so that analyzing an email again does not notify again. */
const mailUrgent: Read = (change) => {
  const { userId, subject, data } = change
  if (isSettled(data) || !URGENT.includes(part(data.urgency).level)) return undefined
  const email = toEmail(change)
  return occurrence('mail_urgent', {
    key: `mail_urgent:${subject}`,
    whom: { userId },
    emailId: email.emailId,
    data: email,
  })
}

const mailDue: Read = (change) => {
  const { id, userId, data } = change
  const email = toEmail(change)
  const recipients = (Array.isArray(data.to) ? data.to : []).flatMap((person) => toPerson(person) ?? [])
  return occurrence('mail_due', {
    key: `mail_due:${id}`,
    whom: { userId },
    emailId: email.emailId,
    data: {
      ...email,
      to: recipients.slice(0, MOST_NAMES),
      isFollowUp: part(data.returned).reason === 'follow-up',
    },
  })
}

const mailConflict: Read = ({ id, userId, data }) => {
  const emailId = Number(data.emailId)
  return occurrence('mail_conflict', {
    key: `mail_conflict:${id}`,
    whom: { userId },
    emailId,
    data: {
      emailId,
      subject: toName(data.title),
      folder: toName(data.folder),
      reason: data.reason === 'refused' ? 'refused' : 'moved',
    },
  })
}

/** Ignores bookings in the past. */
const booking =
  (kind: 'booking_made' | 'booking_changed' | 'booking_cancelled'): Read =>
  ({ id, userId, data }, now) => {
    if (data.source !== 'bookingsvc' || Date.parse(text(data.end)) <= now.getTime()) return undefined
    const fields = Array.isArray(data.fields) ? data.fields : []
    if (kind === 'booking_changed' && !['start', 'end'].some((field) => fields.includes(field)))
      return undefined
    return occurrence(kind, { key: `${kind}:${id}`, whom: { userId }, data: toOccasion(data) })
  }

const find = <const T extends string>(values: readonly T[], value: unknown): T | undefined =>
  values.find((known) => known === value)

const toDetails = (value: unknown): EventDetail[] => (Array.isArray(value) ? (value as EventDetail[]) : [])

/** A mail changed an event, or its RSVP, automatically. */
const invitationApplied: Read = ({ id, userId, data }) => {
  const by = toName(data.by)
  const common = { whom: { userId }, actionId: Number(data.actionId) }
  if (data.what === 'answered')
    return occurrence('invitation_answered', {
      ...common,
      key: `invitation_answered:${id}`,
      data: {
        ...toOccasion(data),
        by,
        answer: find(['accepted', 'declined', 'tentative'], data.answer) ?? null,
      },
    })
  return occurrence('invitation_updated', {
    ...common,
    key: `invitation_updated:${id}`,
    data: {
      ...toOccasion(data),
      by,
      change: find(['invited', 'cancelled', 'changed'], data.what) ?? 'moved',
      formerStart: textOrNull(data.formerStart),
      details: toDetails(data.details),
    },
  })
}

/** The server's version of an event replaced a local change. */
const calendarConflict: Read = ({ id, userId, data }) =>
  occurrence('calendar_conflict', {
    key: `calendar_conflict:${id}`,
    whom: { userId },
    actionId: Number(data.actionId),
    data: {
      account: toName(data.account),
      title: toName(data.title),
      start: textOrNull(data.start),
      details: toDetails(data.details),
    },
  })

const actionWaiting: Read = ({ userId, subject, data }) =>
  occurrence('action_waiting', {
    key: `action_waiting:${subject}`,
    whom: { userId },
    data: {
      conversationId: textOrNull(data.conversationId),
      summary: toName(data.summary),
      expiresAt: textOrNull(data.expiresAt),
    },
  })

const milestoneReached: Read = ({ id, userId, data }) => {
  const { title, target, unit } = part(data.milestone)
  return occurrence('milestone_reached', {
    key: `milestone_reached:${id}`,
    whom: { userId },
    data: { title: toName(title), target: toAmount(target), unit: toName(unit) },
  })
}

/**
 * The key has the time of the last successful sync. Repeated failures until the next success notify only
 * once.
 */
const mailAccountFailing: Read = ({ userId, data }) =>
  occurrence('mail_account_failing', {
    key: `mail_account_failing:${text(data.accountId)}:${text(data.lastSyncAt)}`,
    whom: { userId },
    data: { address: toName(data.address), error: toLine(data.error) },
  })

const calendarAccountFailing: Read = ({ userId, data }) =>
  occurrence('calendar_account_failing', {
    key: `calendar_account_failing:${text(data.accountId)}:${text(data.lastSyncAt)}`,
    whom: { userId },
    data: { name: toName(data.name), error: toLine(data.error) },
  })

const budgetReached: Read = ({ id, userId, data }) =>
  occurrence('budget_reached', {
    key: `budget_reached:${id}`,
    whom: { userId },
    data: {
      measure: toName(data.measure),
      period: toName(data.period),
      used: toAmount(data.used),
      limit: toAmount(data.limit),
      unit: toName(data.unit),
    },
  })

const backupFailed: Read = ({ userId, subject, data }) =>
  occurrence('backup_failed', {
    key: `backup_failed:${subject}`,
    whom: { userId },
    data: { problem: toLine(data.problem) },
  })

const shareOffered: Read = ({ id, userId, data }) =>
  occurrence('share_offered', {
    key: `share_offered:${id}`,
    whom: { userId },
    data: { by: toName(data.by), name: toName(data.name), isCalendar: data.kind === 'calendar' },
  })

const READERS: Readonly<Record<string, Read>> = {
  'share.offered': shareOffered,
  'event.starting': eventStarting,
  'task.due': taskDue,
  'commitment.due': commitmentDue,
  'email.received': mailReceived,
  'email.analyzed': mailUrgent,
  'email.due': mailDue,
  'event.created': booking('booking_made'),
  'event.updated': booking('booking_changed'),
  'event.cancelled': booking('booking_cancelled'),
  'invitation.applied': invitationApplied,
  'calendar_account.conflict': calendarConflict,
  'mail_account.conflict': mailConflict,
  'action.waiting': actionWaiting,
  'stream.milestone_reached': milestoneReached,
  'mail_account.failing': mailAccountFailing,
  'calendar_account.failing': calendarAccountFailing,
  'billing.budget_reached': budgetReached,
  'backup.failed': backupFailed,
}

/** Finds the changes that may cause notifications. Needs no query, because most changes cause none. */
export const occurrencesIn = (changes: readonly RecordedChange[], now: Date): Occurrence[] =>
  changes.flatMap((change) => {
    const read = Object.hasOwn(READERS, change.type) ? READERS[change.type] : undefined
    return read?.(change, now) ?? []
  })
