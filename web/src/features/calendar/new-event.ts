import type { Day, Moment } from './days.ts'
import { type Draft, newDraft } from './editor/draft.ts'
import { DEFAULT_HOURS, type NewEventRange } from './new-event-range.ts'

/** From this hour on, a one-hour event no longer fits into the day. */
const LAST_HOUR = 22

/** The next full hour on the current day, else 9 o'clock. Late in the evening it is the next morning. */
export const nextRange = (day: Day, now: Moment): NewEventRange => {
  if (!day.equals(now.toPlainDate())) return { allDay: false, day, ...DEFAULT_HOURS }
  if (now.hour >= LAST_HOUR) return { allDay: false, day: day.add({ days: 1 }), ...DEFAULT_HOURS }
  return { allDay: false, day, from: (now.hour + 1) * 60, to: (now.hour + 2) * 60 }
}

export const toDraft = (range: NewEventRange, timezone: string, calendarId: number | null): Draft =>
  range.allDay
    ? newDraft({ day: range.first, ...DEFAULT_HOURS }, { timezone, wholeDays: range.last, calendarId })
    : newDraft({ day: range.day, from: range.from, to: range.to }, { timezone, wholeDays: null, calendarId })
