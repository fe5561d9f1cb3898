import { type EventRecord, fieldsOf } from '../event.ts'
import { calendarHead, calendarTail } from '../icalendar/calendar-frame.ts'
import type { Entry } from '../icalendar/entry.ts'
import { writeEntry } from '../icalendar/writing.ts'
import { timezoneComponents } from '../icalendar/zone-writing.ts'

/** What others are told of an event; the rest is ours. */
export const entryOf = (row: EventRecord): Entry => {
  const { source: _, bookingId: __, notes: ___, emailId: ____, ...told } = fieldsOf(row)
  return {
    ...told,
    recurrenceId: row.recurrenceId === '' ? null : row.recurrenceId,
    sequence: row.sequence,
    revisedAt: row.revisedAt ?? row.updatedAt,
    extra: row.extra,
  }
}

const yearOf = (instant: string): number => Number(instant.slice(0, 4))

/** Some events as a calendar of their own, as a server takes it (RFC 4791, 4.1). */
export const writeCalendar = (entries: readonly Entry[], now: Date): string => {
  const text = entries.map((entry) => writeEntry(entry, now.toISOString())).join('')
  const zones = Map.groupBy(
    entries.filter(({ allDay }) => !allDay),
    ({ timezone }) => timezone,
  )
    .entries()
    .map(([timezone, many]) => {
      const years = many.map(({ start }) => yearOf(start))
      return {
        timezone,
        fromYear: Math.min(...years),
        untilYear: Math.max(now.getUTCFullYear(), ...years),
      }
    })
  return calendarHead({}) + timezoneComponents(zones) + text + calendarTail()
}
