import * as compose from '#locale/mail-compose'
import * as t from '#locale/mail-later'
import { addDays, dayOf, toLocalTime } from '../../tasks/local-time.ts'

export const MORNING = '08:00'
const AFTERNOON = '13:00'
/** Later starts of “later today” would end at night. */
const LAST_HOUR = 20
const LATER_HOURS = 3
const WEEK = 7
const MONDAY = 1
const SATURDAY = 6

export interface Preset {
  label: string
  day: string
  time: string
}

/** The number of days until such a weekday, at least one. */
const daysUntil = (weekday: number, day: string): number =>
  (WEEK + weekday - new Date(`${day}T00:00:00Z`).getUTCDay()) % WEEK || WEEK

/** Usual times for sending. Monday is missing on Sunday, because tomorrow is Monday. */
export const listSendPresets = (now: Date, timeZone: string): Preset[] => {
  const today = dayOf(now, timeZone)
  const hour = toLocalTime(now, timeZone).slice(11)
  const untilMonday = daysUntil(MONDAY, today)
  return [
    ...(hour < AFTERNOON ? [{ label: compose.thisAfternoon, day: today, time: AFTERNOON }] : []),
    { label: compose.tomorrowMorning, day: addDays(today, 1), time: MORNING },
    ...(untilMonday > 1
      ? [{ label: compose.mondayMorning, day: addDays(today, untilMonday), time: MORNING }]
      : []),
  ]
}

/** Usual times of a snooze. Days that are tomorrow are listed once. */
export const listSnoozePresets = (now: Date, timeZone: string): Preset[] => {
  const today = dayOf(now, timeZone)
  const hour = Number(toLocalTime(now, timeZone).slice(11, 13)) + LATER_HOURS
  const [untilSaturday, untilMonday] = [daysUntil(SATURDAY, today), daysUntil(MONDAY, today)]
  return [
    ...(hour <= LAST_HOUR
      ? [{ label: t.laterToday, day: today, time: `${String(hour).padStart(2, '0')}:00` }]
      : []),
    { label: t.tomorrowMorning, day: addDays(today, 1), time: MORNING },
    // On weekends, this weekend is now.
    ...(untilSaturday > 1 && untilSaturday < WEEK - 1
      ? [{ label: t.thisWeekend, day: addDays(today, untilSaturday), time: MORNING }]
      : []),
    ...(untilMonday > 1 ? [{ label: t.nextWeek, day: addDays(today, untilMonday), time: MORNING }] : []),
  ]
}

/** Usual times to wait for an answer. */
export const listFollowUpPresets = (now: Date, timeZone: string): Preset[] => {
  const today = dayOf(now, timeZone)
  return [
    { label: t.tomorrowMorning, day: addDays(today, 1), time: MORNING },
    { label: t.inTwoDays, day: addDays(today, 2), time: MORNING },
    { label: t.inOneWeek, day: addDays(today, WEEK), time: MORNING },
  ]
}
