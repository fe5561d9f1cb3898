import { createHash } from 'node:crypto'
import type { Db } from '../../../database/db.ts'
import { everyRow } from '../../../database/every-row.ts'
import { NEVER } from '../../../database/spans.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { EventRecord } from '../event.ts'
import { calendarHead, calendarTail } from '../icalendar/calendar-frame.ts'
import { writeEntry } from '../icalendar/writing.ts'
import { timezoneComponents } from '../icalendar/zone-writing.ts'
import { countAllEvents, findLastUpdate, listAllEvents, listUsedZones, readLastChanges } from './store.ts'
import { entryOf } from './told-event.ts'

const REFRESH_MINUTES = 60
/** How many changes are looked through for those to events. */
const LOOKED_AT = 2000
/** Changes are numbered before they are there, and what was begun first may be there last: so many at a time. */
const AT_ONCE = 100

const yearOf = (instant: string): number => Number(instant.slice(0, 4))

export type Export = ReturnType<typeof createExport>

/** The whole calendar as iCalendar, page by page. */
export const createExport = ({ db, clock }: { db: Db; clock: Clock }) => ({
  /** What changes whenever the calendar does. Where no change to an event is known it changes from time to time. */
  async tag(timezone: string): Promise<string> {
    const { ofEvents, latest } = await readLastChanges(db, { among: LOOKED_AT, most: AT_ONCE })
    const period =
      latest === undefined ? clock.now().toISOString().slice(0, 10) : Math.floor(latest / LOOKED_AT)
    // Their moments as well: numbers are given again after a restore.
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
