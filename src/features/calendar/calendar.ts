import type { Db } from '../../database/db.ts'
import { toInstant, toWall } from '../../nlu/time-zones.ts'
import type { Clock } from '../../platform/clock.ts'
import { invalidField } from '../../platform/errors.ts'
import { pageOf, readCursor } from '../../platform/http/etag.ts'
import type { WorkingHours } from '../auth/accounts.ts'
import { isoOf, readMoment } from './times.ts'
import { freeTime, type TimeRange, workingTime } from './windows/free-time.ts'
import { createTally } from './windows/statistics.ts'
import { streamWindow } from './windows/window.ts'

const DAY_MS = 86_400_000
const LONGEST_DAYS = 366

export interface Habits {
  timezone: string
  workingHours: WorkingHours[]
}

export type Calendar = ReturnType<typeof createCalendar>

/** Answers questions about a period: free time and statistics. */
export const createCalendar = (deps: { db: Db; clock: Clock; habits: () => Promise<Habits> }) => {
  const { db, clock, habits } = deps

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
    if (Date.parse(until) - Date.parse(from) > LONGEST_DAYS * DAY_MS)
      throw invalidField('end', `must be within ${LONGEST_DAYS} days of the start`)
  }

  /** Lists busy times, ordered by start. */
  const busyBetween = async (
    from: string,
    until: string,
    { tentative }: { tentative: 'busy' | 'free' } = { tentative: 'busy' },
  ): Promise<TimeRange[]> => {
    const taken: TimeRange[] = []
    for await (const row of streamWindow(db, { from, until, among: 'busy' }))
      if (tentative === 'busy' || row.status !== 'tentative')
        taken.push({ from: Date.parse(row.start), until: Date.parse(row.end) })
    return taken
  }

  return {
    busyBetween,

    async stats(query: { start?: string | undefined; end?: string | undefined }) {
      const { timezone } = await habits()
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
      for await (const row of streamWindow(db, { from: start, until: end })) tally.add(row)
      return { start, end, timezone, ...tally.result() }
    },

    async free(query: {
      start?: string | undefined
      end?: string | undefined
      minutes: number
      buffer: number
      tentative: 'busy' | 'free'
      limit: number
      cursor?: string | undefined
    }) {
      const { timezone, workingHours } = await habits()
      const now = clock.now().toISOString()
      const from = query.start === undefined ? now : readMoment('start', query.start, timezone)
      const until =
        query.end === undefined
          ? isoOf(Date.parse(from) + 7 * DAY_MS)
          : readMoment('end', query.end, timezone)
      requireWindow(from, until)
      const [after] = readCursor(query.cursor, 'instant') ?? []
      const margin = query.buffer * 60_000
      const around = [isoOf(Date.parse(from) - margin), isoOf(Date.parse(until) + margin)] as const
      const taken = await busyBetween(...around, query)
      const open = workingTime(workingHours, timezone, { from: Date.parse(from), until: Date.parse(until) })
      const slots = freeTime(open, taken, query)
        .map((slot) => ({
          start: isoOf(slot.from),
          end: isoOf(slot.until),
          minutes: Math.floor((slot.until - slot.from) / 60_000),
        }))
        .filter(({ start }) => after === undefined || start > after)
        .take(query.limit + 1)
        .toArray()
      const { page, nextCursor } = pageOf(slots, query.limit, (slot) => [slot.start])
      return { timezone, slots: page, nextCursor }
    },
  }
}
