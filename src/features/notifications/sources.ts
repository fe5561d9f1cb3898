import type { RecordedChange } from '../../platform/changes.ts'
import type { Occurrence, Reader } from './occurrence.ts'
import { named } from './plain-text.ts'

const DAY_MS = 86_400_000

type Data = Readonly<Record<string, unknown>>
type Read = (change: RecordedChange & { data: Data }, now: Date) => Occurrence | undefined

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const part = (value: unknown): Data => (typeof value === 'object' && value !== null ? (value as Data) : {})

const TIME = { hour: 'numeric', minute: '2-digit' } as const
const DAY = { weekday: 'short', day: 'numeric', month: 'short' } as const

/** Part of somebody's transaction: a zone that this machine does not know must not undo what they did. */
const written = (
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

const timeOf = (instant: string, reader: Reader): string => written(instant, reader, TIME)
const dayAndTimeOf = (instant: string, reader: Reader): string =>
  written(instant, reader, { ...DAY, ...TIME })
/** A whole day is that day in the zone of its event. */
const whenOf = (data: Data, reader: Reader): string =>
  data.allDay === true
    ? written(text(data.start), { ...reader, timezone: text(data.timezone) || reader.timezone }, DAY)
    : dayAndTimeOf(text(data.start), reader)

/** The day that a thing is on, for the calendar to open there. */
const calendarAt = (start: unknown): string => {
  const day = text(start).slice(0, 10)
  return /^\d{4}-\d\d-\d\d$/.test(day) ? `/calendar?date=${day}` : '/calendar'
}

const eventStarting: Read = ({ id, data }) => ({
  ...{ kind: 'event_starting', key: `event_starting:${id}`, whom: 'everyone', link: calendarAt(data.start) },
  write: (reader) => {
    const title = named(data.title, 'An event')
    const start = text(data.start)
    // An alarm of a file may come when it has begun.
    const starts = Number(data.minutesBefore) < 0 ? 'started' : 'starts'
    return {
      title: data.allDay === true ? `${title}: all day` : `${title} ${starts} at ${timeOf(start, reader)}`,
      body: [whenOf(data, reader), named(data.location, ''), text(data.meetingUrl)]
        .filter(Boolean)
        .join(' · '),
    }
  },
})

/** A day is the same day on every clock. */
const dueTextOf = (data: Data, reader: Reader): string => {
  const [at, day] = [text(data.dueAt), text(data.dueDay)]
  if (day !== '') return `Due ${written(`${day}T12:00:00Z`, { ...reader, timezone: 'UTC' }, DAY)}`
  return at === '' ? '' : `Due ${dayAndTimeOf(at, reader)}`
}

const taskDue: Read = ({ id, subject, data }) => ({
  ...{ kind: 'task_due', key: `task_due:${id}`, whom: 'everyone', link: `/tasks?task=${subject}` },
  write: (reader) => ({
    title: `To do: ${named(data.title, 'a task')}`,
    body: dueTextOf(data, reader),
  }),
})

/** Mail of long ago that a new account brings along is no news. */
/** What was put away or read, by a rule or by anybody: nobody need be rung for it. */
const isSettled = ({ folder = 'inbox', read = false }: Readonly<Record<string, unknown>>): boolean =>
  folder !== 'inbox' || read === true

const mailReceived: Read = ({ subject, data }, now) => {
  if (isSettled(data)) return undefined
  if (Date.parse(text(data.date)) < now.getTime() - DAY_MS) return undefined
  const from = part(data.from)
  const emailId = Number(subject)
  return {
    ...{ kind: 'mail_received', key: `mail_received:${subject}`, whom: 'everyone', emailId },
    link: `/mail/inbox/${emailId}`,
    write: () => ({
      title: `E-mail from ${named(from.name, named(from.address, 'someone'))}`,
      body: named(data.subject, 'without a subject'),
    }),
  }
}

const URGENT: readonly unknown[] = ['high', 'critical']

/** Once for each e-mail, however often it is analysed. */
const mailUrgent: Read = ({ subject, data }) => {
  if (isSettled(data) || !URGENT.includes(part(data.urgency).level)) return undefined
  const emailId = Number(subject)
  const from = part(data.from)
  return {
    ...{ kind: 'mail_urgent', key: `mail_urgent:${subject}`, whom: 'everyone', emailId },
    link: `/mail/inbox/${emailId}`,
    write: () => ({
      title: `Urgent: ${named(data.subject, 'an e-mail without a subject')}`,
      body: `From ${named(from.name, named(from.address, 'someone'))}`,
    }),
  }
}

const BOOKED = {
  booking_made: (title: string) => `Booked: ${title}`,
  booking_changed: (title: string) => `Moved: ${title}`,
  booking_cancelled: (title: string) => `Cancelled: ${title}`,
} as const

/** Of bookings that are over, nobody need hear. */
const booking =
  (kind: keyof typeof BOOKED): Read =>
  ({ id, data }, now) => {
    if (data.source !== 'bookingsvc' || Date.parse(text(data.end)) <= now.getTime()) return undefined
    const fields = Array.isArray(data.fields) ? data.fields : []
    if (kind === 'booking_changed' && !['start', 'end'].some((field) => fields.includes(field)))
      return undefined
    return {
      ...{ kind, key: `${kind}:${id}`, whom: 'everyone', link: calendarAt(data.start) },
      write: (reader) => ({
        title: BOOKED[kind](named(data.title, 'a meeting')),
        body: whenOf(data, reader),
      }),
    }
  }

const ANSWERED: Readonly<Record<string, string>> = {
  accepted: 'accepted',
  declined: 'declined',
  tentative: 'tentatively accepted',
}

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(text).filter(Boolean) : [])

/** A mail changed an event, or answered for one, without anybody asking. */
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
      const [by, title] = [named(data.by, 'Someone'), `“${named(data.title, 'an event')}”`]
      const when = whenOf(data, reader)
      if (isAnswer)
        return { title: `${by} ${ANSWERED[text(data.answer)] ?? 'answered'} ${title}`, body: when }
      if (data.what === 'cancelled') return { title: `${by} cancelled ${title}`, body: when }
      const details = texts(data.details)
      if (data.what === 'changed')
        return { title: `${by} changed ${title}`, body: [...details, when].join(' · ') }
      const former = `Before: ${whenOf({ ...data, start: data.formerStart }, reader)}`
      return { title: `${by} moved ${title} to ${when}`, body: [former, ...details].join(' · ') }
    },
  }
}

/** The server's version of an event replaced a change that was made here. */
const calendarConflict: Read = ({ id, subject, data }) => ({
  kind: 'calendar_conflict',
  key: `calendar_conflict:${id}`,
  whom: { userId: Number(subject) },
  link: calendarAt(data.start),
  actionId: Number(data.actionId),
  write: () => ({
    title: `${named(data.account, 'The calendar server')} replaced your changes to “${named(data.title, 'an event')}”`,
    body: texts(data.details).join(' · '),
  }),
})

const actionWaiting: Read = ({ subject, data }) => ({
  ...{ kind: 'action_waiting', key: `action_waiting:${subject}`, whom: 'everyone', link: '/assistant' },
  write: (reader) => ({
    title: `Waits for your confirmation: ${named(data.summary, 'an action')}`,
    body: `Until ${dayAndTimeOf(text(data.expiresAt), reader)}`,
  }),
})

const milestoneReached: Read = ({ id, data }) => {
  const milestone = part(data.milestone)
  return {
    ...{ kind: 'milestone_reached', key: `milestone_reached:${id}`, whom: 'everyone', link: '/stream' },
    write: () => ({
      title: `Reached: ${named(milestone.title, 'a milestone')}`,
      body: `${Number(milestone.target)} ${named(milestone.unit, '')}`,
    }),
  }
}

/** Once until it has been in step again: how often it fails meanwhile is no news. */
const mailAccountFailing: Read = ({ subject, data }) => ({
  kind: 'mail_account_failing',
  key: `mail_account_failing:${text(data.accountId)}:${text(data.lastSyncAt)}`,
  whom: { userId: Number(subject) },
  link: '/settings/mail-accounts',
  write: () => ({
    title: `${named(data.address, 'A mail account')} cannot be reached`,
    body: text(data.error),
  }),
})

const calendarAccountFailing: Read = ({ subject, data }) => ({
  kind: 'calendar_account_failing',
  key: `calendar_account_failing:${text(data.accountId)}:${text(data.lastSyncAt)}`,
  whom: { userId: Number(subject) },
  link: '/settings/calendar-accounts',
  write: () => ({
    title: `${named(data.name, 'A calendar account')} cannot be reached`,
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
  ...{ kind: 'budget_reached', key: `budget_reached:${id}`, link: '/settings/billing' },
  whom: { userId: Number(subject) },
  write: () => ({
    title: `A budget is reached: ${MEASURES[text(data.measure)] ?? named(data.measure, 'usage')}`,
    body: `${Number(data.used)} of ${Number(data.limit)} ${named(data.unit, '')} in ${named(data.period, 'this month')}`,
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

/** What of these changes may be worth telling. Of most there is nothing, and that is found out without a query. */
export const occurrencesIn = (changes: readonly RecordedChange[], now: Date): Occurrence[] =>
  changes.flatMap((change) => {
    const read = Object.hasOwn(READERS, change.type) ? READERS[change.type] : undefined
    return read?.(change, now) ?? []
  })
