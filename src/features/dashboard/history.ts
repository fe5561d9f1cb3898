import { type Caller, covers, type Scope, userIdOf } from '../../platform/access/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import { invalidField } from '../../platform/errors.ts'
import { daysAround, type Interval, readInstant, type Stretch, splitDays } from '../../platform/time.ts'

export interface EmailHistory {
  received: number
  sent: number
  /** Sent emails that answer another person. */
  answered: number
  /** Null without replies. */
  medianReplyMinutes: number | null
}
export interface MeetingHistory {
  count: number
  hours: number
}
export interface TaskHistory {
  created: number
  completed: number
}
interface AiHistory {
  requests: number
  /** Null if a price is unknown. */
  costUsd: number | null
}

/** Measures each interval for an account. Intervals may overlap. */
export type HistoryReader<T> = (userId: number, intervals: readonly Stretch[]) => Promise<readonly T[]>

/** The usage of one day. Days without usage are missing. */
interface UsageDay {
  day: string
  requests: number
  costUsd: number
  /** The number of requests without a known price. */
  unpriced: number
}

interface Zone {
  timezone: string
  weekStart: string
}

export interface HistoryDeps {
  clock: Clock
  zoneOf: (userId: number) => Promise<Zone>
  emails: HistoryReader<EmailHistory>
  meetings: HistoryReader<MeetingHistory>
  tasks: HistoryReader<TaskHistory>
  /** Both days are included. */
  usagePerDay: (userId: number, first: string, last: string) => Promise<readonly UsageDay[]>
}

export interface HistoryRequest {
  from?: string | undefined
  to?: string | undefined
  interval: Interval
}

const DAY_MS = 86_400_000
const DEFAULT_DAYS = 30
const MOST_DAYS = 366
const MOST_INTERVALS = 100

/** A token sees what its scopes cover; a person sees everything. */
const mayRead = (caller: Caller, scope: Scope): boolean =>
  caller.kind !== 'token' || covers(caller.scopes, scope)

const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)

const countDays = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1

const sumUsage = (days: readonly UsageDay[]): AiHistory => {
  const sum = (field: 'requests' | 'costUsd' | 'unpriced'): number =>
    days.reduce((total, day) => total + day[field], 0)
  return {
    requests: sum('requests'),
    costUsd: sum('unpriced') > 0 ? null : sum('costUsd'),
  }
}

interface Range {
  first: string
  last: string
  intervals: readonly Stretch[]
}

/** Sums the usage of each interval, and of the whole range as the last entry. */
const sumIntervals = (days: readonly UsageDay[], intervals: readonly Stretch[]): AiHistory[] => {
  const parts = intervals.map(({ date }, index) => {
    const next = intervals[index + 1]?.date
    return sumUsage(days.filter(({ day }) => day >= date && (next === undefined || day < next)))
  })
  return [...parts, sumUsage(days)]
}

export type History = ReturnType<typeof createHistory>

/** Measures mail, meetings, tasks and AI usage over time. */
export const createHistory = (deps: HistoryDeps) => {
  const readRange = ({ from, to, interval }: HistoryRequest, zone: Zone): Range => {
    // Rejects days that do not exist.
    for (const [name, day] of Object.entries({ from, to }))
      if (day !== undefined) readInstant(name, day, zone.timezone)
    const last = to ?? daysAround(deps.clock.now(), zone, 1).today.date
    const first = from ?? addDays(last, 1 - DEFAULT_DAYS)
    if (last < first) throw invalidField('to', 'must not be before `from`')
    if (countDays(first, last) > MOST_DAYS)
      throw invalidField('from', `must be at most ${MOST_DAYS} days before the end`)
    const intervals = splitDays({ first, last, interval, most: MOST_INTERVALS }, zone)
    if (intervals.length > MOST_INTERVALS)
      throw invalidField('interval', `must split the range into at most ${MOST_INTERVALS} intervals`)
    return { first, last, intervals }
  }

  return async (caller: Caller, request: HistoryRequest) => {
    const userId = userIdOf(caller)
    const zone = await deps.zoneOf(userId)
    const { first, last, intervals } = readRange(request, zone)
    const { start } = intervals[0] as Stretch
    const { end } = intervals.at(-1) as Stretch
    // The median of the whole range cannot be computed from those of its intervals.
    const measured = [...intervals, { date: first, start, end }]
    const only = async <T>(scope: Scope, read: () => Promise<readonly T[]>) =>
      mayRead(caller, scope) ? read() : undefined
    const emails = await only('mail:read', () => deps.emails(userId, measured))
    const meetings = await only('calendar:read', () => deps.meetings(userId, measured))
    const tasks = await only('tasks:read', () => deps.tasks(userId, measured))
    const ai = await only('ai:read', async () =>
      sumIntervals(await deps.usagePerDay(userId, first, last), intervals),
    )
    const figuresAt = (index: number) => ({
      ...(emails && { emails: emails[index] as EmailHistory }),
      ...(meetings && { meetings: meetings[index] as MeetingHistory }),
      ...(tasks && { tasks: tasks[index] as TaskHistory }),
      ...(ai && { ai: ai[index] as AiHistory }),
    })
    return {
      timezone: zone.timezone,
      interval: request.interval,
      from: first,
      to: last,
      intervals: intervals.map(({ date }, index) => ({ date, ...figuresAt(index) })),
      totals: figuresAt(intervals.length),
    }
  }
}
