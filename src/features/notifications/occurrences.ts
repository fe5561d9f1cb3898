import type { ChangeData, ChangeName, RecordedChange } from '../../platform/changes.ts'
import { toPlace } from './kinds.ts'
import { toLine, toName } from './plain-line.ts'
import { type Occurrence, occurrence } from './schedule.ts'

const DAY_MS = 86_400_000
const MAX_NAMES = 3

type Read<N extends ChangeName> = (change: RecordedChange<N>, now: Date) => Occurrence | undefined

const toPerson = ({ name, address }: { name: string; address: string }): string | null =>
  toName(name) ?? toName(address)

const toOccasion = (data: { title?: string; start?: string; allDay?: boolean; timezone?: string }) => ({
  title: toName(data.title),
  start: data.start ?? null,
  allDay: data.allDay ?? false,
  timezone: data.timezone ?? null,
})

type MailChangeName = 'email.received' | 'email.analyzed' | 'email.due'
const toEmail = ({ subject, data }: RecordedChange<MailChangeName>) => ({
  emailId: Number(subject),
  subject: toName(data.subject),
  from: toPerson(data.from),
})

const eventStarting: Read<'event.starting'> = ({ id, userId, data }) =>
  occurrence('event_starting', {
    key: `event_starting:${id}`,
    whom: { userId },
    data: { ...toOccasion(data), ...toPlace(data) },
  })

const taskDue: Read<'task.due'> = ({ id, userId, subject, data }) =>
  occurrence('task_due', {
    key: `task_due:${id}`,
    whom: { userId },
    data: {
      taskId: Number(subject),
      title: toName(data.title),
      dueAt: data.dueAt,
      dueDay: data.dueDay,
    },
  })

/** A promise of the person, or one that was made to the person. */
const commitmentDue: Read<'commitment.due'> = ({ id, userId, data }) =>
  occurrence('commitment_due', {
    key: `commitment_due:${id}`,
    whom: { userId },
    ...(data.emailId !== null && { emailId: data.emailId }),
    data: {
      isMine: data.direction === 'mine',
      person: toPerson(data.person),
      text: toLine(data.text),
      dueAt: data.dueAt,
      dueDay: data.dueDay,
    },
  })

/** Mail that was filed, read or snoozed, by a rule or by a person, needs no notification. */
const isSettled = ({
  folder,
  read,
  snoozedUntil = null,
}: Pick<ChangeData<'email.received'>, 'folder' | 'read'> & { snoozedUntil?: string | null }): boolean =>
  folder !== 'inbox' || read || snoozedUntil !== null

const mailReceived: Read<'email.received'> = (change, now) => {
  const { userId, subject, data } = change
  if (isSettled(data)) return undefined
  if (Date.parse(data.date) < now.getTime() - DAY_MS) return undefined
  const email = toEmail(change)
  return occurrence('mail_received', {
    key: `mail_received:${subject}`,
    whom: { userId },
    emailId: email.emailId,
    data: email,
  })
}

const URGENT: readonly ChangeData<'email.analyzed'>['urgency']['level'][] = ['high', 'critical']

/** The key has no change id, so that analyzing an email again does not notify again. */
const mailUrgent: Read<'email.analyzed'> = (change) => {
  const { userId, subject, data } = change
  if (isSettled(data) || !URGENT.includes(data.urgency.level)) return undefined
  const email = toEmail(change)
  return occurrence('mail_urgent', {
    key: `mail_urgent:${subject}`,
    whom: { userId },
    emailId: email.emailId,
    data: email,
  })
}

const mailDue: Read<'email.due'> = (change) => {
  const { id, userId, data } = change
  const email = toEmail(change)
  const recipients = data.to.flatMap((person) => toPerson(person) ?? [])
  return occurrence('mail_due', {
    key: `mail_due:${id}`,
    whom: { userId },
    emailId: email.emailId,
    data: {
      ...email,
      to: recipients.slice(0, MAX_NAMES),
      isFollowUp: data.returned?.reason === 'follow-up',
    },
  })
}

const mailConflict: Read<'mail_account.conflict'> = ({ id, userId, data }) =>
  occurrence('mail_conflict', {
    key: `mail_conflict:${id}`,
    whom: { userId },
    emailId: data.emailId,
    data: {
      emailId: data.emailId,
      subject: toName(data.title),
      folder: toName(data.folder),
      reason: data.reason,
    },
  })

/** Ignores bookings in the past. */
const booking =
  (
    kind: 'booking_made' | 'booking_changed' | 'booking_cancelled',
  ): Read<'event.created' | 'event.updated' | 'event.cancelled'> =>
  ({ id, userId, data }, now) => {
    if (data.source !== 'bookingsvc' || Date.parse(data.end ?? '') <= now.getTime()) return undefined
    if (kind === 'booking_changed' && !['start', 'end'].some((field) => data.fields?.includes(field)))
      return undefined
    return occurrence(kind, { key: `${kind}:${id}`, whom: { userId }, data: toOccasion(data) })
  }

/** A mail changed an event, or its RSVP, automatically. */
const invitationApplied: Read<'invitation.applied'> = ({ id, userId, data }) => {
  const by = toName(data.by)
  const common = { whom: { userId }, actionId: data.actionId }
  if (data.what === 'answered')
    return occurrence('invitation_answered', {
      ...common,
      key: `invitation_answered:${id}`,
      data: {
        ...toOccasion(data),
        by,
        answer: data.answer,
      },
    })
  return occurrence('invitation_updated', {
    ...common,
    key: `invitation_updated:${id}`,
    data: {
      ...toOccasion(data),
      by,
      change: data.what,
      formerStart: data.formerStart,
      details: data.details,
    },
  })
}

/** The server's version of an event replaced a local change. */
const calendarConflict: Read<'calendar_account.conflict'> = ({ id, userId, data }) =>
  occurrence('calendar_conflict', {
    key: `calendar_conflict:${id}`,
    whom: { userId },
    actionId: data.actionId,
    data: {
      account: toName(data.account),
      title: toName(data.title),
      start: data.start,
      details: data.details,
    },
  })

const actionWaiting: Read<'action.waiting'> = ({ userId, subject, data }) =>
  occurrence('action_waiting', {
    key: `action_waiting:${subject}`,
    whom: { userId },
    data: {
      conversationId: data.conversationId,
      summary: toName(data.summary),
      expiresAt: data.expiresAt,
    },
  })

const milestoneReached: Read<'stream.milestone_reached'> = ({ id, userId, data }) => {
  const { title, target, unit } = data.milestone
  return occurrence('milestone_reached', {
    key: `milestone_reached:${id}`,
    whom: { userId },
    data: { title: toName(title), target, unit: toName(unit) },
  })
}

/**
 * The key has the time of the last successful sync. Repeated failures until the next success notify only
 * once.
 */
const mailAccountFailing: Read<'mail_account.failing'> = ({ userId, data }) =>
  occurrence('mail_account_failing', {
    key: `mail_account_failing:${data.accountId}:${data.lastSyncAt ?? ''}`,
    whom: { userId },
    data: { address: toName(data.address), error: toLine(data.error) },
  })

const calendarAccountFailing: Read<'calendar_account.failing'> = ({ userId, data }) =>
  occurrence('calendar_account_failing', {
    key: `calendar_account_failing:${data.accountId}:${data.lastSyncAt ?? ''}`,
    whom: { userId },
    data: { name: toName(data.name), error: toLine(data.error) },
  })

const budgetReached: Read<'billing.budget_reached'> = ({ id, userId, data }) =>
  occurrence('budget_reached', {
    key: `budget_reached:${id}`,
    whom: { userId },
    data: {
      measure: toName(data.measure),
      period: toName(data.period),
      used: data.used,
      limit: data.limit,
      unit: toName(data.unit),
    },
  })

const backupFailed: Read<'backup.failed'> = ({ userId, subject, data }) =>
  occurrence('backup_failed', {
    key: `backup_failed:${subject}`,
    whom: { userId },
    data: { problem: toLine(data.problem) },
  })

const shareOffered: Read<'share.offered'> = ({ id, userId, data }) =>
  occurrence('share_offered', {
    key: `share_offered:${id}`,
    whom: { userId },
    data: { by: toName(data.by), name: toName(data.name), isCalendar: data.kind === 'calendar' },
  })

const READERS: { readonly [N in ChangeName]?: Read<N> } = {
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

const readChange = <N extends ChangeName>(change: RecordedChange<N>, now: Date): Occurrence | undefined =>
  READERS[change.type]?.(change, now)

/** Finds the changes that may cause notifications. Needs no query, because most changes cause none. */
export const occurrencesIn = (changes: readonly RecordedChange[], now: Date): Occurrence[] =>
  changes.flatMap((change) => readChange(change, now) ?? [])
