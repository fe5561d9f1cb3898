import type { Selectable } from 'kysely'
import type { EventRow } from '../../database/tables/calendar.ts'

export const STATUSES = ['tentative', 'confirmed', 'cancelled'] as const
export type EventStatus = (typeof STATUSES)[number]

export const SOURCES = ['manual', 'email', 'chat', 'bookingsvc', 'ics', 'caldav'] as const
export type EventSource = (typeof SOURCES)[number]

export const ANSWERS = ['needs-action', 'accepted', 'declined', 'tentative'] as const

export interface Person {
  name: string
  email: string
}

export interface Attendee extends Person {
  status: (typeof ANSWERS)[number]
}

export interface Reminder {
  minutesBefore: number
}

/** What an event says of itself. Instants are canonical text. */
export interface EventFields {
  uid: string
  title: string
  description: string
  location: string
  meetingUrl: string | null
  start: string
  end: string
  allDay: boolean
  timezone: string
  status: EventStatus
  source: EventSource
  bookingId: string | null
  organizer: Person | null
  attendees: Attendee[]
  reminders: Reminder[]
  notes: string
  tags: string[]
  /** RRULE values, one a line, those of EXRULE with that name before them. */
  recurrence: string | null
  exdates: string[]
  rdates: string[]
  busy: boolean
  emailId: number | null
}

export type EventRecord = Selectable<EventRow>

/** What its ETag is made of. The row's `shown` is its JSON, and no part of that. */
export const versionOf = ({ id, version }: EventRecord): { id: number; version: number } => ({ id, version })

export const fieldsOf = (row: EventRecord): EventFields => ({
  uid: row.uid,
  title: row.title,
  description: row.description,
  location: row.location,
  meetingUrl: row.meetingUrl,
  start: row.start,
  end: row.end,
  allDay: row.allDay === 1,
  timezone: row.timezone,
  status: row.status as EventStatus,
  source: row.source as EventSource,
  bookingId: row.bookingId,
  organizer: row.organizer === null ? null : (JSON.parse(row.organizer) as Person),
  attendees: JSON.parse(row.attendees) as Attendee[],
  reminders: JSON.parse(row.reminders) as Reminder[],
  notes: row.notes,
  tags: JSON.parse(row.tags) as string[],
  recurrence: row.recurrence,
  exdates: JSON.parse(row.exdates) as string[],
  rdates: JSON.parse(row.rdates) as string[],
  busy: row.busy === 1,
  emailId: row.emailId,
})

/** The columns that hold the fields. */
export const columnsOf = (fields: EventFields) => ({
  uid: fields.uid,
  title: fields.title,
  description: fields.description,
  location: fields.location,
  meetingUrl: fields.meetingUrl,
  start: fields.start,
  end: fields.end,
  allDay: fields.allDay ? 1 : 0,
  timezone: fields.timezone,
  status: fields.status,
  source: fields.source,
  bookingId: fields.bookingId,
  organizer: fields.organizer === null ? null : JSON.stringify(fields.organizer),
  attendees: JSON.stringify(fields.attendees),
  reminders: JSON.stringify(fields.reminders),
  notes: fields.notes,
  tags: JSON.stringify(fields.tags),
  recurrence: fields.recurrence,
  exdates: JSON.stringify(fields.exdates),
  rdates: JSON.stringify(fields.rdates),
  busy: fields.busy ? 1 : 0,
  emailId: fields.emailId,
})
