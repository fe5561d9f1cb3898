import type { Db } from '../../../database/db.ts'
import type { EventFigures, Period, Reader } from '../../dashboard/dashboard.ts'
import { everythingIn, lookThrough } from './window.ts'

/** How things stand in the calendar. What was cancelled does not count; a day has what starts on it. */
export const createEventFigures =
  (db: Db): Reader<EventFigures> =>
  async ({ now, today, next7Days, days }: Period) => {
    const counted = [today, next7Days, ...days].map(({ start, end }) => ({ start, end, count: 0 }))
    const from = counted.map(({ start }) => start).sort()[0] as string
    const until = counted
      .map(({ end }) => end)
      .sort()
      .at(-1) as string
    for await (const { start } of everythingIn(db, { from, until, among: 'standing' }))
      for (const stretch of counted) if (start >= stretch.start && start < stretch.end) stretch.count++
    const [inToday, inNext7Days, ...perDay] = counted.map(({ count }) => count)
    return {
      figures: { today: inToday ?? 0, next7Days: inNext7Days ?? 0, next: await findNext(db, now, until) },
      perDay,
    }
  }

/** What starts next, within the time that figures are told of. */
const findNext = async (db: Db, now: string, until: string): Promise<EventFigures['next']> => {
  const [next] = await lookThrough(db, {
    expanded: true,
    from: now,
    until,
    among: 'standing',
    after: [now, Number.MAX_SAFE_INTEGER],
    limit: 1,
  })
  if (!next) return null
  const { title, allDay, timezone } = JSON.parse(`{${next.shown}`) as {
    title: string
    allDay: boolean
    timezone: string
  }
  return { id: next.seriesId ?? next.id, title, start: next.start, end: next.end, allDay, timezone }
}
