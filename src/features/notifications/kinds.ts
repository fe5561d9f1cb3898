import Type, { type Static, type TObject, type TProperties } from 'typebox'
import { Nullable } from '../../platform/http/shapes.ts'
import { toJobTitle } from '../../platform/jobs/job-titles.ts'
import type { NotificationTexts } from './locales/en.ts'
import type { Moments } from './moments.ts'
import { toLine, toName } from './plain-line.ts'

/** Email delivery of a kind: not at all, immediately, or in the digest. */
export const MAIL_CHOICES = ['off', 'now', 'digest'] as const
export type MailChoice = (typeof MAIL_CHOICES)[number]

/** The channels of a kind. */
export interface Channels {
  console: boolean
  email: MailChoice
  webhook: boolean
}

const silent: Channels = { console: false, email: 'off', webhook: false }
const consoleOnly: Channels = { console: true, email: 'off', webhook: false }
/** For problems that stay unnoticed otherwise. */
const mailed: Channels = { console: true, email: 'now', webhook: false }

/** The texts and times for a reader, at the present time. */
export interface Rendering {
  t: NotificationTexts
  times: Moments
}

interface KindDefinition<P extends TProperties> {
  /** The stored data. A row with other data shows its stored text. */
  data: TObject<P>
  /** The channels until the person chooses others. */
  defaults: Channels
  /**
   * True for notifications about the account itself. They always appear in the console, and quiet hours may
   * let them pass.
   */
  isSecurity?: true
  /** The path in the console. It contains no text from other people. */
  link(data: Static<TObject<P>>): string
  /** Undefined for data that this version does not know. */
  write(data: Static<TObject<P>>, rendering: Rendering): { title: string; body?: string } | undefined
}

const kind = <P extends TProperties>(definition: KindDefinition<P>): KindDefinition<P> => definition

const Name = Nullable(Type.String())
const Moment = Nullable(Type.String())
const Amount = Nullable(Type.Number())
const origin = { ip: Type.String(), device: Name }
const occasion = { title: Name, start: Moment, allDay: Type.Boolean(), timezone: Name }
const place = { location: Name, meetingUrl: Name }
export const toPlace = (event: { location: string; meetingUrl: string | null }) => ({
  location: toName(event.location),
  meetingUrl: toLine(event.meetingUrl),
})
const email = { emailId: Type.Integer(), subject: Name, from: Name }
const due = { dueAt: Moment, dueDay: Moment }

const Value = Type.Union([Type.String(), Type.Boolean(), Type.Null()])
/** A field of an event. Lists and times are only named, so they have no values. */
const EventDetail = Type.Object({
  field: Type.String(),
  before: Type.Optional(Value),
  after: Type.Optional(Value),
})
export type EventDetail = Static<typeof EventDetail>

const listed = (...parts: readonly (string | null | undefined)[]): string => parts.filter(Boolean).join(' · ')

/** The calendar page for the day of an event. */
const calendarAt = ({ start }: { start: string | null }): string => {
  const day = start?.slice(0, 10) ?? ''
  return /^\d{4}-\d\d-\d\d$/.test(day) ? `/calendar?date=${day}` : '/calendar'
}

const mailLink = ({ emailId }: { emailId: number }): string => `/mail/inbox/${emailId}`

const describeDue = (
  { dueAt, dueDay }: { dueAt: string | null; dueDay: string | null },
  { t, times }: Rendering,
): string | null => {
  if (dueDay !== null) return t.due(times.day(dueDay))
  return dueAt === null ? null : t.due(times.dayAndTime(dueAt))
}

const describeOrigin = (
  { ip, device }: { ip: string; device: string | null },
  t: NotificationTexts,
): string => (ip === '' ? '' : t.origin(ip, device ?? ''))

/** A notification of another version can have an unknown field or unit, which is shown by its name. */
const labelOf = (labels: Readonly<Record<string, string>>, name: string): string => labels[name] ?? name

const describeChange = ({ field, after }: EventDetail, t: NotificationTexts): string =>
  after === undefined
    ? labelOf(t.eventFields, field)
    : t.fieldChanged(
        labelOf(t.eventFields, field),
        typeof after === 'string' && after !== '' ? after : t.nothing,
      )

const describeConflict = ({ field, before, after }: EventDetail, t: NotificationTexts): string => {
  if (field === 'deleted') return t.eventRestored
  if (before === undefined || after === undefined) return t.fieldLost(labelOf(t.eventFields, field))
  const format = (value: string | boolean | null): string => {
    if (typeof value === 'boolean') return value ? t.yes : t.no
    return value ? t.quoted(value) : t.nothing
  }
  return t.fieldReplaced(labelOf(t.eventFields, field), format(after), format(before))
}

const booking = (text: 'booked' | 'moved' | 'cancelled') =>
  kind({
    data: Type.Object(occasion),
    defaults: consoleOnly,
    link: calendarAt,
    write: (data, { t, times }) => ({
      title: t[text](data.title ?? t.unnamed.meeting),
      body: times.start(data),
    }),
  })

const dataSentTo = (t: NotificationTexts, host: string | null): string =>
  t.dataSentTo(host ?? t.unnamed.destination)

/** Titles of security notifications. The reader must be able to tell whether the action was their own. */
const SECURITY_TITLES: Readonly<Record<string, (t: NotificationTexts, name: string | null) => string>> = {
  'password.changed': (t) => t.passwordChanged,
  'password.reset': (t) => t.passwordReset,
  'email.changed': (t, to) => t.emailChanged(to ?? t.unnamed.address),
  'two_factor.enabled': (t) => t.twoFactorEnabled,
  'two_factor.disabled': (t) => t.twoFactorDisabled,
  'two_factor.backup_codes_renewed': (t) => t.backupCodesReplaced,
  'two_factor.backup_code_used': (t) => t.backupCodeUsed,
  'token.created': (t, name) => t.tokenCreated(name ?? t.unnamed.name),
  'session.reuse_detected': (t, device) => t.sessionReuse(device ?? t.unnamed.device),
  'data.exported': (t) => t.dataExported,
  'backup_destination.changed': (t, destination) =>
    t.backupDestinationChanged(destination ?? t.unnamed.destination),
  'backup_passphrase.changed': (t) => t.backupPassphraseChanged,
  'backup_passphrase.removed': (t) => t.backupPassphraseRemoved,
  'instance_mail.changed': (t, address) => t.instanceMailChanged(address ?? t.unnamed.noAddress),
  'security_mail.disabled': (t) => t.securityMailDisabled,
  'app_password.created': (t, name) => t.appPasswordCreated(name ?? t.unnamed.name),
  'feed_token.created': (t, name) => t.linkCreated(name ?? t.unnamed.name),
  'webhook.added': dataSentTo,
  'webhook.changed': dataSentTo,
  'ai_key.saved': dataSentTo,
  'mail_account.changed': dataSentTo,
  'calendar_account.added': dataSentTo,
  'calendar_account.changed': dataSentTo,
}

/** Some settings concern security only if they name another host, which then receives data. */
export const isSecurityAction = (action: string, hasHost: boolean): boolean =>
  Object.hasOwn(SECURITY_TITLES, action) && (hasHost || SECURITY_TITLES[action] !== dataSentTo)

/** Every kind of notification: its data, default channels, page and text. */
export const DEFINITIONS = {
  event_starting: kind({
    data: Type.Object({ ...occasion, ...place }),
    defaults: consoleOnly,
    link: calendarAt,
    write(data, { t, times }) {
      const title = data.title ?? t.unnamed.event
      const text = data.start !== null && times.isPast(data.start) ? t.startedAt : t.startsAt
      return {
        title: data.allDay ? t.allDay(title) : text(title, times.time(data.start ?? '')),
        body: listed(times.start(data), data.location, data.meetingUrl),
      }
    },
  }),
  task_due: kind({
    data: Type.Object({ taskId: Type.Integer(), title: Name, ...due }),
    defaults: consoleOnly,
    link: ({ taskId }) => `/tasks?task=${taskId}`,
    write: (data, rendering) => ({
      title: rendering.t.taskDue(data.title ?? rendering.t.unnamed.task),
      body: describeDue(data, rendering) ?? '',
    }),
  }),
  task_commented: kind({
    data: Type.Object({ taskId: Type.Integer(), title: Name, by: Name, text: Name }),
    defaults: consoleOnly,
    link: ({ taskId }) => `/tasks?task=${taskId}`,
    write: ({ title, by, text }, { t }) => ({
      title: t.taskCommented(by ?? t.unnamed.someone, title ?? t.unnamed.task),
      body: text ?? '',
    }),
  }),
  commitment_due: kind({
    data: Type.Object({ isMine: Type.Boolean(), person: Name, text: Name, ...due }),
    defaults: consoleOnly,
    link: () => '/promises',
    write(data, rendering) {
      const { t } = rendering
      const name = data.person ?? t.unnamed.someone
      return {
        title: data.isMine ? t.commitmentDue(name) : t.commitmentExpected(name),
        body: listed(data.text, describeDue(data, rendering)),
      }
    },
  }),
  mail_received: kind({
    data: Type.Object(email),
    defaults: silent,
    link: mailLink,
    write: ({ from, subject }, { t }) => ({
      title: t.emailFrom(from ?? t.unnamed.sender),
      body: subject ?? t.unnamed.noSubject,
    }),
  }),
  mail_urgent: kind({
    data: Type.Object(email),
    defaults: consoleOnly,
    link: mailLink,
    write: ({ from, subject }, { t }) => ({
      title: t.urgentEmail(subject ?? t.unnamed.noSubject),
      body: t.from(from ?? t.unnamed.sender),
    }),
  }),
  /** A snoozed email, or a sent one without an answer, returned to the inbox. */
  mail_due: kind({
    data: Type.Object({ ...email, to: Type.Array(Type.String()), isFollowUp: Type.Boolean() }),
    defaults: consoleOnly,
    link: mailLink,
    write({ from, subject, to, isFollowUp }, { t }) {
      const title = subject ?? t.unnamed.noSubject
      return isFollowUp
        ? { title: t.noAnswer(to.join(', ') || t.unnamed.someone), body: title }
        : { title: t.snoozeEnded(title), body: t.from(from ?? t.unnamed.sender) }
    },
  }),
  /** The server did not make a move: somebody else moved the email first, or the server refused it. */
  mail_conflict: kind({
    data: Type.Object({
      emailId: Type.Integer(),
      subject: Name,
      folder: Name,
      reason: Type.Enum(['moved', 'refused']),
    }),
    defaults: consoleOnly,
    link: mailLink,
    write: ({ subject, folder, reason }, { t }) => ({
      title: t.notMoved(subject ?? t.unnamed.noSubject, folder ?? t.unnamed.folder),
      body: reason === 'refused' ? t.moveRefused : t.movedElsewhere,
    }),
  }),
  share_offered: kind({
    data: Type.Object({ by: Name, name: Name, isCalendar: Type.Boolean() }),
    defaults: consoleOnly,
    link: () => '/settings/sharing',
    write: ({ by, name, isCalendar }, { t }) => ({
      title: (isCalendar ? t.sharedCalendar : t.sharedList)(by ?? t.unnamed.someone, name ?? t.unnamed.name),
    }),
  }),
  /** A mail changed an event. */
  invitation_updated: kind({
    data: Type.Object({
      ...occasion,
      by: Name,
      change: Type.Enum(['invited', 'cancelled', 'changed', 'moved']),
      formerStart: Moment,
      details: Type.Array(EventDetail),
    }),
    defaults: consoleOnly,
    link: calendarAt,
    write(data, { t, times }) {
      const [by, title] = [data.by ?? t.unnamed.someone, data.title ?? t.unnamed.event]
      const when = times.start(data)
      if (data.change === 'invited') return { title: t.eventInvited(by, title), body: when }
      if (data.change === 'cancelled') return { title: t.eventCancelled(by, title), body: when }
      const details = data.details.map((detail) => describeChange(detail, t))
      if (data.change === 'changed')
        return { title: t.eventChanged(by, title), body: listed(...details, when) }
      const former = t.before(times.startWithin({ ...data, start: data.formerStart }))
      return {
        title: t.eventMoved(by, title, times.startWithin(data)),
        body: listed(former, ...details),
      }
    },
  }),
  /** A mail answered an invitation. */
  invitation_answered: kind({
    data: Type.Object({
      ...occasion,
      by: Name,
      answer: Nullable(Type.Enum(['accepted', 'declined', 'tentative'])),
    }),
    defaults: consoleOnly,
    link: calendarAt,
    write: (data, { t, times }) => ({
      title: t[data.answer ?? 'answered'](data.by ?? t.unnamed.someone, data.title ?? t.unnamed.event),
      body: times.start(data),
    }),
  }),
  /** The server's version of an event replaced a local change. */
  calendar_conflict: kind({
    data: Type.Object({ account: Name, title: Name, start: Moment, details: Type.Array(EventDetail) }),
    defaults: consoleOnly,
    link: calendarAt,
    write: ({ account, title, details }, { t }) => ({
      title: t.conflict(account ?? t.unnamed.calendarServer, title ?? t.unnamed.event),
      body: listed(...details.map((detail) => describeConflict(detail, t))),
    }),
  }),
  booking_made: booking('booked'),
  booking_changed: booking('moved'),
  booking_cancelled: booking('cancelled'),
  action_waiting: kind({
    data: Type.Object({ conversationId: Name, summary: Name, expiresAt: Moment }),
    defaults: consoleOnly,
    link: ({ conversationId }) =>
      conversationId === null
        ? '/assistant'
        : `/assistant?conversation=${encodeURIComponent(conversationId)}`,
    write: ({ summary, expiresAt }, { t, times }) => ({
      title: t.waitsForConfirmation(summary ?? t.unnamed.action),
      body: expiresAt === null ? '' : t.until(times.dayAndTime(expiresAt)),
    }),
  }),
  milestone_reached: kind({
    data: Type.Object({ title: Name, target: Amount, unit: Name }),
    defaults: consoleOnly,
    link: () => '/stream',
    write: ({ title, target, unit }, { t, times }) => ({
      title: t.milestoneReached(title ?? t.unnamed.milestone),
      body: target === null ? '' : `${times.number(target)} ${unit ?? ''}`,
    }),
  }),
  webhook_disabled: kind({
    data: Type.Object({ name: Name, reason: Name }),
    defaults: mailed,
    link: () => '/settings/webhooks',
    write: ({ name, reason }, { t }) => ({
      title: t.webhookDisabled(name ?? t.unnamed.name),
      body: reason ?? '',
    }),
  }),
  mail_account_failing: kind({
    data: Type.Object({ address: Name, error: Name }),
    defaults: mailed,
    link: () => '/settings/mail-accounts',
    write: ({ address, error }, { t }) => ({
      title: t.unreachable(address ?? t.unnamed.mailAccount),
      body: error ?? '',
    }),
  }),
  calendar_account_failing: kind({
    data: Type.Object({ name: Name, error: Name }),
    defaults: mailed,
    link: () => '/settings/calendar-accounts',
    write: ({ name, error }, { t }) => ({
      title: t.unreachable(name ?? t.unnamed.calendarAccount),
      body: error ?? '',
    }),
  }),
  job_parked: kind({
    data: Type.Object({ job: Type.String(), error: Name }),
    defaults: consoleOnly,
    link: () => '/settings/jobs',
    write: ({ job, error }, { t, times }) => ({
      title: t.jobFailed(toJobTitle(job, times.language)),
      body: error ?? '',
    }),
  }),
  backup_failed: kind({
    data: Type.Object({ problem: Name }),
    defaults: mailed,
    link: () => '/settings/backups',
    write: ({ problem }, { t }) => ({ title: t.backupFailed, body: problem ?? '' }),
  }),
  budget_reached: kind({
    data: Type.Object({
      measure: Name,
      period: Name,
      used: Amount,
      limit: Amount,
      unit: Name,
    }),
    defaults: mailed,
    link: () => '/settings/billing',
    write({ measure, period, used, limit, unit }, { t, times }) {
      const name = measure ?? t.unnamed.usage
      return {
        title: t.budgetReached(labelOf(t.measures, name)),
        body: t.budgetUsed(
          times.number(used ?? 0),
          times.number(limit ?? 0),
          labelOf(t.units, unit ?? ''),
          period === null ? t.unnamed.thisMonth : times.month(period),
        ),
      }
    },
  }),
  sign_in: kind({
    data: Type.Object(origin),
    defaults: mailed,
    isSecurity: true,
    link: () => '/settings/security#sessions',
    write: (data, { t }) => ({ title: t.newSignIn, body: describeOrigin(data, t) }),
  }),
  security: kind({
    data: Type.Object({ ...origin, action: Type.String(), name: Name }),
    defaults: mailed,
    isSecurity: true,
    link: () => '/settings/security#activity',
    write(data, { t }) {
      const title = SECURITY_TITLES[data.action]?.(t, data.name)
      const from = describeOrigin(data, t)
      return title === undefined
        ? undefined
        : { title, body: from === '' ? t.notYou : `${from}. ${t.notYou}` }
    },
  }),
}

export type Kind = keyof typeof DEFINITIONS
export type DataOf<K extends Kind> = Static<(typeof DEFINITIONS)[K]['data']>

export const KINDS = Object.keys(DEFINITIONS) as Kind[]

/** Makes a value for each kind. */
export const perKind = <T>(make: (kind: Kind) => T): Record<Kind, T> =>
  Object.fromEntries(KINDS.map((each) => [each, make(each)])) as Record<Kind, T>

/** False for a kind of a later version. */
export const isKind = (name: string): name is Kind => Object.hasOwn(DEFINITIONS, name)

/** Without the type of its data, for code that treats all kinds alike. */
export const definitionOf = (name: Kind): KindDefinition<TProperties> =>
  DEFINITIONS[name] as unknown as KindDefinition<TProperties>
