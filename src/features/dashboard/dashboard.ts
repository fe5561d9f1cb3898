import { type Caller, covers, type Scope, userIdOf } from '../../platform/access/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import { pageOf, readCursor } from '../../platform/http/etag.ts'
import type { PageRequest } from '../../platform/http/shapes.ts'
import { daysAround, type Stretch } from '../../platform/time.ts'

/** Lists the tags that an account uses, in their original spelling. */
type UsedTags = (userId: number) => Promise<string[]>

export interface UsedTag {
  tag: string
  emails?: boolean
  tasks?: boolean
}

/** Tags that differ only in case or normalization are equal. */
const keyOf = (tag: string): string => tag.normalize('NFC').toLowerCase()

export type TagList = ReturnType<typeof createTagList>

/** Lists the tags of all features. A token sees the tags that its scopes cover. */
export const createTagList = (sources: { emails: UsedTags; tasks: UsedTags }) => {
  const read = async (
    caller: Caller,
    scope: Scope,
    used: UsedTags,
  ): Promise<Map<string, string> | undefined> =>
    caller.kind === 'token' && !covers(caller.scopes, scope)
      ? undefined
      : new Map((await used(userIdOf(caller))).map((tag) => [keyOf(tag), tag]))

  return async (caller: Caller, { limit, cursor }: PageRequest) => {
    const after = readCursor(cursor, 'text')?.[0]
    const emails = await read(caller, 'mail:read', sources.emails)
    const tasks = await read(caller, 'tasks:read', sources.tasks)
    // If both use the tag, the spelling in mail is returned.
    const all = [...new Map([...(tasks ?? []), ...(emails ?? [])])].sort(([a], [b]) => (a < b ? -1 : 1))
    const rest = after === undefined ? all : all.filter(([key]) => key > after)
    const { page, nextCursor } = pageOf(rest.slice(0, limit + 1), limit, ([key]) => [key])
    const tags = page.map(
      ([key, tag]): UsedTag => ({
        tag,
        ...(emails && { emails: emails.has(key) }),
        ...(tasks && { tasks: tasks.has(key) }),
      }),
    )
    return { tags, nextCursor }
  }
}

/** Time ranges of the statistics, in the timezone of the account. */
export interface Period {
  now: string
  today: Stretch
  /** The current week, starting on the configured weekday. */
  week: Stretch
  next7Days: Stretch
  /** Days of the activity chart, oldest first, ending today. */
  days: readonly Stretch[]
}

/** Reads the figures of an account in a feature and one number for each day of the period. */
export type Reader<F> = (userId: number, period: Period) => Promise<{ figures: F; perDay: readonly number[] }>

export interface EmailFigures {
  total: number
  unread: number
  urgent: number
  receivedToday: number
}
export interface TaskFigures {
  open: number
  overdue: number
  dueToday: number
  completedThisWeek: number
}
export interface EventFigures {
  today: number
  next7Days: number
  next: { id: number; title: string; start: string; end: string; allDay: boolean; timezone: string } | null
}
export interface BookingFigures {
  total: number
  lastSyncAt: string | null
}
export interface AiFigures {
  requests: number
  inputTokens: number
  outputTokens: number
  costUsd: number | null
}

export type EmailsReader = Reader<EmailFigures>

export interface DashboardDeps {
  clock: Clock
  preferences: (userId: number) => Promise<{ timezone: string; weekStart: string }>
  emails: EmailsReader
  /** Missing features count as zero. */
  tasks?: Reader<TaskFigures>
  events?: Reader<EventFigures>
  bookings?: (userId: number) => Promise<BookingFigures>
  ai?: (userId: number) => Promise<AiFigures>
}

const DAYS = 14

const nothing =
  <F>(figures: F): Reader<F> =>
  async (_userId, { days }) => ({ figures, perDay: days.map(() => 0) })
const noTasks = nothing<TaskFigures>({ open: 0, overdue: 0, dueToday: 0, completedThisWeek: 0 })
const noEvents = nothing<EventFigures>({ today: 0, next7Days: 0, next: null })
const noBookings = async (): Promise<BookingFigures> => ({ total: 0, lastSyncAt: null })
const noAi = async (): Promise<AiFigures> => ({ requests: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 })

/** A token sees what its scopes cover; a person sees everything. */
const mayRead = (caller: Caller, scope: Scope): boolean =>
  caller.kind !== 'token' || covers(caller.scopes, scope)

export type Dashboard = ReturnType<typeof createDashboard>

/** Collects the statistics of all features. */
export const createDashboard = (deps: DashboardDeps) => {
  const { clock, emails, tasks = noTasks, events = noEvents, bookings = noBookings, ai = noAi } = deps
  return {
    async read(caller: Caller) {
      const userId = userIdOf(caller)
      const period = daysAround(clock.now(), await deps.preferences(userId), DAYS)
      const only = async <T>(scope: Scope, read: () => Promise<T>): Promise<T | undefined> =>
        mayRead(caller, scope) ? read() : undefined
      const mail = await only('mail:read', () => emails(userId, period))
      const work = await only('tasks:read', () => tasks(userId, period))
      const calendar = await only('calendar:read', () => events(userId, period))
      const booked = await only('booking:read', () => bookings(userId))
      const spent = await only('ai:read', () => ai(userId))
      return {
        ...(mail && { emails: mail.figures }),
        ...(work && { tasks: work.figures }),
        ...(calendar && { events: calendar.figures }),
        ...(booked && { bookings: booked }),
        ...(spent && { ai: spent }),
        activity: period.days.map(({ date }, index) => ({
          date,
          ...(mail && { emailsReceived: mail.perDay[index] ?? 0 }),
          ...(work && { tasksCompleted: work.perDay[index] ?? 0 }),
          ...(calendar && { events: calendar.perDay[index] ?? 0 }),
        })),
      }
    },
  }
}
