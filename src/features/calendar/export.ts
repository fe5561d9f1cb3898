import type { Db } from '../../database/db.ts'
import { everyRow } from '../../database/schema-info.ts'
import { fingerprint } from '../../platform/fingerprint.ts'
import type { Platform } from '../../platform/platform.ts'
import { createYielder } from '../../platform/yield.ts'
import type { ReadableCalendar } from './calendars/calendars.ts'
import { BLANK, type EventRecord, fieldsOf, pickFields, SHARED_FIELDS } from './event.ts'
import {
  countAllEvents,
  findEvent,
  findLastUpdate,
  listOfCalendar,
  listOriginals,
  listUsedZones,
  readLastChanges,
} from './event-repository.ts'
import type { Entry } from './ical/entry.ts'
import { writeEntry } from './ical/event.ts'
import { calendarHead, calendarTail } from './ical/parser.ts'
import { timezoneComponents, type UsedZone } from './ical/zones.ts'
import { busyOccurrenceUid, toMemberRow } from './members/redaction.ts'
import { isoOf, NEVER } from './times.ts'
import type { WindowEventRow } from './windows/repository.ts'
import { streamWindow } from './windows/window.ts'

/** Converts a row to the fields that are exported. Private fields, such as notes, are omitted. */
export const entryOf = (row: EventRecord): Entry => {
  return {
    ...pickFields(fieldsOf(row), SHARED_FIELDS),
    recurrenceId: row.recurrenceId === '' ? null : row.recurrenceId,
    sequence: row.sequence,
    revisedAt: row.revisedAt ?? row.updatedAt,
    extra: row.extra,
  }
}

const { source: _, bookingId: __, notes: ___, emailId: ____, ...blankFields } = BLANK
/** The values of an entry that says nothing but its UID, title and times. */
export const BLANK_ENTRY = {
  ...blankFields,
  recurrenceId: null,
  sequence: 0,
  revisedAt: null,
  extra: null,
} satisfies Partial<Entry>

const yearOf = (instant: string): number => Number(instant.slice(0, 4))

/** Lists the time zones of entries, up to this year for those that are `open`. */
export const listZones = (
  entries: readonly Entry[],
  thisYear: number,
  isOpen: (entry: Entry) => boolean,
): UsedZone[] =>
  [...Map.groupBy(entries, ({ timezone }) => timezone)].flatMap(([timezone, many]) => {
    const timed = many.filter(({ allDay }) => !allDay)
    if (timed.length === 0) return []
    const years = timed.map(({ start }) => yearOf(start))
    const lastYears = timed.some(isOpen) ? [...years, thisYear] : years
    return { timezone, fromYear: Math.min(...years), untilYear: Math.max(...lastYears) }
  })

/** Writes events as a calendar object for a CalDAV server (RFC 4791, 4.1). */
export const writeCalendar = (entries: readonly Entry[], now: Date): string => {
  const text = entries.map((entry) => writeEntry(entry, now.toISOString())).join('')
  const zones = listZones(entries, now.getUTCFullYear(), () => true)
  return calendarHead({}) + timezoneComponents(zones) + text + calendarTail()
}

const REFRESH_MINUTES = 60
const ROWS_READ = 100
/** The number of recent changes to search for changes of events. */
const LOOKED_AT = 2000
/**
 * The number of event changes in the ETag. A single id is not sufficient: transactions can commit in another
 * order than their ids.
 */
const BATCH_SIZE = 100

export type Export = ReturnType<typeof createExport>

/** Writes the whole calendar of an account as iCalendar in pages. */
export const createExport = ({ db, clock }: Pick<Platform, 'db' | 'clock'>) => ({
  /** Computes an ETag. If no change of an event is known, it changes periodically. */
  async tag(userId: number, timezone: string, calendar?: ReadableCalendar): Promise<string> {
    const ownerId = calendar?.ownerId ?? userId
    const { ofEvents, latest } = await readLastChanges(db, ownerId, { among: LOOKED_AT, most: BATCH_SIZE })
    const period =
      latest === undefined ? clock.now().toISOString().slice(0, 10) : Math.floor(latest / LOOKED_AT)
    // Include the times: ids are reused after a restore.
    const said =
      ofEvents.length > 0 ? ofEvents : [`before ${period}`, await findLastUpdate(db, ownerId, calendar?.id)]
    const { count, last } = await countAllEvents(db, ownerId, calendar?.id)
    // Busy times are written for a period around today.
    const day = calendar?.role === 'freeBusy' ? clock.now().toISOString().slice(0, 10) : null
    const content = [userId, timezone, Number(count), last, said, calendar ?? null, day]
    return `"${fingerprint(content).slice(0, 27)}"`
  },

  /** Writes all events of an account, or those of one calendar, which another account may read. */
  async *write(
    userId: number,
    timezone: string,
    {
      view = db,
      calendar,
    }: { view?: Db; calendar?: Pick<ReadableCalendar, 'id' | 'name' | 'role'> | undefined } = {},
  ): AsyncGenerator<string> {
    const isMember = calendar !== undefined && calendar.role !== 'owner'
    const seriesOf = new Map<number, EventRecord | undefined>()
    const toVisibleRow = async (row: EventRecord): Promise<EventRecord> => {
      if (!isMember) return row
      const { seriesId } = row
      if (seriesId !== null && !seriesOf.has(seriesId))
        seriesOf.set(seriesId, await findEvent(view, userId, seriesId))
      return toMemberRow(row, seriesId === null ? undefined : seriesOf.get(seriesId))
    }
    yield calendarHead({ name: calendar?.name ?? 'Factotum', timezone, refreshMinutes: REFRESH_MINUTES })
    const thisYear = clock.now().getUTCFullYear()
    const zones = (await listUsedZones(view, userId, calendar?.id)).map(({ timezone, first, last }) => ({
      timezone,
      fromYear: yearOf(first),
      untilYear: last === NEVER ? Math.max(thisYear, yearOf(first)) : yearOf(last),
    }))
    yield timezoneComponents(zones)
    let page = ''
    const yieldIfNeeded = createYielder()
    const rows = everyRow<EventRecord>(
      (after, limit) =>
        calendar === undefined
          ? listOriginals(view, userId, after?.id ?? 0, limit)
          : listOfCalendar(view, userId, calendar.id, after, limit),
      ROWS_READ,
    )
    for await (const row of rows) {
      await yieldIfNeeded()
      const visible = await toVisibleRow(row)
      page += writeEntry(entryOf(visible), visible.updatedAt)
      if (page.length < PAGE) continue
      yield page
      page = ''
    }
    yield page + calendarTail()
  },

  /** Writes when a calendar is busy, without the content of its events and the rules of their recurrence. */
  async *writeBusy({ ownerId, id, name }: ReadableCalendar, timezone: string): AsyncGenerator<string> {
    const now = clock.now()
    yield calendarHead({ name, timezone, refreshMinutes: REFRESH_MINUTES })
    const [from, until] = [isoOf(now.getTime() - BUSY_BEFORE_MS), isoOf(now.getTime() + BUSY_AFTER_MS)]
    let page = ''
    for await (const row of streamWindow(db, ownerId, { from, until, calendarId: id, among: 'busy' })) {
      page += writeEntry(busyEntryOf(row), now.toISOString())
      if (page.length < PAGE) continue
      yield page
      page = ''
    }
    yield page + calendarTail()
  },
})

const BUSY_BEFORE_MS = 31 * 86_400_000
const BUSY_AFTER_MS = 366 * 86_400_000

/** Times are in UTC, so that no time zone has to be described. An all-day event keeps its days. */
const busyEntryOf = (row: WindowEventRow): Entry => {
  const { start, end, allDay, timezone, status } = fieldsOf(row)
  return {
    ...BLANK_ENTRY,
    uid: busyOccurrenceUid({ id: row.seriesId ?? row.id, start }),
    title: 'Busy',
    start,
    end,
    allDay,
    timezone: allDay ? timezone : 'UTC',
    status,
  }
}

const PAGE = 64 * 1024
