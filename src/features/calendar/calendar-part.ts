import { Readable } from 'node:stream'
import type { Db } from '../../database/db.ts'
import { everyRow } from '../../database/every-row.ts'
import type { DataPart, Sample } from '../settings/data/parts.ts'
import { type EventFields, type EventRecord, fieldsOf } from './event.ts'
import { deleteEvent, findEvent } from './event-store.ts'
import type { Export } from './export.ts'
import { listAllEvents } from './export-store.ts'
import { sampleWeek } from './sample-week.ts'
import type { Saving } from './saving.ts'

const shownOf = (row: EventRecord) => ({
  id: row.id,
  recurringEventId: row.seriesId,
  occurrenceStart: row.recurrenceId === '' ? null : row.recurrenceId,
  ...fieldsOf(row),
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
})

async function* jsonLines(view: Db): AsyncGenerator<string> {
  for await (const row of everyRow<EventRecord>((after, limit) => listAllEvents(view, after?.id ?? 0, limit)))
    yield `${JSON.stringify(shownOf(row))}\n`
}

const BLANK = {
  description: '',
  meetingUrl: null,
  status: 'confirmed',
  source: 'manual',
  bookingId: null,
  organizer: null,
  notes: '',
  exdates: [],
  rdates: [],
  busy: true,
  emailId: null,
} as const satisfies Partial<EventFields>

export const createCalendarPart = (deps: { saving: Saving; calendarExport: Export }): DataPart => ({
  async addToExport(zip, view) {
    zip.addReadStream(Readable.from(deps.calendarExport.write('UTC', view)), 'calendar/calendar.ics')
    zip.addReadStream(Readable.from(jsonLines(view)), 'calendar/events.jsonl')
  },

  async wipe(tx) {
    for (const table of ['occurrences', 'events'] as const) await tx.deleteFrom(table).execute()
  },

  async fillSample(tx: Db, { now, mark }: Sample) {
    for (const [index, event] of sampleWeek(now).entries()) {
      const uid = `sample-${index + 1}@factotum`
      await mark('event', await deps.saving.insert(tx, { ...BLANK, ...event, uid }))
    }
  },

  async removeSample(tx, marked) {
    const ids = (await marked('event')).map(Number)
    for (const id of ids) {
      const row = await findEvent(tx, id)
      if (!row) continue
      await deleteEvent(tx, id)
      await deps.saving.removed(tx, row)
    }
  },
})
