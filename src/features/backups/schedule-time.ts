import { WEEKDAYS } from '../../platform/time.ts'
import { toInstant, toWall } from '../../recurrence/time-zones.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** The day number of Monday, 1970-01-05. */
const A_MONDAY = 4

/** Returns the next local time of a schedule after `now`. A time that daylight saving skips moves by its gap. */
export const nextRun = (
  now: Date,
  { frequency, weekday, time }: { frequency: string; weekday: string; time: string },
  timezone: string,
): Date => {
  const minutes = Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
  const today = Math.floor(toWall(now.getTime(), timezone) / DAY_MS)
  for (let day = today; ; day++) {
    const isDay = frequency === 'daily' || WEEKDAYS[(((day - A_MONDAY) % 7) + 7) % 7] === weekday
    const at = toInstant(day * DAY_MS + minutes * MINUTE_MS, timezone)
    if (isDay && at > now.getTime()) return new Date(at)
  }
}
