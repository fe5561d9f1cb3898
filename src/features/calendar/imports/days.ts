import type { EventRecord } from '../event.ts'
import type { Told } from '../icalendar/entry.ts'
import { shiftBy } from '../times.ts'

export const isWholeDayOccurrence = (told: Told): boolean =>
  told.kind === 'entry' && told.entry.allDay && told.entry.recurrenceId !== null

/**
 * Whole days have no zone in a file, and are read in the instance's. Those of a series that is here are the days of
 * that series, in its own zone: else none of them would be known again.
 */
export const onDaysOf = (told: Told, series: EventRecord | undefined): Told => {
  if (told.kind !== 'entry' || !told.entry.allDay || told.entry.recurrenceId === null) return told
  const { timezone, start, end, recurrenceId } = told.entry
  if (!series || series.allDay === 0 || series.timezone === timezone) return told
  const moved = (instant: string): string => shiftBy(instant, 0, timezone, series.timezone)
  const when = { start: moved(start), end: moved(end), recurrenceId: moved(recurrenceId) }
  return { ...told, entry: { ...told.entry, ...when, timezone: series.timezone } }
}
