import { sql } from 'kysely'
import Type from 'typebox'
import type { Db } from '../../database/db.ts'
import { cutLooseLinks } from '../../database/schema-info.ts'
import { toInstant, toWall } from '../../nlu/time-zones.ts'
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
import type { CalendarStore } from './calendars/store.ts'
import { BLANK, EventFields, type EventRecord, fieldsOf, rowOf } from './event.ts'
import { deleteEvent, findEvent, findNextReminder } from './event-repository.ts'
import type { Saving } from './event-writer.ts'
import type { Export } from './export.ts'
import { EXPAND, REMIND } from './jobs.ts'
import { isTooDense, rulesOf, TOO_DENSE } from './series.ts'
import { isoOf, isWithinReach } from './times.ts'

const ZONE = 'Europe/Berlin'
const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

type SampleEvent = Omit<EventFields, 'uid'>

const ana = { name: 'Ana Ruiz', email: 'ana@example.org' }
const li = { name: 'Li Wei', email: 'li@example.org' }

/** Returns a week of sample events around now, in the time zone of Berlin. */
const sampleWeek = (now: Date): SampleEvent[] => {
  const today = Math.floor(toWall(now.getTime(), ZONE) / DAY_MS)
  const monday = today - ((((today + 3) % 7) + 7) % 7)
  const event = (
    day: number,
    clock: string,
    minutes: number,
    title: string,
    more: Partial<EventFields> = {},
  ): SampleEvent => {
    const [hour = 0, minute = 0] = clock.split(':').map(Number)
    const start = toInstant((monday + day) * DAY_MS + (hour * 60 + minute) * MINUTE_MS, ZONE)
    return {
      ...BLANK,
      title,
      start: isoOf(start),
      end: isoOf(start + minutes * MINUTE_MS),
      allDay: false,
      timezone: ZONE,
      reminders: [{ minutesBefore: 15 }],
      ...more,
    }
  }
  const wholeDays = (day: number, days: number, title: string): SampleEvent => ({
    ...event(day, '00:00', 0, title),
    end: isoOf(toInstant((monday + day + days) * DAY_MS, ZONE)),
    allDay: true,
    busy: false,
    reminders: [],
  })
  return [
    event(0, '09:30', 15, 'Stand-up', {
      recurrence: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
      meetingUrl: 'https://meet.example.org/stand-up',
      tags: ['work'],
    }),
    event(0, '14:00', 60, 'Design review', {
      location: 'Room 4',
      organizer: ana,
      attendees: [
        { ...ana, status: 'accepted' },
        { ...li, status: 'tentative' },
      ],
      tags: ['work'],
    }),
    event(1, '11:00', 45, 'Call with the landlord', { reminders: [{ minutesBefore: 30 }], tags: ['home'] }),
    event(1, '11:30', 30, 'Budget check', { status: 'tentative', tags: ['work'] }),
    event(2, '18:00', 90, 'Choir', {
      recurrence: 'FREQ=WEEKLY;INTERVAL=1;BYDAY=WE',
      location: 'Parish hall',
    }),
    event(3, '08:00', 30, 'Dentist', { location: 'Lindenstraße 12', reminders: [{ minutesBefore: 60 }] }),
    event(4, '15:00', 60, 'Portfolio conversation', {
      source: 'bookingsvc',
      bookingId: 'sample-booking-1',
      attendees: [{ ...li, status: 'accepted' }],
    }),
    wholeDays(5, 2, 'Weekend in the mountains'),
    wholeDays(7, 1, 'Ana’s birthday'),
  ]
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

  async fillSample(tx: Db, { userId, now, mark }: Sample) {
    for (const [index, event] of sampleWeek(now).entries()) {
      const uid = `sample-${index + 1}@factotum`
      await mark('event', await deps.saving.insert(tx, userId, { ...event, uid }))
    }
  },

  async removeSample(tx, { userId, marked }) {
    const ids = (await marked('event')).map(Number)
    for (const id of ids) {
      const row = await findEvent(tx, userId, id)
      if (!row) continue
      await deleteEvent(tx, userId, id)
      await deps.saving.removed(tx, row)
    }
  },
})
