import { createHash } from 'node:crypto'
import type { Db } from '../../database/db.ts'
import { everyRow } from '../../database/schema-info.ts'
import { NEVER } from '../../database/spans.ts'
import type { Clock } from '../../platform/clock.ts'
import { type EventRecord, fieldsOf } from './event.ts'
import {
  countAllEvents,
  findLastUpdate,
  listAllEvents,
  listUsedZones,
  readLastChanges,
} from './event-repository.ts'
import type { Entry } from './ical/entry.ts'
import { writeEntry } from './ical/event.ts'
import { calendarHead, calendarTail } from './ical/parser.ts'
import { timezoneComponents } from './ical/zones.ts'

/** Converts a row to the fields that are exported. Private fields, such as notes, are omitted. */
export const entryOf = (row: EventRecord): Entry => {
  const { source: _, bookingId: __, notes: ___, emailId: ____, ...exported } = fieldsOf(row)
  return {
    ...exported,
    recurrenceId: row.recurrenceId === '' ? null : row.recurrenceId,
    sequence: row.sequence,
    revisedAt: row.revisedAt ?? row.updatedAt,
    extra: row.extra,
  }
}

const yearOf = (instant: string): number => Number(instant.slice(0, 4))

/** Writes events as a calendar object for a CalDAV server (RFC 4791, 4.1). */
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

const REFRESH_MINUTES = 60
/** The number of recent changes to search for changes of events. */
const LOOKED_AT = 2000
/**
 * The number of event changes in the ETag. A single id is not sufficient: transactions can commit in another
 * order than their ids.
 */
const BATCH_SIZE = 100

export type Export = ReturnType<typeof createExport>

/** Writes the whole calendar as iCalendar in pages. */
export const createExport = ({ db, clock }: { db: Db; clock: Clock }) => ({
  /** Computes an ETag. If no change of an event is known, it changes periodically. */
  async tag(timezone: string): Promise<string> {
    const { ofEvents, latest } = await readLastChanges(db, { among: LOOKED_AT, most: BATCH_SIZE })
    const period =
      latest === undefined ? clock.now().toISOString().slice(0, 10) : Math.floor(latest / LOOKED_AT)
    // Include the times: ids are reused after a restore.
    const said = ofEvents.length > 0 ? ofEvents : [`before ${period}`, await findLastUpdate(db)]
    const { count, last } = await countAllEvents(db)
    const print = JSON.stringify([timezone, Number(count), last, said])
    return `"${createHash('sha256').update(print).digest('base64url').slice(0, 27)}"`
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
