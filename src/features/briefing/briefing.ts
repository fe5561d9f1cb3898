import type { Folder } from '../../database/tables/mail.ts'
import type { Category } from '../../nlu/mail/category.ts'
import { type Caller, hasScope, userIdOf } from '../../platform/access/caller.ts'
import { AppError } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import { daysAround, readInstant } from '../../platform/time.ts'
import { createYielder } from '../../platform/yield.ts'
import { toInstant } from '../../recurrence/time-zones.ts'
import type { WorkingHours } from '../auth/working-hours.ts'
import type { AnalyzeMail } from '../mail-analysis/engine-analysis.ts'
import { BriefingEvent } from './schema.ts'
import type {
  BriefedMail,
  BriefingCommitment,
  BriefingTask,
  CommitmentSource,
  EventSource,
  MailSource,
  Person,
  Span,
  TaskSource,
} from './sources.ts'

interface MailItem {
  text: string
  /** `me`: the reader has to do it; `them`: the sender promised it. */
  owner: 'me' | 'them'
}

/** The parts of a mail analysis that a briefing uses. */
interface ReadMail {
  isMachine: boolean
  questions: string[]
  items: MailItem[]
}

/** Size of the analysis cache. Emails do not change, so each is analysed once. */
const CACHE_SIZE = 1_000
const MAX_TEXT_LENGTH = 8_000

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** Reads the stored analysis of an email. Returns undefined if it is missing or invalid. */
const readKept = (analysis: unknown, isMachine: (category: Category) => boolean): ReadMail | undefined => {
  if (!isObject(analysis) || typeof analysis.category !== 'string') return undefined
  const { questions, actionItems } = analysis
  if (!Array.isArray(questions) || !Array.isArray(actionItems)) return undefined
  return {
    isMachine: isMachine(analysis.category as Category),
    questions: questions
      .map((question) => (isObject(question) ? question.text : question))
      .filter((text): text is string => typeof text === 'string'),
    items: actionItems
      .filter(isObject)
      .flatMap(({ text, owner }): MailItem[] =>
        typeof text === 'string' && (owner === 'me' || owner === 'them') ? [{ text, owner }] : [],
      ),
  }
}

/** Ignores an email that cannot be parsed within the limits. */
const unlessUnreadable = (error: unknown): ReadMail => {
  if (error instanceof AppError && error.code === 'unreadable_message')
    return { isMachine: true, questions: [], items: [] }
  throw error
}

/** Analyses emails with the built-in engine. Uses the stored analysis or the cache if possible. */
const createMailAnalysisCache = ({
  source,
  analyzeMail,
}: {
  source: Pick<MailSource, 'texts'>
  analyzeMail: AnalyzeMail
}) => {
  const readings = new Map<string, ReadMail>()
  const keep = (key: string, reading: ReadMail): void => {
    if (readings.size >= CACHE_SIZE) readings.delete(readings.keys().next().value as string)
    readings.set(key, reading)
  }

  return async (
    mails: readonly BriefedMail[],
    { timezone }: { timezone: string },
  ): Promise<Map<number, ReadMail>> => {
    const { isMachine } = await import('../../nlu/mail/category.ts')
    const read = new Map<number, ReadMail>()
    // Ids can be reused after all data was deleted, so the key includes the creation time.
    const keyOf = ({ id, createdAt }: BriefedMail): string => `${id} ${createdAt} ${timezone}`
    const unread: BriefedMail[] = []
    for (const mail of mails) {
      const known = readKept(mail.analysis, isMachine) ?? readings.get(keyOf(mail))
      if (known) read.set(mail.id, known)
      else unread.push(mail)
    }
    if (unread.length === 0) return read
    const texts = await source.texts(unread.map(({ id }) => id))
    const yieldIfNeeded = createYielder()
    for (const mail of unread) {
      const input = {
        text: (texts.get(mail.id) ?? '').slice(0, MAX_TEXT_LENGTH),
        subject: mail.subject,
        from: mail.from.address,
      }
      const reading = await analyzeMail(input, { date: Date.parse(mail.date), timezone }).then(
        ({ category, questions, actionItems }): ReadMail => ({
          isMachine: isMachine(category),
          questions: questions.map(({ text }) => text),
          items: actionItems.map(({ text, owner }) => ({ text, owner })),
        }),
        unlessUnreadable,
      )
      keep(keyOf(mail), reading)
      read.set(mail.id, reading)
      await yieldIfNeeded()
    }
    return read
  }
}

interface UnansweredMail {
  emailId: number
  threadId: number
  folder: Folder
  from: Person
  subject: string
  date: string
  /** Questions and requests of the sender, quoted. */
  asks: string[]
}

const DAY_MS = 86_400_000
/** Limits: age of the mail in days, and number of mails. */
const DAYS = 14
const MAX_RECEIVED = 60
const MAX_ITEMS = 20
const MAX_ASKS = 3
const MAX_QUOTE_LENGTH = 300

const truncate = (text: string): string =>
  text.length <= MAX_QUOTE_LENGTH ? text : `${text.slice(0, MAX_QUOTE_LENGTH - 1).trimEnd()}…`.toWellFormed()

const listAsks = ({ questions, items }: ReadMail): string[] =>
  [...new Set([...questions, ...items.filter(({ owner }) => owner === 'me').map(({ text }) => text)])]
    .slice(0, MAX_ASKS)
    .map(truncate)

interface CorrespondenceDeps {
  source: MailSource
  ownAddresses: (userId: number) => Promise<ReadonlySet<string>>
  analyzeMail: AnalyzeMail
}

/** Finds mails that wait for a reply. */
const createCorrespondence = ({ source, ownAddresses, analyzeMail }: CorrespondenceDeps) => {
  const readAll = createMailAnalysisCache({ source, analyzeMail })

  return async (userId: number, day: { from: string; until: string }, now: string, timezone: string) => {
    const until = day.until < now ? day.until : now
    const span: Span = { from: new Date(Date.parse(until) - DAYS * DAY_MS).toISOString(), until }
    const own = await ownAddresses(userId)
    const isOwn = ({ from }: BriefedMail): boolean => own.has(from.address.toLowerCase())
    const received = (await source.received(userId, span, MAX_RECEIVED)).filter((mail) => !isOwn(mail))
    const read = await readAll(received, { timezone })

    /** A mail that has the person only in Cc expects no reply. */
    const isCopy = ({ to, cc }: BriefedMail): boolean => {
      const names = (people: readonly Person[]) =>
        people.some(({ address }) => own.has(address.toLowerCase()))
      return names(cc) && !names(to)
    }
    const lastOfThread = [...Map.groupBy(received, ({ threadId }) => threadId).values()].map(
      ([newest]) => newest as BriefedMail,
    )
    const needingReply = lastOfThread.filter((mail) => {
      const reading = read.get(mail.id)
      return reading && !reading.isMachine && !isCopy(mail) && listAsks(reading).length > 0
    })
    const answers = await source.lastAnswers(
      userId,
      needingReply.map(({ threadId }) => threadId),
    )
    const waiting = needingReply
      .filter(({ threadId, position }) => (answers.get(threadId) ?? -1) < position)
      .slice(0, MAX_ITEMS)
      .map(
        ({ id, threadId, folder, from, subject, date }): UnansweredMail => ({
          emailId: id,
          threadId,
          folder,
          from,
          subject,
          date,
          asks: listAsks(read.get(id) as ReadMail),
        }),
      )
    return { waiting }
  }
}

interface Habits {
  timezone: string
  weekStart: string
  workingHours: WorkingHours[]
}

interface Day {
  date: string
  from: string
  until: string
  isToday: boolean
}

const HALF_DAY_MS = 43_200_000

/** Returns the requested day, from midnight to midnight in the timezone of the person. */
const resolveDay = (date: string | undefined, now: Date, habits: Habits): Day => {
  const today = daysAround(now, habits, 1).today
  const noon =
    date === undefined ? now : new Date(Date.parse(readInstant('date', date, habits.timezone)) + HALF_DAY_MS)
  const { date: name, start, end } = daysAround(noon, habits, 1).today
  return { date: name, from: start, until: end, isToday: name === today.date }
}

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

/** Returns the working hours of the day as instants, and the free time in them. */
const toWorkingDay = ({ date }: Day, habits: Habits, events: readonly BriefingEvent[]) => {
  const weekday = WEEKDAYS[new Date(`${date}T12:00:00Z`).getUTCDay()]
  const hours = habits.workingHours
    .filter(({ day }) => day === weekday)
    .toSorted((a, b) => a.start.localeCompare(b.start))
    .map(({ start, end }) => ({
      start: toInstantAt(date, start, habits),
      end: toInstantAt(date, end, habits),
    }))
  const busy = events
    .filter((event) => event.busy)
    .map(({ start, end }) => [Date.parse(start), Date.parse(end)] as const)
    .toSorted((a, b) => a[0] - b[0])
  const free = hours.reduce(
    (sum, { start, end }) => sum + countFree(Date.parse(start), Date.parse(end), busy),
    0,
  )
  return {
    isWorkingDay: hours.length > 0,
    hours,
    freeMinutes: Math.floor(free / 60_000),
  }
}

const toInstantAt = (date: string, clock: string, { timezone }: Habits): string =>
  new Date(toInstant(Date.parse(`${date}T${clock}:00Z`), timezone)).toISOString()

const countFree = (from: number, until: number, busy: readonly (readonly [number, number])[]): number => {
  let [free, at] = [0, from]
  for (const [start, end] of busy) {
    if (start > at) free += Math.max(0, Math.min(start, until) - at)
    at = Math.max(at, end)
  }
  return free + Math.max(0, until - Math.max(at, from))
}

const MAX_CONFLICTS = 20

interface Conflict {
  start: string
  end: string
  events: { id: number; title: string }[]
}

/** Finds pairs of overlapping events. Ignores all-day events. */
const findConflicts = (events: readonly BriefingEvent[]): Conflict[] => {
  const timed = events.filter(({ busy, allDay }) => busy && !allDay)
  const found: Conflict[] = []
  for (const [index, one] of timed.entries())
    for (const other of timed.slice(index + 1)) {
      // Events are ordered by start.
      if (other.start >= one.end || found.length >= MAX_CONFLICTS) break
      found.push({
        start: other.start,
        end: other.end < one.end ? other.end : one.end,
        events: [one, other].map(({ id, title }) => ({ id, title })),
      })
    }
  return found
}

interface BriefingContent {
  events?: BriefingEvent[]
  conflicts?: Conflict[]
  due?: BriefingTask[]
  overdue?: BriefingTask[]
  waiting?: UnansweredMail[]
  commitments?: BriefingCommitment[]
}

const many = (count: number, one: string, more: string): string => `${count} ${count === 1 ? one : more}`
const displayName = ({ name, address }: Person): string => name || address || 'someone'
const joinNames = (names: readonly string[]): string => {
  const [first = '', second = '', ...rest] = [...new Set(names)]
  if (second === '') return first
  return rest.length === 0
    ? `${first} and ${second}`
    : `${first}, ${second} and ${many(rest.length, 'other', 'others')}`
}

/** Mentions only subjects that the scopes of the token cover. */
const describeEmpty = ({ events, due, waiting }: BriefingContent): string => {
  const seen = [
    ...(events ? ['nothing is planned'] : []),
    ...(due ? ['nothing is due'] : []),
    ...(waiting ? ['nobody is waiting for a reply'] : []),
  ]
  if (seen.length === 0) return 'This token has no access to calendar, tasks or mail.'
  const said = seen.length === 3 ? `${seen.slice(0, 2).join(', ')}, and ${seen[2]}` : seen.join(', and ')
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}.`
}

/** Mentions the promises that are due on the day or earlier. */
const describeCommitments = (commitments: readonly BriefingCommitment[], { until }: Day): string[] => {
  const due = commitments.filter(({ dueAt }) => dueAt !== null && dueAt < until)
  const to = (by: BriefingCommitment['by']): string[] =>
    due.filter((promise) => promise.by === by).map(({ who }) => displayName(who))
  const [mine, theirs] = [to('me'), to('them')]
  return [
    ...(mine.length > 0 ? [`${many(mine.length, 'promise', 'promises')} to ${joinNames(mine)} due.`] : []),
    ...(theirs.length > 0 ? [`You are waiting for ${joinNames(theirs)}.`] : []),
  ]
}

/** Writes the briefing as text. */
const createFormatter = (timezone: string, day: Day) => {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, hour: '2-digit', minute: '2-digit' })
  const date = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
  })
  const inFull = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', dateStyle: 'full' })
  const at = (instant: string): string => clock.format(new Date(instant))
  const on = (instant: string): string => date.format(new Date(instant))
  /** Does not print times that belong to another day. */
  const hours = ({ start, end, allDay }: BriefingEvent): string =>
    allDay || (start <= day.from && end >= day.until)
      ? 'all day'
      : `${start < day.from ? '…' : at(start)}–${end > day.until ? '…' : at(end)}`

  const describeEvents = (events: readonly BriefingEvent[]): string[] => {
    if (events.length === 0) return ['Your calendar is empty.']
    const first = events.find(({ allDay, start }) => !allDay && start >= day.from)
    return [
      `${many(events.length, 'event is', 'events are')} in the calendar${first ? `, the first at ${at(first.start)}: ${first.title}` : ''}.`,
    ]
  }

  const describeCommitment = ({ who, text, dueAt, isOverdue }: BriefingCommitment): string => {
    const due = dueAt === null ? '' : ` (${isOverdue ? 'since ' : ''}${on(dueAt)})`
    return `${displayName(who)}: ${text}${due}`
  }

  return {
    summary(
      { events, conflicts = [], due, overdue = [], waiting = [], commitments = [] }: BriefingContent,
      isMore = { due: false, overdue: false },
    ): string {
      const tasks = (count: number, isCut: boolean): string =>
        `${isCut ? 'more than ' : ''}${many(count, 'task is', 'tasks are')}`
      return [
        ...(events ? describeEvents(events) : []),
        ...(conflicts.length > 0 ? [`${many(conflicts.length, 'conflict', 'conflicts')} among them.`] : []),
        ...(due && due.length + overdue.length > 0
          ? [
              [
                ...(due.length > 0 ? [`${tasks(due.length, isMore.due)} due`] : []),
                ...(overdue.length > 0 ? [`${tasks(overdue.length, isMore.overdue)} overdue`] : []),
              ]
                .join(', ')
                .replace(/^more/, 'More')
                .concat('.'),
            ]
          : []),
        ...(waiting.length > 0
          ? [
              `${joinNames(waiting.map(({ from }) => displayName(from)))} ${new Set(waiting.map(({ from }) => displayName(from))).size === 1 ? 'waits' : 'wait'} for an answer.`,
            ]
          : []),
        ...describeCommitments(commitments, day),
      ].join(' ')
    },

    text(content: BriefingContent): string {
      const { events = [], conflicts = [], due = [], overdue = [], waiting = [], commitments = [] } = content
      const part = (heading: string, lines: readonly string[]): string[] =>
        lines.length === 0 ? [] : [[heading, ...lines.map((line) => `- ${line}`)].join('\n')]
      const parts = [
        ...part(
          'In the calendar',
          events.map(
            (event) => `${hours(event)} ${event.title}${event.location ? ` (${event.location})` : ''}`,
          ),
        ),
        ...part(
          'Conflicts',
          conflicts.map(
            ({ start, end, events: both }) =>
              `${at(start)}–${at(end)} ${both.map(({ title }) => title).join(' and ')}`,
          ),
        ),
        ...part(
          'Due',
          due.map(({ title }) => title),
        ),
        ...part(
          'Overdue',
          overdue.map(({ title, dueAt }) => `${title} (since ${on(dueAt)})`),
        ),
        ...part(
          'Waiting for your reply',
          waiting.map(
            ({ from, subject, asks }) => `${displayName(from)}, ${subject || 'no subject'}: ${asks[0] ?? ''}`,
          ),
        ),
        ...part('You promised', commitments.filter(({ by }) => by === 'me').map(describeCommitment)),
        ...part('Waiting for', commitments.filter(({ by }) => by === 'them').map(describeCommitment)),
      ]
      const heading = inFull.format(new Date(`${day.date}T12:00:00Z`))
      return [heading, ...(parts.length === 0 ? [describeEmpty(content)] : parts)].join('\n\n')
    },
  }
}

/** The features that a briefing reads. */
export interface BriefingNeeds {
  preferences: { get(userId: number): Promise<Habits> }
  calendar: { briefed: EventSource }
  tasks: { briefed: TaskSource }
  mail: { briefed: MailSource }
  commitments: { briefed: CommitmentSource }
  mailLogins: { addressesOf: CorrespondenceDeps['ownAddresses'] }
  analyzeMail: AnalyzeMail
}

export type Briefing = ReturnType<typeof createBriefing>

/** Drops the other fields of an event: the assistant passes a briefing to language models. */
const toBriefedEvent = (event: BriefingEvent): BriefingEvent =>
  Object.fromEntries(
    Object.keys(BriefingEvent.properties).map((name) => [name, event[name as keyof BriefingEvent]]),
  ) as BriefingEvent

/** Builds the daily briefing from calendar, tasks and mail. */
export const createBriefing = ({ clock }: Platform, features: BriefingNeeds) => {
  const { preferences: habits, calendar, tasks, mail, commitments, mailLogins, analyzeMail } = features
  const correspondence = createCorrespondence({
    source: mail.briefed,
    ownAddresses: mailLogins.addressesOf,
    analyzeMail,
  })
  return {
    async of(caller: Caller, date: string | undefined) {
      const now = clock.now()
      const userId = userIdOf(caller)
      const preferences = await habits.get(userId)
      const day = resolveDay(date, now, preferences)
      const dayEvents = hasScope(caller, 'calendar:read')
        ? (await calendar.briefed(userId, day)).map(toBriefedEvent)
        : undefined
      const { isMore, ...work } = hasScope(caller, 'tasks:read') ? await tasks.briefed(userId, day) : {}
      const mailContent = hasScope(caller, 'mail:read')
        ? {
            ...(await correspondence(userId, day, now.toISOString(), preferences.timezone)),
            commitments: await commitments.briefed(userId, day),
          }
        : undefined
      const content: BriefingContent = {
        ...(dayEvents && { events: dayEvents, conflicts: findConflicts(dayEvents) }),
        ...work,
        ...mailContent,
      }
      const formatter = createFormatter(preferences.timezone, day)
      return {
        date: day.date,
        timezone: preferences.timezone,
        generatedAt: now.toISOString(),
        isToday: day.isToday,
        isEmpty: Object.values(content).every((list) => list.length === 0),
        summary: formatter.summary(content, isMore),
        text: formatter.text(content),
        ...(dayEvents && { workingDay: toWorkingDay(day, preferences, dayEvents) }),
        ...content,
      }
    },
  }
}
