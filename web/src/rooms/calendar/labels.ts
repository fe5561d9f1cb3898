import { type Day, type DayWords, daysBetween } from './days.ts'
import type { View } from './place.ts'
import type { Shown } from './shown.ts'
import { STATUS_WORDS } from './words.ts'

/** What an event is called when it is heard. */
export const labelOf = (
  { event, first, last }: Shown,
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

/** What the days that are shown are called. */
export const titleOf = (view: View, day: Day, days: readonly Day[], words: DayWords): string => {
  if (view === 'month') return words.month(day)
  if (view === 'day') return words.full(day)
  return words.between(days[0] ?? day, days.at(-1) ?? day)
}
