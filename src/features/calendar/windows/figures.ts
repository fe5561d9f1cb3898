import type { Db } from '../../../database/db.ts'
import { createBreather } from '../../../platform/breather.ts'
import type { EventFigures, Period, Reader } from '../../dashboard/dashboard.ts'
import { lookThrough, looseStartsIn } from './window.ts'
import { countStarts } from './window-store.ts'

/** A few series that recur every five minutes have more occurrences than anybody counts. */
const MOST_LOOSE = 20_000

/**
 * How things stand in the calendar. What was cancelled does not count; a day has what starts on it. Stored
 * occurrences are counted by the database, the others one by one and no further than `MOST_LOOSE`.
 */
export const createEventFigures =
  (db: Db): Reader<EventFigures> =>
  async ({ now, today, next7Days, days }: Period) => {
    const stretches = [today, next7Days, ...days]
    const counts = await countStarts(db, stretches)
    const from = stretches.map(({ start }) => start).sort()[0] as string
    const until = stretches
      .map(({ end }) => end)
      .sort()
      .at(-1) as string
    const breathe = createBreather()
    let loose = 0
    for await (const start of looseStartsIn(db, { from, until, among: 'standing' })) {
      if (++loose > MOST_LOOSE) break
      stretches.forEach((stretch, index) => {
        if (start >= stretch.start && start < stretch.end) counts[index] = (counts[index] ?? 0) + 1
      })
      await breathe()
    }
    const [inToday = 0, inNext7Days = 0, ...perDay] = counts
    return {
      figures: { today: inToday, next7Days: inNext7Days, next: await findNext(db, now, until) },
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
