import { toWall } from '../../../engine/time-zones.ts'
import { type EventSource, type EventStatus, SOURCES, STATUSES } from '../event.ts'
import { createHeap } from './heap.ts'
import type { BareRow } from './window-store.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

const zeros = <K extends string>(names: readonly K[]): Record<K, number> =>
  Object.fromEntries(names.map((name) => [name, 0])) as Record<K, number>

const round = (value: number): number => Math.round(value * 100) / 100

/** Counts what happens in a window, event by event, in the order of their starts. */
export const createTally = (window: { from: number; until: number }, timezone: string) => {
  const byStatus = zeros<EventStatus>(STATUSES)
  const bySource = zeros<EventSource>(SOURCES)
  const byWeekday = new Array<number>(7).fill(0)
  const byHour = new Array<number>(24).fill(0)
  let total = 0
  let timed = 0
  let spentMs = 0
  let conflicts = 0
  /** When what is still going on ends. */
  const ends = createHeap()

  const count = (list: number[], place: number): void => {
    list[place] = (list[place] ?? 0) + 1
  }

  return {
    add(row: BareRow): void {
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
