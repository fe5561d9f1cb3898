import { sql } from 'kysely'
import Type from 'typebox'
import { cutLooseLinks } from '../../database/schema-info.ts'
import type { Platform } from '../../platform/platform.ts'
import {
  added,
  color,
  entityColumns,
  flag,
  id,
  idOrNull,
  instant,
  instantOrNull,
  integer,
  jsonOrNull,
  oneOf,
  own,
  portable,
  text,
  textOrNull,
  without,
  zone,
} from '../../platform/portable/table.ts'
import type { DataPart } from '../accounts/data/parts.ts'
import { NOTIFICATION_CHOICES } from './calendars/schema.ts'
import type { CalendarStore } from './calendars/store.ts'
import { EventFields, type EventRecord, fieldsOf, rowOf } from './event.ts'
import { findNextReminder } from './event-repository.ts'
import type { Export } from './export.ts'
import { EXPAND, REMIND } from './job-names.ts'
import type { MirrorWriter } from './mirrors/mirror-writer.ts'
import { MIRROR_DETAILS } from './mirrors/schema.ts'
import { isTooDense, rulesOf, TOO_DENSE } from './series.ts'
import { isWithinReach } from './times.ts'

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

const calendars = portable('calendars', {
  file: 'calendars.jsonl',
  isAdded: true,
  given: sql<boolean>`${sql.ref('isDefault')} = 1 and ${sql.ref('remoteCalendarId')} is null`,
  columns: {
    id: id('calendars'),
    userId: own,
    name: text,
    color,
    isDefault: flag,
    visible: flag,
    notifications: added(oneOf(...NOTIFICATION_CHOICES), 'all'),
    remoteCalendarId: idOrNull('remote_calendars'),
    version: integer,
    createdAt: instant,
    updatedAt: instant,
  },
})

const mirrors = portable('calendar_mirrors', {
  file: 'mirrors.jsonl',
  columns: {
    id: id('calendar_mirrors'),
    userId: own,
    sourceCalendarId: id('calendars'),
    targetCalendarId: id('calendars'),
    detail: oneOf(...MIRROR_DETAILS),
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
    mirrorOf: added(idOrNull('events'), null),
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

export const createCalendarPart = (
  deps: Pick<Platform, 'jobs'> & {
    calendarExport: Export
    store: CalendarStore
    mirrorWriter: Pick<MirrorWriter, 'followLater'>
  },
): DataPart => ({
  folder: 'calendar',
  tables: [calendars, mirrors, events],
  // The reminders of members belong to the calendars of other accounts.
  others: ['occurrences', 'event_reminders'],

  files: {
    names: /^calendar\.ics$/,
    add: (add, view, userId) => add('calendar.ics', deps.calendarExport.write(userId, 'UTC', { view })),
  },

  async afterImport(tx, { userId }) {
    await deps.store.fillCalendars(tx, userId)
    await deps.mirrorWriter.followLater(tx, userId)
    await cutLooseLinks(tx, userId, { from: 'events', column: 'emailId', to: 'emails' })
    await deps.jobs.enqueue(tx, EXPAND, {}, { key: EXPAND })
    const at = await findNextReminder(tx)
    if (at !== undefined) await deps.jobs.enqueue(tx, REMIND, {}, { key: at, runAt: new Date(at) })
  },
})
