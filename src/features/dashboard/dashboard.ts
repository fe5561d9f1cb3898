import { type Caller, covers, type Scope } from '../../platform/access/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import { daysAround, type Stretch } from '../../platform/days.ts'

/** The time that figures are told of, in the zone of the instance. */
export interface Period {
  now: string
  today: Stretch
  /** From its first day, as the person counts weeks, to the end of the last. */
  week: Stretch
  next7Days: Stretch
  /** Each day that activity is told of, the oldest first, today last. */
  days: readonly Stretch[]
}

/** A room's figures, and one number for each day of the period. */
export type Reader<F> = (period: Period) => Promise<{ figures: F; perDay: readonly number[] }>

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
  preferences: () => Promise<{ timezone: string; weekStart: string }>
  emails: EmailsReader
  /** Rooms that there are not yet have nothing to tell. */
  tasks?: Reader<TaskFigures>
  events?: Reader<EventFigures>
  bookings?: () => Promise<BookingFigures>
  ai?: () => Promise<AiFigures>
}

const DAYS = 14

const nothing =
  <F>(figures: F): Reader<F> =>
  async ({ days }) => ({ figures, perDay: days.map(() => 0) })
const noTasks = nothing<TaskFigures>({ open: 0, overdue: 0, dueToday: 0, completedThisWeek: 0 })
const noEvents = nothing<EventFigures>({ today: 0, next7Days: 0, next: null })
const noBookings = async (): Promise<BookingFigures> => ({ total: 0, lastSyncAt: null })
const noAi = async (): Promise<AiFigures> => ({ requests: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 })

/** A token sees what its scopes cover; a person sees all. */
const mayRead = (caller: Caller, scope: Scope): boolean =>
  caller.kind !== 'token' || covers(caller.scopes, scope)

export type Dashboard = ReturnType<typeof createDashboard>

/** How things stand, over all rooms. */
export const createDashboard = (deps: DashboardDeps) => {
  const { clock, emails, tasks = noTasks, events = noEvents, bookings = noBookings, ai = noAi } = deps
  return {
    async read(caller: Caller) {
      const period = daysAround(clock.now(), await deps.preferences(), DAYS)
      const only = async <T>(scope: Scope, read: () => Promise<T>): Promise<T | undefined> =>
        mayRead(caller, scope) ? read() : undefined
      const mail = await only('mail:read', () => emails(period))
      const work = await only('tasks:read', () => tasks(period))
      const calendar = await only('calendar:read', () => events(period))
      const booked = await only('booking:read', bookings)
      const spent = await only('ai:read', ai)
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
