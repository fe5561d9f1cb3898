import { type Day, type DayWords, daysBetween } from './days.ts'
import type { DisplayedEvent } from './displayed-event.ts'
import type { View } from './url-state.ts'
import { STATUS_WORDS } from './words.ts'

/** Accessible name of an event. */
export const labelOf = (
  { event, first, last }: DisplayedEvent,
  words: DayWords,
  time: (at: string) => string,
): string => {
  const days = daysBetween(first, last) === 0 ? words.long(first) : words.between(first, last)
  const parts = [
    event.title,
    days,
    event.allDay ? 'all day' : `${time(event.start)} to ${time(event.end)}`,
    event.status !== 'confirmed' && STATUS_WORDS[event.status].toLowerCase(),
    event.source === 'bookingsvc' && 'booked',
    event.location !== '' && event.location,
    event.recurringEventId !== null && 'repeats',
  ]
  return parts.filter(Boolean).join(', ')
}

/** Heading for the displayed days. */
export const titleOf = (view: View, day: Day, days: readonly Day[], words: DayWords): string => {
  if (view === 'month') return words.month(day)
  if (view === 'day') return words.full(day)
  return words.between(days[0] ?? day, days.at(-1) ?? day)
}
