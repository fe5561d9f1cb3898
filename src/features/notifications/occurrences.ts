import type { ChangeData, ChangeName, RecordedChange } from '../../platform/changes.ts'
import { type DataOf, type Kind, toPlace } from './kinds.ts'
import { toLine, toName } from './plain-line.ts'
import { type Occurrence, occurrence } from './schedule.ts'

const DAY_MS = 86_400_000
const MAX_NAMES = 3

type Read<N extends ChangeName> = (change: RecordedChange<N>, now: Date) => Occurrence | undefined

/** Each change is an occurrence of its own, unless `key` says what several changes have in common. */
const occurrenceOf = <K extends Kind>(
  kind: K,
  { id, userId }: RecordedChange,
  data: DataOf<K>,
  { key = id, ...links }: { key?: number | string; emailId?: number; actionId?: number } = {},
): Occurrence => occurrence(kind, { key: `${kind}:${key}`, whom: { userId }, data, ...links })

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

const eventStarting: Read<'event.starting'> = (change) =>
  occurrenceOf('event_starting', change, { ...toOccasion(change.data), ...toPlace(change.data) })

const taskDue: Read<'task.due'> = (change) => {
  const { title, dueAt, dueDay } = change.data
  return occurrenceOf('task_due', change, {
    taskId: Number(change.subject),
    title: toName(title),
    dueAt,
    dueDay,
  })
}

const taskCommented: Read<'task.commented'> = (change) => {
  const { taskId, title, by, text } = change.data
  const data = { taskId, title: toName(title), by: toName(by), text: toLine(text) }
  return occurrenceOf('task_commented', change, data)
}

/** A promise of the person, or one that was made to the person. */
const commitmentDue: Read<'commitment.due'> = (change) => {
  const { direction, person, text, dueAt, dueDay, emailId } = change.data
  const data = {
    isMine: direction === 'mine',
    person: toPerson(person),
    text: toLine(text),
    dueAt,
    dueDay,
  }
  return occurrenceOf('commitment_due', change, data, emailId === null ? {} : { emailId })
}

/** Mail that was filed, read or snoozed, by a rule or by a person, needs no notification. */
const isSettled = ({
  folder,
  read,
  snoozedUntil = null,
}: Pick<ChangeData<'email.received'>, 'folder' | 'read'> & { snoozedUntil?: string | null }): boolean =>
  folder !== 'inbox' || read || snoozedUntil !== null

const mailReceived: Read<'email.received'> = (change, now) => {
  const { subject, data } = change
  if (isSettled(data) || Date.parse(data.date) < now.getTime() - DAY_MS) return undefined
  const email = toEmail(change)
  return occurrenceOf('mail_received', change, email, { key: subject, emailId: email.emailId })
}

const URGENT: readonly ChangeData<'email.analyzed'>['urgency']['level'][] = ['high', 'critical']

/** The key has no change id, so that analyzing an email again does not notify again. */
const mailUrgent: Read<'email.analyzed'> = (change) => {
  const { subject, data } = change
  if (isSettled(data) || !URGENT.includes(data.urgency.level)) return undefined
  const email = toEmail(change)
  return occurrenceOf('mail_urgent', change, email, { key: subject, emailId: email.emailId })
}

const mailDue: Read<'email.due'> = (change) => {
  const { to, returned } = change.data
  const email = toEmail(change)
  const recipients = to.flatMap((person) => toPerson(person) ?? []).slice(0, MAX_NAMES)
  const data = { ...email, to: recipients, isFollowUp: returned?.reason === 'follow-up' }
  return occurrenceOf('mail_due', change, data, { emailId: email.emailId })
}

const mailConflict: Read<'mail_account.conflict'> = (change) => {
  const { emailId, title, folder, reason } = change.data
  const data = { emailId, subject: toName(title), folder: toName(folder), reason }
  return occurrenceOf('mail_conflict', change, data, { emailId })
}

/** Ignores bookings in the past. */
const booking =
  (
    kind: 'booking_made' | 'booking_changed' | 'booking_cancelled',
  ): Read<'event.created' | 'event.updated' | 'event.cancelled'> =>
  (change, now) => {
    const { source, end, fields } = change.data
    if (source !== 'bookingsvc' || Date.parse(end ?? '') <= now.getTime()) return undefined
    if (kind === 'booking_changed' && !['start', 'end'].some((field) => fields?.includes(field)))
      return undefined
    return occurrenceOf(kind, change, toOccasion(change.data))
  }

/** A mail changed an event, or its RSVP, automatically. */
const invitationApplied: Read<'invitation.applied'> = (change) => {
  const { what, answer, formerStart, details, actionId } = change.data
  const common = { ...toOccasion(change.data), by: toName(change.data.by) }
  if (what === 'answered')
    return occurrenceOf('invitation_answered', change, { ...common, answer }, { actionId })
  return occurrenceOf(
    'invitation_updated',
    change,
    { ...common, change: what, formerStart, details },
    { actionId },
  )
}

/** The server's version of an event replaced a local change. */
const calendarConflict: Read<'calendar_account.conflict'> = (change) => {
  const { account, title, start, details, actionId } = change.data
  const data = { account: toName(account), title: toName(title), start, details }
  return occurrenceOf('calendar_conflict', change, data, { actionId })
}

const actionWaiting: Read<'action.waiting'> = (change) => {
  const { conversationId, summary, expiresAt } = change.data
  const data = { conversationId, summary: toName(summary), expiresAt }
  return occurrenceOf('action_waiting', change, data, { key: change.subject })
}

const milestoneReached: Read<'stream.milestone_reached'> = (change) => {
  const { title, target, unit } = change.data.milestone
  return occurrenceOf('milestone_reached', change, { title: toName(title), target, unit: toName(unit) })
}

/**
 * The key has the time of the last successful sync. Repeated failures until the next success notify only
 * once.
 */
const toFailureKey = ({ accountId, lastSyncAt }: { accountId: string; lastSyncAt: string | null }) => ({
  key: `${accountId}:${lastSyncAt ?? ''}`,
})

const mailAccountFailing: Read<'mail_account.failing'> = (change) => {
  const data = { address: toName(change.data.address), error: toLine(change.data.error) }
  return occurrenceOf('mail_account_failing', change, data, toFailureKey(change.data))
}

const calendarAccountFailing: Read<'calendar_account.failing'> = (change) => {
  const data = { name: toName(change.data.name), error: toLine(change.data.error) }
  return occurrenceOf('calendar_account_failing', change, data, toFailureKey(change.data))
}

const budgetReached: Read<'billing.budget_reached'> = (change) => {
  const { measure, period, used, limit, unit } = change.data
  return occurrenceOf('budget_reached', change, {
    measure: toName(measure),
    period: toName(period),
    used,
    limit,
    unit: toName(unit),
  })
}

const backupFailed: Read<'backup.failed'> = (change) =>
  occurrenceOf('backup_failed', change, { problem: toLine(change.data.problem) }, { key: change.subject })

const shareOffered: Read<'share.offered'> = (change) => {
  const { by, name, kind } = change.data
  return occurrenceOf('share_offered', change, {
    by: toName(by),
    name: toName(name),
    isCalendar: kind === 'calendar',
  })
}

const READERS: { readonly [N in ChangeName]?: Read<N> } = {
  'share.offered': shareOffered,
  'event.starting': eventStarting,
  'task.due': taskDue,
  'task.commented': taskCommented,
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
