import * as t from '#locale/calendar'
import { nameCalendar } from './calendars/calendar-access.ts'
import { type DayWords, daysBetween } from './days.ts'
import type { DisplayedEvent } from './displayed-event.ts'
import { listBuffers } from './reminder-text.ts'

/** Accessible name of an event: its title, days, times and other facts. */
export const describeEvent = (
  { event, calendar, first, last }: DisplayedEvent,
  words: DayWords,
  time: (at: string) => string,
  isUnanswered: boolean,
): string => {
  const facts = [
    event.title,
    daysBetween(first, last) === 0 ? words.long(first) : words.between(first, last),
    event.allDay ? t.allDayInLabel : t.timeRange({ start: time(event.start), end: time(event.end) }),
    ...listBuffers(event).map(t.bufferInLabel),
    isUnanswered && t.rsvps['needs-action'],
    event.status !== 'confirmed' && t.statuses[event.status],
    event.source === 'bookingsvc' && t.bookedInLabel,
    event.location !== '' && event.location,
    event.recurringEventId !== null && t.repeatsInLabel,
    // Screen readers do not announce the color of the calendar.
    calendar !== null && !calendar.isDefault && nameCalendar(calendar),
  ]
  return facts.filter(Boolean).join(', ')
}
