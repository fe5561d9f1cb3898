import type { Db } from '../../database/db.ts'
import { invalidField } from '../../platform/errors.ts'
import { pageOf, readCursor } from '../../platform/http/etag.ts'
import type { Platform } from '../../platform/platform.ts'
import { createYielder } from '../../platform/yield.ts'
import { modulo, weekdayOf } from '../../recurrence/days.ts'
import { toInstant, toWall } from '../../recurrence/time-zones.ts'
import type { WorkingHours } from '../auth/working-hours.ts'
import type { EventFigures, Period, Reader } from '../dashboard/dashboard.ts'
import type { HistoryReader, MeetingHistory } from '../dashboard/history.ts'
import { type EventSource, type EventStatus, SOURCES, STATUSES, toEvent } from './event.ts'
import {
  byFrom,
  freeTime,
  isWithin,
  type TimeRange,
  toBusyRange,
  toSlot,
  widenByBuffers,
  workingTime,
} from './free-time.ts'
import type { FreeQuery, StatsQuery } from './schema.ts'
import { isoOf, readMoment } from './times.ts'
import { countStarts, type StatisticsRow } from './windows/repository.ts'
import { createHeap, listWindow, streamUnstoredStarts, streamWindow } from './windows/window.ts'

const DAY_MS = 86_400_000
const MAX_DAYS = 366

export interface Habits {
  timezone: string
  locale: string
  workingHours: WorkingHours[]
}

export type Calendar = ReturnType<typeof createCalendar>

/** Answers questions about a period: free time and statistics. */
export const createCalendar = ({
  db,
  clock,
  habitsOf,
}: Pick<Platform, 'db' | 'clock'> & {
  habitsOf: (userId: number) => Promise<Habits>
}) => {
  /** Returns midnight at the start of this month and of the next. */
  const thisMonth = (timezone: string): [string, string] => {
    const wall = new Date(toWall(clock.now().getTime(), timezone))
    const [year, month] = [wall.getUTCFullYear(), wall.getUTCMonth()]
    return [
      isoOf(toInstant(Date.UTC(year, month, 1), timezone)),
      isoOf(toInstant(Date.UTC(year, month + 1, 1), timezone)),
    ]
  }

  const requireWindow = (from: string, until: string): void => {
    if (until <= from) throw invalidField('end', 'must be after the start')
    if (Date.parse(until) - Date.parse(from) > MAX_DAYS * DAY_MS)
      throw invalidField('end', `must be within ${MAX_DAYS} days of the start`)
  }

  /** Lists busy times with their buffers, ordered by start. */
  const busyBetween = async (
    userId: number,
    from: string,
    until: string,
    { tentative = 'busy', exceptId }: { tentative?: 'busy' | 'free'; exceptId?: number | undefined } = {},
  ): Promise<TimeRange[]> => {
    const taken: TimeRange[] = []
    for await (const row of streamWindow(db, userId, {
      ...widenByBuffers({ from, until }),
      among: 'busy',
      originals: true,
      as: 'bare',
    }))
      if ((tentative === 'busy' || row.status !== 'tentative') && (row.seriesId ?? row.id) !== exceptId)
        taken.push(toBusyRange(row))
    return taken.filter(isWithin({ from, until })).sort(byFrom)
  }

  /** Reads a period that starts now by default, and lasts a week. */
  const readPeriod = async (
    userId: number,
    query: { start?: string | undefined; end?: string | undefined },
  ) => {
    const { timezone, workingHours } = await habitsOf(userId)
    const from =
      query.start === undefined ? clock.now().toISOString() : readMoment('start', query.start, timezone)
    const until =
      query.end === undefined ? isoOf(Date.parse(from) + 7 * DAY_MS) : readMoment('end', query.end, timezone)
    requireWindow(from, until)
    return { from, until, timezone, workingHours }
  }

  return {
    busyBetween,
    readPeriod,

    async stats(userId: number, query: StatsQuery) {
      const { timezone } = await habitsOf(userId)
      const [monthStart, monthEnd] = thisMonth(timezone)
      const start = query.start === undefined ? monthStart : readMoment('start', query.start, timezone)
      const end =
        query.end !== undefined
          ? readMoment('end', query.end, timezone)
          : query.start === undefined
            ? monthEnd
            : isoOf(Date.parse(start) + 31 * DAY_MS)
      requireWindow(start, end)
      const tally = createTally({ from: Date.parse(start), until: Date.parse(end) }, timezone)
      for await (const row of streamWindow(db, userId, {
        from: start,
        until: end,
        originals: true,
        as: 'bare',
      }))
        tally.add(row)
      return { start, end, timezone, ...tally.result() }
    },

    async free(userId: number, query: FreeQuery) {
      const { from, until, timezone, workingHours } = await readPeriod(userId, query)
      const [after] = readCursor(query.cursor, 'instant') ?? []
      const margin = query.buffer * 60_000
      const around = [isoOf(Date.parse(from) - margin), isoOf(Date.parse(until) + margin)] as const
      const taken = await busyBetween(userId, ...around, query)
      const open = workingTime(workingHours, timezone, { from: Date.parse(from), until: Date.parse(until) })
      const slots = freeTime(open, taken, query)
        .map((range) => ({ ...toSlot(range), minutes: Math.floor((range.until - range.from) / 60_000) }))
        .filter(({ start }) => after === undefined || start > after)
        .take(query.limit + 1)
        .toArray()
      const { page, nextCursor } = pageOf(slots, query.limit, (slot) => [slot.start])
      return { timezone, slots: page, nextCursor }
    },
  }
}

/** Limits counting for series that recur every few minutes. */
const MAX_UNSTORED = 20_000

/**
 * Counts events for the dashboard, without cancelled ones. An event counts on the day it starts. The database
 * counts stored occurrences; others are counted one by one, up to `MAX_UNSTORED`.
 */
export const createEventFigures =
  (db: Db): Reader<EventFigures> =>
  async (userId, { now, today, next7Days, days }: Period) => {
    const ranges = [today, next7Days, ...days]
    const counts = await countStarts(db, userId, ranges)
    const from = ranges.map(({ start }) => start).sort()[0] as string
    const until = ranges
      .map(({ end }) => end)
      .sort()
      .at(-1) as string
    const yieldIfNeeded = createYielder()
    let unstored = 0
    for await (const start of streamUnstoredStarts(db, userId, {
      from,
      until,
      among: 'active',
      originals: true,
    })) {
      if (++unstored > MAX_UNSTORED) break
      ranges.forEach((range, index) => {
        if (start >= range.start && start < range.end) counts[index] = (counts[index] ?? 0) + 1
      })
      await yieldIfNeeded()
    }
    const [inToday = 0, inNext7Days = 0, ...perDay] = counts
    return {
      figures: { today: inToday, next7Days: inNext7Days, next: await findNext(db, userId, now, until) },
      perDay,
    }
  }

/** Finds the next event that starts within the dashboard's period. */
const findNext = async (
  db: Db,
  userId: number,
  now: string,
  until: string,
): Promise<EventFigures['next']> => {
  const [next] = await listWindow(db, userId, {
    expanded: true,
    from: now,
    until,
    among: 'active',
    originals: true,
    after: [now, Number.MAX_SAFE_INTEGER],
    limit: 1,
  })
  if (!next) return null
  const { id, title, start, end, allDay, timezone } = toEvent(next, next.occurrenceStart)
  return { id, title, start, end, allDay, timezone }
}

const HOUR_MS = 3_600_000

const MAX_MEETINGS = 20_000
/** Planned time for a task has this tag. It is no meeting. */
const FOCUS_TAG = 'focus'

const isMeeting = ({ allDay, busy, tags }: StatisticsRow): boolean =>
  allDay === 0 && busy === 1 && !(JSON.parse(tags) as string[]).includes(FOCUS_TAG)

/**
 * Counts meetings for the history: busy events with a time, except planned work. A meeting counts where it
 * starts, and its hours count where they are. Reads at most `MAX_MEETINGS` occurrences.
 */
export const createMeetingHistory =
  (db: Db): HistoryReader<MeetingHistory> =>
  async (userId, intervals) => {
    const spans = intervals.map(({ start, end }) => ({ from: Date.parse(start), until: Date.parse(end) }))
    const counts = spans.map(() => ({ count: 0, ms: 0 }))
    const window = {
      from: isoOf(Math.min(...spans.map((span) => span.from))),
      until: isoOf(Math.max(...spans.map((span) => span.until))),
      among: 'busy',
      originals: true,
      as: 'bare',
    } as const
    let read = 0
    for await (const row of streamWindow(db, userId, window)) {
      if (++read > MAX_MEETINGS) break
      if (!isMeeting(row)) continue
      const [start, end] = [Date.parse(row.start), Date.parse(row.end)]
      for (const [index, span] of spans.entries()) {
        const counted = counts[index] as { count: number; ms: number }
        if (start >= span.from && start < span.until) counted.count++
        counted.ms += Math.max(0, Math.min(end, span.until) - Math.max(start, span.from))
      }
    }
    return counts.map(({ count, ms }) => ({ count, hours: round(ms / HOUR_MS) }))
  }

const zeros = <K extends string>(names: readonly K[]): Record<K, number> =>
  Object.fromEntries(names.map((name) => [name, 0])) as Record<K, number>

const round = (value: number): number => Math.round(value * 100) / 100

/** Collects statistics of a window. Add events in the order of their starts. */
const createTally = (window: { from: number; until: number }, timezone: string) => {
  const byStatus = zeros<EventStatus>(STATUSES)
  const bySource = zeros<EventSource>(SOURCES)
  const byWeekday = new Array<number>(7).fill(0)
  const byHour = new Array<number>(24).fill(0)
  let total = 0
  let timed = 0
  let spentMs = 0
  let conflicts = 0
  /** The ends of events that are still running. */
  const ends = createHeap()

  const count = (list: number[], place: number): void => {
    list[place] = (list[place] ?? 0) + 1
  }

  return {
    add(row: StatisticsRow): void {
      total++
      byStatus[row.status as EventStatus]++
      bySource[row.source as EventSource]++
      if (row.status === 'cancelled') return
      const [start, end] = [Date.parse(row.start), Date.parse(row.end)]
      const wall = toWall(start, timezone)
      count(byWeekday, weekdayOf(Math.floor(wall / DAY_MS)))
      if (row.allDay === 0) {
        timed++
        spentMs += Math.min(end, window.until) - Math.max(start, window.from)
        count(byHour, Math.floor(modulo(wall, DAY_MS) / HOUR_MS))
      }
      if (row.busy === 0) return
      while (ends.least() <= start) ends.removeLeast()
      conflicts += ends.size()
      ends.add(end)
    },
    result: () => ({
      total,
      byStatus,
      bySource,
      hours: round(spentMs / HOUR_MS),
      averageMinutes: timed === 0 ? 0 : round(spentMs / timed / 60_000),
      byWeekday,
      byHour,
      conflicts,
    }),
  }
}
