import { sql } from 'kysely'
import Type from 'typebox'
import type { Db } from '../../database/db.ts'
import { cutLooseLinks } from '../../database/schema-info.ts'
import { toInstant } from '../../nlu/time-zones.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import {
  added,
  type Column,
  entityColumns,
  flag,
  id,
  idOrNull,
  instant,
  instantOrNull,
  integer,
  jsonOrNull,
  own,
  portable,
  text,
  textOrNull,
  without,
  zone,
} from '../../platform/portable/table.ts'
import type { DataPart, Sample } from '../accounts/data/parts.ts'
import type { SampleEvent } from '../accounts/data/sample/content.ts'
import { deleteCalendar, insertCalendar, newCalendar, pickColor } from './calendars/repository.ts'
import type { CalendarStore } from './calendars/store.ts'
import { BLANK, EventFields, type EventRecord, fieldsOf, rowOf } from './event.ts'
import { findEvent, findNextReminder } from './event-repository.ts'
import type { Saving } from './event-writer.ts'
import type { Export } from './export.ts'
import { EXPAND, REMIND } from './job-names.ts'
import { isTooDense, rulesOf, TOO_DENSE } from './series.ts'
import { isoOf, isWithinReach } from './times.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

const toPerson = (text: string): { name: string; email: string } => {
  const [, name = '', email = ''] = /^(.*) <(.*)>$/.exec(text) ?? []
  return { name, email }
}

/** Converts an event of the sample. Without a time, it takes whole days. */
const toSampleFields = (
  { content, dayOf, zone }: Sample,
  [day, time, length, title, more = {}]: SampleEvent,
): Omit<EventFields, 'uid'> => {
  const { calendar: _, people = [], tentative, bookingId, remind = 15, tags = [], ...rest } = more
  const [hour = 0, minute = 0] = (time ?? '0:0').split(':').map(Number)
  const start = toInstant(dayOf(day) * DAY_MS + (hour * 60 + minute) * MINUTE_MS, zone)
  const end = time === null ? toInstant((dayOf(day) + length) * DAY_MS, zone) : start + length * MINUTE_MS
  const guests = people.map((key) => toPerson(content.people[key] as string))
  return {
    ...BLANK,
    ...rest,
    title,
    start: isoOf(start),
    end: isoOf(end),
    allDay: time === null,
    timezone: zone,
    busy: time !== null,
    reminders: time === null ? [] : [{ minutesBefore: remind }],
    status: tentative ? 'tentative' : 'confirmed',
    tags: [...tags],
    organizer: guests[0] ?? null,
    attendees: guests.map((guest) => ({ ...guest, status: 'accepted' as const })),
    ...(bookingId !== undefined && { source: 'bookingsvc' as const, bookingId }),
  }
}

/** Older exports may contain organizers that the API would reject. */
const Organizer = Type.Object({ name: Type.String(), email: Type.String() })

/** All calculations in the calendar rely on these rules. */
const checkTimes = ({ start, end, recurrence }: EventRecord): void => {
  if (end < start || ![start, end].every(isWithinReach))
    throw new Error('start and end must be in the years 1000 to 9990, and end must not be before start')
  const rules = rulesOf(recurrence)
  const read = rules.rules.length + rules.exclusionRules.length
  if (read !== (recurrence?.split('\n').length ?? 0)) throw new Error('recurrence contains an invalid rule')
  if (isTooDense(rules)) throw new Error(`The event ${TOO_DENSE}`)
}

const color: Column<string> = {
  ...text,
  read(given, reading) {
    const value = text.read(given, reading)
    if (!/^#[0-9a-f]{6}$/.test(value)) throw new Error('must be a color such as #3366cc')
    return value
  },
}

const calendars = portable('calendars', {
  file: 'calendars.jsonl',
  of: (userId) => [sql<boolean>`${sql.ref('userId')} = ${userId}`],
  isAdded: true,
  given: sql<boolean>`${sql.ref('isDefault')} = 1 and ${sql.ref('remoteCalendarId')} is null`,
  columns: {
    id: id('calendars'),
    userId: own,
    name: text,
    color,
    isDefault: flag,
    visible: flag,
    remoteCalendarId: idOrNull('remote_calendars'),
    version: integer,
    createdAt: instant,
    updatedAt: instant,
  },
})

const events = portable('events', {
  file: 'events.jsonl',
  // Series come before their changed occurrences, which refer to them.
  of: (userId) => [
    sql<boolean>`${sql.ref('userId')} = ${userId} and ${sql.ref('seriesId')} is null`,
    sql<boolean>`${sql.ref('userId')} = ${userId} and ${sql.ref('seriesId')} is not null`,
  ],
  columns: {
    id: id('events'),
    userId: own,
    // Exports of earlier versions have no calendars: see `fillCalendars`.
    calendarId: added(id('calendars'), null as never),
    changedBy: added(textOrNull, null),
    recurrenceId: text,
    seriesId: idOrNull('events'),
    sequence: integer,
    ...entityColumns(EventFields, 'events'),
    emailId: idOrNull('emails'),
    timezone: zone,
    organizer: jsonOrNull(Organizer),
    lastEnd: without(''),
    spanClass: without(0),
    extra: jsonOrNull(Type.Object({})),
    revisedAt: instantOrNull,
    expandedFrom: without(null),
    expandedUntil: without(null),
    nextReminderAt: instantOrNull,
    version: integer,
    createdAt: instant,
    updatedAt: instant,
  },
  complete(row) {
    checkTimes(row)
    return { id: row.id, ...rowOf(fieldsOf(row), row) }
  },
})

export const createCalendarPart = (deps: {
  saving: Saving
  calendarExport: Export
  store: CalendarStore
  jobs: Pick<Jobs, 'enqueue'>
}): DataPart => ({
  folder: 'calendar',
  tables: [calendars, events],
  // The reminders of members belong to the calendars of other accounts.
  others: ['occurrences', 'event_reminders'],

  files: {
    names: /^calendar\.ics$/,
    add: (add, view, userId) => add('calendar.ics', deps.calendarExport.write(userId, 'UTC', { view })),
  },

  async afterImport(tx, { userId }) {
    await deps.store.fillCalendars(tx, userId)
    await cutLooseLinks(tx, userId, { from: 'events', column: 'emailId', to: 'emails' })
    await deps.jobs.enqueue(tx, EXPAND, {}, { key: EXPAND })
    const at = await findNextReminder(tx)
    if (at !== undefined) await deps.jobs.enqueue(tx, REMIND, {}, { key: at, runAt: new Date(at) })
  },

  async fillSample(tx: Db, sample: Sample) {
    const { userId, now, content, mark } = sample
    // The default calendar comes first.
    await deps.store.defaultId(tx, userId)
    const calendarIds: Record<string, number> = {}
    for (const [index, [key, name]] of Object.entries(content.calendars).entries()) {
      const row = newCalendar(userId, { name, color: pickColor(index + 1) }, now.toISOString())
      const calendarId = await insertCalendar(tx, row)
      calendarIds[key] = calendarId
      await mark('calendar', calendarId)
    }
    for (const [index, event] of content.events.entries()) {
      const fields = { ...toSampleFields(sample, event), uid: `sample-${index + 1}@factotum` }
      const calendarId = calendarIds[event[4]?.calendar ?? '']
      await mark('event', await deps.saving.insert(tx, userId, fields, calendarId ? { calendarId } : {}))
    }
  },

  async removeSample(tx, { userId, marked }) {
    const ids = (await marked('event')).map(Number)
    for (const id of ids) {
      const row = await findEvent(tx, userId, id)
      if (row) await deps.saving.remove(tx, row)
    }
    // Events that the person added stay, in the default calendar.
    for (const id of (await marked('calendar')).map(Number)) {
      await deps.saving.moveAll(tx, userId, id, await deps.store.defaultId(tx, userId))
      await deleteCalendar(tx, userId, id)
    }
  },
})
