import type { Db } from '../../../database/db.ts'
import { toWall } from '../../../nlu/time-zones.ts'
import { createYielder } from '../../../platform/yield.ts'
import type { EventFigures, Period, Reader } from '../../dashboard/dashboard.ts'
import { type EventSource, type EventStatus, SOURCES, STATUSES, toEvent } from '../event.ts'
import { countStarts, type StatisticsRow } from './repository.ts'
import { createHeap, listWindow, streamUnstoredStarts } from './window.ts'

/** Limits counting for series that recur every few minutes. */
const MOST_UNSTORED = 20_000

/**
 * Counts events for the dashboard, without cancelled ones. An event counts on the day it starts. The database
 * counts stored occurrences; others are counted one by one, up to `MOST_UNSTORED`.
 */
export const createEventFigures =
  (db: Db): Reader<EventFigures> =>
  async ({ now, today, next7Days, days }: Period) => {
    const ranges = [today, next7Days, ...days]
    const counts = await countStarts(db, ranges)
    const from = ranges.map(({ start }) => start).sort()[0] as string
    const until = ranges
      .map(({ end }) => end)
      .sort()
      .at(-1) as string
    const breathe = createYielder()
    let unstored = 0
    for await (const start of streamUnstoredStarts(db, { from, until, among: 'active' })) {
      if (++unstored > MOST_UNSTORED) break
      ranges.forEach((range, index) => {
        if (start >= range.start && start < range.end) counts[index] = (counts[index] ?? 0) + 1
      })
      await breathe()
    }
    const [inToday = 0, inNext7Days = 0, ...perDay] = counts
    return {
      figures: { today: inToday, next7Days: inNext7Days, next: await findNext(db, now, until) },
      perDay,
    }
  }

/** Finds the next event that starts within the dashboard's period. */
const findNext = async (db: Db, now: string, until: string): Promise<EventFigures['next']> => {
  const [next] = await listWindow(db, {
    expanded: true,
    from: now,
    until,
    among: 'active',
    after: [now, Number.MAX_SAFE_INTEGER],
    limit: 1,
  })
  if (!next) return null
  const { id, title, start, end, allDay, timezone } = toEvent(next, next.occurrenceStart)
  return { id, title, start, end, allDay, timezone }
}

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

const zeros = <K extends string>(names: readonly K[]): Record<K, number> =>
  Object.fromEntries(names.map((name) => [name, 0])) as Record<K, number>

const round = (value: number): number => Math.round(value * 100) / 100

/** Collects statistics of a window. Add events in the order of their starts. */
export const createTally = (window: { from: number; until: number }, timezone: string) => {
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
      // 1 January 1970 was a Thursday; Monday is 0.
      count(byWeekday, (((Math.floor(wall / DAY_MS) + 3) % 7) + 7) % 7)
      if (row.allDay === 0) {
        timed++
        spentMs += Math.min(end, window.until) - Math.max(start, window.from)
        count(byHour, Math.floor((((wall % DAY_MS) + DAY_MS) % DAY_MS) / HOUR_MS))
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
