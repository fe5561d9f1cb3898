import type { Selectable } from 'kysely'
import { EVER, NEVER, SERIES, spanClassOf } from '../../database/spans.ts'
import type { EventRow, NewEventRow } from '../../database/tables/calendar.ts'
import { isSeries, lastEndOf } from './series.ts'

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

/** The fields of an event that users and calendars set. Instants are canonical text. */
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
  /** One RRULE value per line. EXRULE values have the prefix `EXRULE:`. */
  recurrence: string | null
  exdates: string[]
  rdates: string[]
  busy: boolean
  emailId: number | null
}

export type EventRecord = Selectable<EventRow>

/** Returns the values that make up the ETag. */
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

/** Converts the fields to columns. */
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

/*
 * The JSON of an event is rendered once, when the event is saved, and stored in `shown`. Lists are then
 * concatenated from text, without parsing any field. The properties that differ between occurrences come
 * first and are added on output.
 */

/** Renders the JSON that all occurrences share, from `uid` to the end. */
export const keptTextOf = (fields: EventFields, createdAt: string, updatedAt: string): string =>
  JSON.stringify({
    uid: fields.uid,
    title: fields.title,
    description: fields.description,
    location: fields.location,
    meetingUrl: fields.meetingUrl,
    allDay: fields.allDay,
    timezone: fields.timezone,
    status: fields.status,
    source: fields.source,
    bookingId: fields.bookingId,
    organizer: fields.organizer,
    attendees: fields.attendees,
    reminders: fields.reminders,
    notes: fields.notes,
    tags: fields.tags,
    recurrence: fields.recurrence,
    exdates: fields.exdates,
    rdates: fields.rdates,
    busy: fields.busy,
    emailId: fields.emailId,
    createdAt,
    updatedAt,
  }).slice(1)

export interface RenderableEvent {
  id: number
  /** Set on changed occurrences. */
  seriesId: number | null
  occurrenceStart: string | null
  start: string
  end: string
  shown: string
}

/**
 * Renders the JSON of an event. An occurrence has the id of its series. Instants and numbers need no
 * escaping.
 */
export const textOf = ({ id, seriesId, occurrenceStart, start, end, shown }: RenderableEvent): string => {
  const own = seriesId ?? id
  return occurrenceStart === null
    ? `{"id":${own},"recurringEventId":null,"occurrenceStart":null,"start":"${start}","end":"${end}",${shown}`
    : `{"id":${own},"recurringEventId":${own},"occurrenceStart":"${occurrenceStart}","start":"${start}","end":"${end}",${shown}`
}

/** A rendered event: its JSON, and the input of its ETag. */
export interface RenderedEvent {
  id: number
  version: number
  text: string
}

/** Columns that users do not set. */
export interface Bookkeeping {
  /** Set on changed occurrences. */
  seriesId: number | null
  recurrenceId: string
  sequence: number
  extra: string | null
  revisedAt: string | null
  nextReminderAt: string | null
  createdAt: string
  updatedAt: string
  version: number
}

/** Builds the whole row. A series is not expanded yet. */
export const rowOf = (fields: EventFields, kept: Bookkeeping): NewEventRow => {
  const series = isSeries(fields)
  const lastEnd = lastEndOf(fields)
  return {
    ...columnsOf(fields),
    ...kept,
    lastEnd,
    spanClass: (series ? SERIES : 0) + spanClassOf(fields.start, lastEnd),
    expandedFrom: series ? fields.start : null,
    expandedUntil: series ? fields.start : null,
    shown: keptTextOf(fields, kept.createdAt, kept.updatedAt),
  }
}

/** All occurrences are stored. */
export const FULLY_EXPANDED = { expandedFrom: EVER, expandedUntil: NEVER }
/** The series has too many occurrences to store. They are calculated with each query. */
export const NOT_EXPANDABLE = { expandedFrom: NEVER, expandedUntil: EVER }
