import type { Db } from '../../database/db.ts'
import type { Clock } from '../../platform/clock.ts'
import type { PreferenceRules } from '../settings/profile/preferences.ts'
import { FIRST_CLOSED, placeAt } from './place.ts'
import { countCompleted, countPlaced } from './store.ts'
import { dayNumberAt, startOfDay, weekdayOf } from './working-time.ts'

const DAYS = 14
const DAY_MS = 86_400_000

const text = (ms: number): string => new Date(ms).toISOString()

/** How things stand with tasks, in days of the instance's time zone: each figure a stretch of one index. */
export const createTaskStatistics =
  (deps: { db: Db; clock: Clock; preferences: Pick<PreferenceRules, 'ofInstance'> }) => async () => {
    const { db } = deps
    const { timezone, weekStart } = await deps.preferences.ofInstance()
    const now = deps.clock.now().getTime()
    const today = dayNumberAt(now, timezone)
    const startOf = (day: number): number => startOfDay(day, timezone)
    let monday = today
    while (weekdayOf(monday) !== weekStart) monday--
    const days = Array.from({ length: DAYS }, (_, index) => today - DAYS + 1 + index)
    const since = [startOf(monday), ...days.map(startOf)]
    const until = [startOf(today + 1), ...days.map((day) => startOf(day + 1))]
    const [completedThisWeek = 0, ...completed] = await countCompleted(
      db,
      since.map((from, index) => ({ from: text(from), to: text(until[index] as number) })),
    )
    return {
      open: await countPlaced(db, null, FIRST_CLOSED),
      overdue: await countPlaced(db, null, placeAt(now)),
      dueToday: await countPlaced(db, placeAt(startOf(today)), placeAt(startOf(today + 1))),
      completedThisWeek,
      completedByDay: days.map((day, index) => ({
        date: text(day * DAY_MS).slice(0, 10),
        completed: completed[index] ?? 0,
      })),
    }
  }
