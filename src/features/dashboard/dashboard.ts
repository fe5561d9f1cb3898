import type { Static } from 'typebox'
import { type Caller, hasScope, type Scope, userIdOf } from '../../platform/access/caller.ts'
import { pageOf, readCursor } from '../../platform/http/etag.ts'
import type { PageRequest } from '../../platform/http/shapes.ts'
import type { Platform } from '../../platform/platform.ts'
import { daysAround, type Stretch } from '../../platform/time.ts'
import type { Stats } from './schema.ts'

/** Lists the tags that an account uses, in their original spelling. */
type UsedTags = (userId: number) => Promise<string[]>

export interface UsedTag {
  tag: string
  emails?: boolean
  tasks?: boolean
}

/** Tags that differ only in case or normalization are equal. */
const keyOf = (tag: string): string => tag.normalize('NFC').toLowerCase()

export interface TagNeeds {
  mail: { usedTags: UsedTags }
  tasks: { usedTags: UsedTags }
}

export type TagList = ReturnType<typeof createTagList>

/** Lists the tags of all features. A token sees the tags that its scopes cover. */
export const createTagList = (sources: TagNeeds) => {
  const read = async (
    caller: Caller,
    scope: Scope,
    used: UsedTags,
  ): Promise<Map<string, string> | undefined> =>
    hasScope(caller, scope)
      ? new Map((await used(userIdOf(caller))).map((tag) => [keyOf(tag), tag]))
      : undefined

  return async (caller: Caller, { limit, cursor }: PageRequest) => {
    const after = readCursor(cursor, 'text')?.[0]
    const emails = await read(caller, 'mail:read', sources.mail.usedTags)
    const tasks = await read(caller, 'tasks:read', sources.tasks.usedTags)
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

type Figures = Required<Static<typeof Stats>>
export type EmailFigures = Figures['emails']
export type TaskFigures = Figures['tasks']
export type EventFigures = Figures['events']
export type BookingFigures = Figures['bookings']
type AiFigures = Figures['ai']

export type EmailsReader = Reader<EmailFigures>

/** The features that have figures. */
export interface DashboardNeeds {
  preferences: { get(userId: number): Promise<{ timezone: string; weekStart: string }> }
  mail: { figures: EmailsReader }
  tasks: { figures: Reader<TaskFigures> }
  calendar: { figures: Reader<EventFigures> }
  bookings: { figures: (userId: number) => Promise<BookingFigures> }
  models: { figures: (userId: number) => Promise<AiFigures> }
}

const DAYS = 14

export type Dashboard = ReturnType<typeof createDashboard>

/** Collects the statistics of all features. */
export const createDashboard = ({ clock }: Platform, features: DashboardNeeds) => ({
  async read(caller: Caller) {
    const userId = userIdOf(caller)
    const period = daysAround(clock.now(), await features.preferences.get(userId), DAYS)
    const only = async <T>(scope: Scope, read: () => Promise<T>): Promise<T | undefined> =>
      hasScope(caller, scope) ? read() : undefined
    const mail = await only('mail:read', () => features.mail.figures(userId, period))
    const work = await only('tasks:read', () => features.tasks.figures(userId, period))
    const calendar = await only('calendar:read', () => features.calendar.figures(userId, period))
    const booked = await only('booking:read', () => features.bookings.figures(userId))
    const spent = await only('ai:read', () => features.models.figures(userId))
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
})
