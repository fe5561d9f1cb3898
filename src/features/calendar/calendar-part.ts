import { sql } from 'kysely'
import Type from 'typebox'
import type { Db } from '../../database/db.ts'
import { cutLooseLinks } from '../../database/loose-links.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import {
  flag,
  id,
  idOrNull,
  instant,
  instantOrNull,
  integer,
  json,
  jsonOrNull,
  oneOf,
  text,
  textOrNull,
  without,
  zone,
} from '../../platform/portable/columns.ts'
import { portable } from '../../platform/portable/table.ts'
import type { DataPart, Sample } from '../settings/data/parts.ts'
import { type EventFields, type EventRecord, fieldsOf, SOURCES, STATUSES } from './event.ts'
import { rowOf } from './event-row.ts'
import { deleteEvent, findEvent } from './event-store.ts'
import type { Export } from './exports/export.ts'
import { findNextReminder } from './reminders/store.ts'
import { sampleWeek } from './sample-week.ts'
import type { Saving } from './saving.ts'
import { Event } from './schema.ts'
import { isTooDense, rulesOf, TOO_DENSE } from './series.ts'
import { isWithinReach } from './times.ts'
import { EXPAND, REMIND } from './work.ts'

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

const { attendees, reminders, tags, exdates, rdates } = Event.properties
const Organizer = Type.Object({ name: Type.String(), email: Type.String() })

/** The calendar counts on it wherever it works something out. */
const checkTimes = ({ start, end, recurrence }: EventRecord): void => {
  if (end < start || ![start, end].every(isWithinReach))
    throw new Error('end must be after start, within reach')
  const rules = rulesOf(recurrence)
  const read = rules.rules.length + rules.exclusionRules.length
  if (read !== (recurrence?.split('\n').length ?? 0))
    throw new Error('recurrence has a rule in it that is none')
  if (isTooDense(rules)) throw new Error(`it ${TOO_DENSE}`)
}

const events = portable('events', {
  file: 'events.jsonl',
  // A changed occurrence comes after the series that it belongs to.
  of: () => [sql<boolean>`${sql.ref('seriesId')} is null`, sql<boolean>`${sql.ref('seriesId')} is not null`],
  columns: {
    ...{ id, uid: text, recurrenceId: text, seriesId: idOrNull, sequence: integer, title: text },
    ...{ description: text, location: text, meetingUrl: textOrNull, start: instant, end: instant },
    ...{ lastEnd: without(''), spanClass: without(0), allDay: flag, timezone: zone },
    ...{ status: oneOf(...STATUSES), source: oneOf(...SOURCES) },
    ...{ bookingId: textOrNull, organizer: jsonOrNull(Organizer), attendees: json(attendees) },
    ...{ reminders: json(reminders), notes: text, tags: json(tags), recurrence: textOrNull },
    ...{ exdates: json(exdates), rdates: json(rdates), busy: flag, emailId: idOrNull },
    ...{ extra: jsonOrNull(Type.Object({})), revisedAt: instantOrNull },
    ...{ expandedFrom: without(null), expandedUntil: without(null), nextReminderAt: instantOrNull },
    ...{ shown: without(''), version: integer, createdAt: instant, updatedAt: instant },
  },
  complete(row) {
    checkTimes(row)
    return { id: row.id, ...rowOf(fieldsOf(row), row) }
  },
})

export const createCalendarPart = (deps: {
  saving: Saving
  calendarExport: Export
  jobs: Pick<Jobs, 'enqueue'>
}): DataPart => ({
  folder: 'calendar',
  tables: [events],
  others: ['occurrences'],

  files: {
    names: /^calendar\.ics$/,
    add: (add, view) => add('calendar.ics', deps.calendarExport.write('UTC', view)),
  },

  async afterImport(tx) {
    await cutLooseLinks(tx, { from: 'events', column: 'emailId', to: 'emails' })
    await deps.jobs.enqueue(tx, EXPAND, {}, { key: EXPAND })
    const at = await findNextReminder(tx)
    if (at !== undefined) await deps.jobs.enqueue(tx, REMIND, {}, { key: at, runAt: new Date(at) })
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
