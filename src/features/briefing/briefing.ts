import { toInstant } from '../../nlu/time-zones.ts'
import { type Caller, covers, type Scope } from '../../platform/access/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import { daysAround, readInstant } from '../../platform/time.ts'
import type { WorkingHours } from '../auth/accounts.ts'
import {
  type CorrespondenceDeps,
  createCorrespondence,
  type Promised,
  type UnansweredMail,
} from './correspondence.ts'
import { BriefedEvent } from './schema.ts'
import type { BriefedTask, EventSource, MailSource, Person, TaskSource } from './sources.ts'

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
const toWorkingDay = ({ date }: Day, habits: Habits, events: readonly BriefedEvent[]) => {
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
const findConflicts = (events: readonly BriefedEvent[]): Conflict[] => {
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
  events?: BriefedEvent[]
  conflicts?: Conflict[]
  due?: BriefedTask[]
  overdue?: BriefedTask[]
  waiting?: UnansweredMail[]
  promises?: Promised[]
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
  const hours = ({ start, end, allDay }: BriefedEvent): string =>
    allDay || (start <= day.from && end >= day.until)
      ? 'all day'
      : `${start < day.from ? '…' : at(start)}–${end > day.until ? '…' : at(end)}`

  const describeEvents = (events: readonly BriefedEvent[]): string[] => {
    if (events.length === 0) return ['Your calendar is empty.']
    const first = events.find(({ allDay, start }) => !allDay && start >= day.from)
    return [
      `${many(events.length, 'event is', 'events are')} in the calendar${first ? `, the first at ${at(first.start)}: ${first.title}` : ''}.`,
    ]
  }

  return {
    summary(
      { events, conflicts = [], due, overdue = [], waiting = [], promises = [] }: BriefingContent,
      isMore = { due: false, overdue: false },
    ): string {
      const tasks = (count: number, isCut: boolean): string =>
        `${isCut ? 'more than ' : ''}${many(count, 'task is', 'tasks are')}`
      const soon = promises.filter(({ dueAt }) => dueAt !== null && dueAt < day.until)
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
        ...(soon.length > 0 ? [`${many(soon.length, 'promise is', 'promises are')} due.`] : []),
      ].join(' ')
    },

    text(content: BriefingContent): string {
      const { events = [], conflicts = [], due = [], overdue = [], waiting = [], promises = [] } = content
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
        ...part(
          'Promised',
          promises.map(
            ({ by, who, text, dueAt }) =>
              `${by === 'me' ? `You to ${displayName(who)}` : displayName(who)}: ${text}${dueAt ? ` (${on(dueAt)})` : ''}`,
          ),
        ),
      ]
      const heading = inFull.format(new Date(`${day.date}T12:00:00Z`))
      return [heading, ...(parts.length === 0 ? [describeEmpty(content)] : parts)].join('\n\n')
    },
  }
}

export interface BriefingDeps {
  clock: Clock
  habits: () => Promise<Habits>
  events: EventSource
  tasks: TaskSource
  mail: MailSource
  ownAddresses: CorrespondenceDeps['ownAddresses']
  analyzeMail: CorrespondenceDeps['analyzeMail']
}

/** A token sees what its scopes cover; a person sees everything. */
const mayRead = (caller: Caller, scope: Scope): boolean =>
  caller.kind !== 'token' || covers(caller.scopes, scope)

export type Briefing = ReturnType<typeof createBriefing>

/** Drops the other fields of an event: the assistant passes a briefing to language models. */
const toBriefedEvent = (event: BriefedEvent): BriefedEvent =>
  Object.fromEntries(
    Object.keys(BriefedEvent.properties).map((name) => [name, event[name as keyof BriefedEvent]]),
  ) as BriefedEvent

/** Builds the daily briefing from calendar, tasks and mail. */
export const createBriefing = (deps: BriefingDeps) => {
  const { clock, habits, events, tasks, mail, ownAddresses, analyzeMail } = deps
  const correspondence = createCorrespondence({ source: mail, ownAddresses, analyzeMail })
  return {
    async of(caller: Caller, date: string | undefined) {
      const now = clock.now()
      const preferences = await habits()
      const day = resolveDay(date, now, preferences)
      const dayEvents = mayRead(caller, 'calendar:read') ? (await events(day)).map(toBriefedEvent) : undefined
      const { isMore, ...work } = mayRead(caller, 'tasks:read') ? await tasks(day) : {}
      const mailContent = mayRead(caller, 'mail:read')
        ? await correspondence(day, now.toISOString(), preferences.timezone)
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
