import type { Db } from '../../database/db.ts'
import { everyRow } from '../../database/every-row.ts'
import { NEVER } from '../../database/spans.ts'
import type { Clock } from '../../platform/clock.ts'
import { type EventRecord, fieldsOf } from './event.ts'
import { lastChangeOf, listAllEvents, listUsedZones } from './export-store.ts'
import { calendarHead, calendarTail } from './icalendar/calendar-frame.ts'
import type { Entry } from './icalendar/entry.ts'
import { writeEntry } from './icalendar/writing.ts'
import { timezoneComponents } from './icalendar/zone-writing.ts'

const REFRESH_MINUTES = 60

const entryOf = (row: EventRecord): Entry => {
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

export type Export = ReturnType<typeof createExport>

/** The whole calendar as iCalendar, page by page. */
export const createExport = ({ db, clock }: { db: Db; clock: Clock }) => ({
  /** What changes whenever the calendar does. */
  async tag(): Promise<string> {
    return `"calendar.${await lastChangeOf(db)}"`
  },

  async *write(timezone: string, view: Db = db): AsyncGenerator<string> {
    yield calendarHead({ name: 'Factotum', timezone, refreshMinutes: REFRESH_MINUTES })
    const thisYear = clock.now().getUTCFullYear()
    const zones = (await listUsedZones(view)).map(({ timezone, first, last }) => ({
      timezone,
      fromYear: yearOf(first),
      untilYear: last === NEVER ? Math.max(thisYear, yearOf(first)) : yearOf(last),
    }))
    yield timezoneComponents(zones)
    let page = ''
    for await (const row of everyRow<EventRecord>((after, limit) =>
      listAllEvents(view, after?.id ?? 0, limit),
    )) {
      page += writeEntry(entryOf(row), row.updatedAt)
      if (page.length < PAGE) continue
      yield page
      page = ''
    }
    yield page + calendarTail()
  },
})

const PAGE = 64 * 1024
