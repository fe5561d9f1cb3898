import type { Static } from 'typebox'
import { type Caller, hasScope, type Scope, userIdOf } from '../../platform/access/caller.ts'
import { invalidField } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import {
  addDays,
  daysAround,
  type Interval,
  readInstant,
  type Stretch,
  splitDays,
} from '../../platform/time.ts'
import type { historyFigures } from './schema.ts'

type Figures = typeof historyFigures
export type EmailHistory = Static<Figures['emails']>
export type MeetingHistory = Static<Figures['meetings']>
export type TaskHistory = Static<Figures['tasks']>
type AiHistory = Static<Figures['ai']>

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

/** The features that have a history. */
export interface HistoryNeeds {
  preferences: { get(userId: number): Promise<Zone> }
  mail: { history: HistoryReader<EmailHistory> }
  calendar: { history: HistoryReader<MeetingHistory> }
  tasks: { history: HistoryReader<TaskHistory> }
  /** Both days are included. */
  models: { usagePerDay: (userId: number, first: string, last: string) => Promise<readonly UsageDay[]> }
}

export interface HistoryRequest {
  from?: string | undefined
  to?: string | undefined
  interval: Interval
}

const DAY_MS = 86_400_000
const DEFAULT_DAYS = 30
const MAX_DAYS = 366
const MAX_INTERVALS = 100

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
export const createHistory = ({ clock }: Platform, features: HistoryNeeds) => {
  const readRange = ({ from, to, interval }: HistoryRequest, zone: Zone): Range => {
    // Rejects days that do not exist.
    for (const [name, day] of Object.entries({ from, to }))
      if (day !== undefined) readInstant(name, day, zone.timezone)
    const last = to ?? daysAround(clock.now(), zone, 1).today.date
    const first = from ?? addDays(last, 1 - DEFAULT_DAYS)
    if (last < first) throw invalidField('to', 'must not be before `from`')
    if (countDays(first, last) > MAX_DAYS)
      throw invalidField('from', `must be at most ${MAX_DAYS} days before the end`)
    const intervals = splitDays({ first, last, interval, most: MAX_INTERVALS }, zone)
    if (intervals.length > MAX_INTERVALS)
      throw invalidField('interval', `must split the range into at most ${MAX_INTERVALS} intervals`)
    return { first, last, intervals }
  }

  return async (caller: Caller, request: HistoryRequest) => {
    const userId = userIdOf(caller)
    const zone = await features.preferences.get(userId)
    const { first, last, intervals } = readRange(request, zone)
    const { start } = intervals[0] as Stretch
    const { end } = intervals.at(-1) as Stretch
    // The median of the whole range cannot be computed from those of its intervals.
    const measured = [...intervals, { date: first, start, end }]
    const only = async <T>(scope: Scope, read: () => Promise<readonly T[]>) =>
      hasScope(caller, scope) ? read() : undefined
    const emails = await only('mail:read', () => features.mail.history(userId, measured))
    const meetings = await only('calendar:read', () => features.calendar.history(userId, measured))
    const tasks = await only('tasks:read', () => features.tasks.history(userId, measured))
    const ai = await only('ai:read', async () =>
      sumIntervals(await features.models.usagePerDay(userId, first, last), intervals),
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
