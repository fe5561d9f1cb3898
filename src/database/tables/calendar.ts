import type { Generated, Selectable } from 'kysely'
import type { TableKeys } from './keys.ts'

/** An event, a series of events, or a changed occurrence of a series. */
export interface EventRow {
  id: Generated<number>
  /** iCalendar's name for it; an occurrence has its series'. */
  uid: string
  /** The original start of the occurrence that this row replaces; empty for everything else. */
  recurrenceId: string
  /** The series that this changed occurrence belongs to. */
  seriesId: number | null
  sequence: number
  title: string
  description: string
  location: string
  meetingUrl: string | null
  /** Of a series: of its first occurrence. */
  start: string
  end: string
  /** When it is over: `end`, or the end of a series' last occurrence; far beyond any window when it has none. */
  lastEnd: string
  /** How long it lasts, roughly (see spans.ts); beside `start` it finds what overlaps a moment. */
  spanClass: number
  allDay: number
  timezone: string
  status: string
  source: string
  bookingId: string | null
  /** JSON, as are attendees, reminders, tags, exdates and rdates. */
  organizer: string | null
  attendees: string
  reminders: string
  notes: string
  tags: string
  /** RRULE values, one a line, those of EXRULE with that name before them. */
  recurrence: string | null
  exdates: string
  rdates: string
  /** Whether it takes up the person's time. */
  busy: number
  emailId: number | null
  /** What iCalendar said that we do not model, as JSON. */
  extra: string | null
  /** When its author last changed it, where a calendar file told. */
  revisedAt: string | null
  /** Of a series: the stretch whose occurrences stand in `occurrences`. Null for everything else. */
  expandedFrom: string | null
  expandedUntil: string | null
  nextReminderAt: string | null
  /** The answer's JSON from the uid on: lists are put together from it without being read. */
  shown: string
  version: number
  createdAt: string
  updatedAt: string
}

export type NewEventRow = Omit<Selectable<EventRow>, 'id'>

/** Every one but the id, which the database gives. */
export const EVENT_COLUMNS = [
  'uid',
  'recurrenceId',
  'seriesId',
  'sequence',
  'title',
  'description',
  'location',
  'meetingUrl',
  'start',
  'end',
  'lastEnd',
  'spanClass',
  'allDay',
  'timezone',
  'status',
  'source',
  'bookingId',
  'organizer',
  'attendees',
  'reminders',
  'notes',
  'tags',
  'recurrence',
  'exdates',
  'rdates',
  'busy',
  'emailId',
  'extra',
  'revisedAt',
  'expandedFrom',
  'expandedUntil',
  'nextReminderAt',
  'shown',
  'version',
  'createdAt',
  'updatedAt',
] as const satisfies (keyof NewEventRow)[]

/** An occurrence of a series that nobody has changed, worked out ahead of being asked for. */
export interface OccurrenceRow {
  seriesId: number
  start: string
  end: string
  spanClass: number
}

export interface CalendarTables {
  events: EventRow
  occurrences: OccurrenceRow
}

export const calendarKeys: TableKeys<CalendarTables> = {
  events: ['id'],
  occurrences: ['seriesId', 'start'],
}
