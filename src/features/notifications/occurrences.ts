import type { RecordedChange } from '../../platform/changes.ts'
import { toFormatLocale } from '../../platform/language.ts'
import type { NotificationTexts } from './locales/en.ts'
import { nameOr } from './mail-delivery.ts'
import type { Occurrence, Reader } from './schedule.ts'
import { textsFor } from './texts.ts'

const DAY_MS = 86_400_000
const MOST_NAMES = 3

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
    return new Intl.DateTimeFormat(toFormatLocale(locale), { timeZone: timezone, ...options }).format(
      new Date(instant),
    )
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

const eventStarting: Read = ({ id, userId, data }) => ({
  kind: 'event_starting',
  key: `event_starting:${id}`,
  whom: { userId },
  link: calendarAt(data.start),
  write: (reader) => {
    const t = textsFor(reader)
    const title = nameOr(data.title, t.unnamed.event)
    // An alarm from an iCalendar file may be after the start.
    const startText = Number(data.minutesBefore) < 0 ? t.startedAt : t.startsAt
    return {
      title: data.allDay === true ? t.allDay(title) : startText(title, timeOf(text(data.start), reader)),
      body: [whenOf(data, reader), nameOr(data.location, ''), text(data.meetingUrl)]
        .filter(Boolean)
        .join(' · '),
    }
  },
})

/** A due day is the same day in every time zone. */
const dueTextOf = (data: Data, reader: Reader): string => {
  const [at, day] = [text(data.dueAt), text(data.dueDay)]
  if (day !== '')
    return textsFor(reader).due(formatTime(`${day}T12:00:00Z`, { ...reader, timezone: 'UTC' }, DAY))
  return at === '' ? '' : textsFor(reader).due(dayAndTimeOf(at, reader))
}

const taskDue: Read = ({ id, userId, subject, data }) => ({
  kind: 'task_due',
  key: `task_due:${id}`,
  whom: { userId },
  link: `/tasks?task=${subject}`,
  write: (reader) => {
    const t = textsFor(reader)
    return { title: t.taskDue(nameOr(data.title, t.unnamed.task)), body: dueTextOf(data, reader) }
  },
})

/** A promise of the person, or one that was made to the person. */
const commitmentDue: Read = ({ id, userId, data }) => {
  const person = part(data.person)
  return {
    kind: 'commitment_due',
    key: `commitment_due:${id}`,
    whom: { userId },
    link: '/promises',
    ...(typeof data.emailId === 'number' && { emailId: data.emailId }),
    write: (reader) => {
      const t = textsFor(reader)
      const name = nameOr(person.name, nameOr(person.address, t.unnamed.someone))
      const title = data.direction === 'mine' ? t.promiseDue(name) : t.promiseExpected(name)
      return { title, body: [text(data.text), dueTextOf(data, reader)].filter(Boolean).join(' · ') }
    },
  }
}

/** Mail that was filed, read or snoozed, by a rule or by a person, needs no notification. */
const isSettled = ({
  folder = 'inbox',
  read = false,
  snoozedUntil = null,
}: Readonly<Record<string, unknown>>): boolean => folder !== 'inbox' || read === true || snoozedUntil !== null

const mailReceived: Read = ({ userId, subject, data }, now) => {
  if (isSettled(data)) return undefined
  if (Date.parse(text(data.date)) < now.getTime() - DAY_MS) return undefined
  const from = part(data.from)
  const emailId = Number(subject)
  return {
    kind: 'mail_received',
    key: `mail_received:${subject}`,
    whom: { userId },
    emailId,
    link: `/mail/inbox/${emailId}`,
    write: (reader) => {
      const t = textsFor(reader)
      return {
        title: t.emailFrom(nameOr(from.name, nameOr(from.address, t.unnamed.sender))),
        body: nameOr(data.subject, t.unnamed.noSubject),
      }
    },
  }
}

const URGENT: readonly unknown[] = ['high', 'critical']

/** The key has no change id, so that analyzing an email again does not notify again. */
const mailUrgent: Read = ({ userId, subject, data }) => {
  if (isSettled(data) || !URGENT.includes(part(data.urgency).level)) return undefined
  const emailId = Number(subject)
  const from = part(data.from)
  return {
    kind: 'mail_urgent',
    key: `mail_urgent:${subject}`,
    whom: { userId },
    emailId,
    link: `/mail/inbox/${emailId}`,
    write: (reader) => {
      const t = textsFor(reader)
      return {
        title: t.urgentEmail(nameOr(data.subject, t.unnamed.noSubject)),
        body: t.from(nameOr(from.name, nameOr(from.address, t.unnamed.sender))),
      }
    },
  }
}

/** Names the recipients of an email that nobody answered. */
const recipientsOf = (data: Data, t: NotificationTexts): string => {
  const names = (Array.isArray(data.to) ? data.to : [])
    .map(part)
    .map(({ name, address }) => nameOr(name, nameOr(address, '')))
    .filter(Boolean)
  return names.length === 0 ? t.unnamed.someone : names.slice(0, MOST_NAMES).join(', ')
}

/** A snoozed email, or a sent one without an answer, returned to the inbox. */
const mailDue: Read = ({ id, userId, subject, data }) => {
  const emailId = Number(subject)
  const from = part(data.from)
  return {
    kind: 'mail_due',
    key: `mail_due:${id}`,
    whom: { userId },
    emailId,
    link: `/mail/inbox/${emailId}`,
    write: (reader) => {
      const t = textsFor(reader)
      const title = nameOr(data.subject, t.unnamed.noSubject)
      return part(data.returned).reason === 'follow-up'
        ? { title: t.noAnswer(recipientsOf(data, t)), body: title }
        : {
            title: t.snoozeEnded(title),
            body: t.from(nameOr(from.name, nameOr(from.address, t.unnamed.sender))),
          }
    },
  }
}

const BOOKING_TEXTS = {
  booking_made: 'booked',
  booking_changed: 'moved',
  booking_cancelled: 'cancelled',
} as const

/** Ignores bookings in the past. */
const booking =
  (kind: keyof typeof BOOKING_TEXTS): Read =>
  ({ id, userId, data }, now) => {
    if (data.source !== 'bookingsvc' || Date.parse(text(data.end)) <= now.getTime()) return undefined
    const fields = Array.isArray(data.fields) ? data.fields : []
    if (kind === 'booking_changed' && !['start', 'end'].some((field) => fields.includes(field)))
      return undefined
    return {
      kind,
      key: `${kind}:${id}`,
      whom: { userId },
      link: calendarAt(data.start),
      write: (reader) => {
        const t = textsFor(reader)
        const title = t[BOOKING_TEXTS[kind]](nameOr(data.title, t.unnamed.meeting))
        return { title, body: whenOf(data, reader) }
      },
    }
  }

const RSVP_TEXTS = ['accepted', 'declined', 'tentative'] as const

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(text).filter(Boolean) : [])

/** A mail changed an event, or its RSVP, automatically. */
const invitationApplied: Read = ({ id, userId, data }) => {
  const isAnswer = data.what === 'answered'
  const kind = isAnswer ? 'invitation_answered' : 'invitation_updated'
  return {
    kind,
    key: `${kind}:${id}`,
    whom: { userId },
    link: calendarAt(data.start),
    actionId: Number(data.actionId),
    write: (reader) => {
      const t = textsFor(reader)
      const [by, title] = [nameOr(data.by, t.unnamed.someone), nameOr(data.title, t.unnamed.event)]
      const when = whenOf(data, reader)
      if (isAnswer) {
        const answer = RSVP_TEXTS.find((known) => known === data.answer) ?? 'answered'
        return { title: t[answer](by, title), body: when }
      }
      if (data.what === 'invited') return { title: t.eventInvited(by, title), body: when }
      if (data.what === 'cancelled') return { title: t.eventCancelled(by, title), body: when }
      const details = texts(data.details)
      if (data.what === 'changed')
        return { title: t.eventChanged(by, title), body: [...details, when].join(' · ') }
      const former = t.before(whenOf({ ...data, start: data.formerStart }, reader))
      return { title: t.eventMoved(by, title, when), body: [former, ...details].join(' · ') }
    },
  }
}

/** The server's version of an event replaced a local change. */
const calendarConflict: Read = ({ id, userId, data }) => ({
  kind: 'calendar_conflict',
  key: `calendar_conflict:${id}`,
  whom: { userId },
  link: calendarAt(data.start),
  actionId: Number(data.actionId),
  write: (reader) => {
    const t = textsFor(reader)
    return {
      title: t.conflict(nameOr(data.account, t.unnamed.calendarServer), nameOr(data.title, t.unnamed.event)),
      body: texts(data.details).join(' · '),
    }
  },
})

/** The server did not make a move: somebody else moved the email first, or the server refused it. */
const mailConflict: Read = ({ id, userId, data }) => ({
  kind: 'mail_conflict',
  key: `mail_conflict:${id}`,
  whom: { userId },
  emailId: Number(data.emailId),
  link: `/mail/inbox/${Number(data.emailId)}`,
  write: (reader) => {
    const t = textsFor(reader)
    return {
      title: t.notMoved(nameOr(data.title, t.unnamed.noSubject), nameOr(data.folder, t.unnamed.folder)),
      body: data.reason === 'refused' ? t.moveRefused : t.movedElsewhere,
    }
  },
})

const actionWaiting: Read = ({ userId, subject, data }) => ({
  kind: 'action_waiting',
  key: `action_waiting:${subject}`,
  whom: { userId },
  link: '/assistant',
  write: (reader) => {
    const t = textsFor(reader)
    return {
      title: t.waitsForConfirmation(nameOr(data.summary, t.unnamed.action)),
      body: t.until(dayAndTimeOf(text(data.expiresAt), reader)),
    }
  },
})

const milestoneReached: Read = ({ id, userId, data }) => {
  const milestone = part(data.milestone)
  return {
    kind: 'milestone_reached',
    key: `milestone_reached:${id}`,
    whom: { userId },
    link: '/stream',
    write: (reader) => {
      const t = textsFor(reader)
      return {
        title: t.milestoneReached(nameOr(milestone.title, t.unnamed.milestone)),
        body: `${Number(milestone.target)} ${nameOr(milestone.unit, '')}`,
      }
    },
  }
}

/**
 * The key has the time of the last successful sync. Repeated failures until the next success notify only
 * once.
 */
const mailAccountFailing: Read = ({ userId, data }) => ({
  kind: 'mail_account_failing',
  key: `mail_account_failing:${text(data.accountId)}:${text(data.lastSyncAt)}`,
  whom: { userId },
  link: '/settings/mail-accounts',
  write: (reader) => {
    const t = textsFor(reader)
    return { title: t.unreachable(nameOr(data.address, t.unnamed.mailAccount)), body: text(data.error) }
  },
})

const calendarAccountFailing: Read = ({ userId, data }) => ({
  kind: 'calendar_account_failing',
  key: `calendar_account_failing:${text(data.accountId)}:${text(data.lastSyncAt)}`,
  whom: { userId },
  link: '/settings/calendar-accounts',
  write: (reader) => {
    const t = textsFor(reader)
    return { title: t.unreachable(nameOr(data.name, t.unnamed.calendarAccount)), body: text(data.error) }
  },
})

const budgetReached: Read = ({ id, userId, data }) => ({
  kind: 'budget_reached',
  key: `budget_reached:${id}`,
  link: '/settings/billing',
  whom: { userId },
  write: (reader) => {
    const t = textsFor(reader)
    const period = nameOr(data.period, t.unnamed.thisMonth)
    return {
      title: t.budgetReached(t.measures[text(data.measure)] ?? nameOr(data.measure, t.unnamed.usage)),
      body: t.budgetUsed(Number(data.used), Number(data.limit), nameOr(data.unit, ''), period),
    }
  },
})

const backupFailed: Read = ({ userId, subject, data }) => ({
  kind: 'backup_failed',
  key: `backup_failed:${subject}`,
  link: '/settings/backups',
  whom: { userId },
  write: (reader) => ({ title: textsFor(reader).backupFailed, body: text(data.problem) }),
})

const shareOffered: Read = ({ id, userId, data }) => ({
  kind: 'share_offered',
  key: `share_offered:${id}`,
  whom: { userId },
  link: '/settings/sharing',
  write: (reader) => {
    const t = textsFor(reader)
    const [by, name] = [nameOr(data.by, t.unnamed.someone), nameOr(data.name, '')]
    return { title: data.kind === 'calendar' ? t.sharedCalendar(by, name) : t.sharedList(by, name), body: '' }
  },
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
