import type { Selectable } from 'kysely'
import Type, { type Static } from 'typebox'
import { columns, flag, json } from '../../database/entity.ts'
import { spanClassOf } from '../../database/overlaps.ts'
import type { EventRow, NewEventRow } from '../../database/tables/calendar.ts'
import { Instant, Nullable } from '../../platform/http/shapes.ts'
import { MAX_BUFFER_MINUTES } from './free-time.ts'
import { isSeries, lastEndOf } from './series.ts'
import { EVER, NEVER } from './times.ts'

export const STATUSES = ['tentative', 'confirmed', 'cancelled'] as const
export type EventStatus = (typeof STATUSES)[number]

export const SOURCES = ['manual', 'email', 'chat', 'bookingsvc', 'ics', 'caldav'] as const
export type EventSource = (typeof SOURCES)[number]

export const ANSWERS = ['needs-action', 'accepted', 'declined', 'tentative'] as const

const LongText = (example: string) => Type.String({ maxLength: 100_000, examples: [example] })

const CalendarId = Type.Integer({
  examples: [1],
  description: 'The calendar of the event',
})
const ChangedBy = Nullable(
  Type.String({
    examples: ['Ben Okafor'],
    description: 'Who made the last change, if it was not the owner of the calendar',
  }),
)

export const EventId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [42] })
export const Email = Type.String({ minLength: 1, maxLength: 320, examples: ['ana@example.org'] })
export const PersonName = Type.String({ maxLength: 500, examples: ['Ana Ruiz'] })
export const Answer = Type.Enum([...ANSWERS], { type: 'string', examples: ['accepted'] })
export const Tag = Type.String({ minLength: 1, maxLength: 100, examples: ['work'] })

export const Person = Type.Object({ name: PersonName, email: Email }, { title: 'Person' })
export type Person = Static<typeof Person>

export const Attendee = Type.Object({ name: PersonName, email: Email, status: Answer }, { title: 'Attendee' })
export type Attendee = Static<typeof Attendee>

const Reminder = Type.Object(
  {
    minutesBefore: Type.Integer({
      minimum: 0,
      maximum: 527_040,
      examples: [15],
      description: 'Up to one year',
    }),
  },
  { additionalProperties: false, title: 'Reminder' },
)
export type Reminder = Static<typeof Reminder>

const Buffer = (when: string) =>
  Nullable(
    Type.Integer({
      minimum: 1,
      maximum: MAX_BUFFER_MINUTES,
      examples: [30],
      description: `Minutes of travel or buffer time ${when}. They count as busy for you, and attendees do not receive them`,
    }),
  )

/**
 * The fields of an event that users and calendars set. Fingerprints of version 0.2.0 depend on their order: see
 * `hasFingerprint`.
 */
export const EventFields = Type.Object({
  uid: Type.String({
    minLength: 1,
    maxLength: 500,
    examples: ['q3vYw1y0T2uJf0b2nq8XVA@factotum'],
    description:
      'UID of RFC 5545. Busy times in the calendar of another account have one that starts with `busy-`',
  }),
  title: Type.String({ examples: ['Design review'] }),
  description: LongText('Bring the sketches.'),
  location: Type.String({ maxLength: 2000, examples: ['Room 4'] }),
  meetingUrl: Nullable(Type.String({ maxLength: 2000, examples: ['https://meet.example.org/design'] })),
  start: Instant,
  end: Instant,
  allDay: Type.Boolean({ examples: [false], description: 'From midnight to midnight in its time zone' }),
  timezone: Type.String({
    maxLength: 100,
    examples: ['Europe/Berlin'],
    description:
      'IANA time zone of the event; recurrences keep their local time across daylight saving changes',
  }),
  status: Type.Enum([...STATUSES], { type: 'string', examples: ['confirmed'] }),
  source: Type.Enum([...SOURCES], { type: 'string', examples: ['manual'] }),
  bookingId: Nullable(Type.String({ minLength: 1, maxLength: 200, examples: ['bk_7xYz'] })),
  organizer: Nullable(Person),
  attendees: Type.Array(Attendee),
  reminders: Type.Array(Reminder, {
    description: '`/api/calendar/events/{id}/alarms` lists other alarms from a calendar file or server',
  }),
  notes: LongText('Ask about the budget.'),
  tags: Type.Array(Tag),
  // One RRULE value per line. EXRULE values have the prefix `EXRULE:`.
  recurrence: Nullable(
    Type.String({
      maxLength: 4000,
      examples: ['FREQ=WEEKLY;BYDAY=MO'],
      description: 'RRULE of RFC 5545; separate several rules with line breaks',
    }),
  ),
  exdates: Type.Array(Instant, { description: 'Excluded occurrences' }),
  rdates: Type.Array(Instant, { description: 'Additional occurrences' }),
  busy: Type.Boolean({ examples: [true], description: 'Whether the event blocks time' }),
  emailId: Nullable(
    Type.Integer({ examples: [7], description: 'The email that the event was created from' }),
  ),
  bufferBefore: Buffer('before the start'),
  bufferAfter: Buffer('after the end'),
})
export type EventFields = Static<typeof EventFields>
export type EventField = keyof EventFields

/** The fields for the place of an event: a location, or a link. */
export const PLACE_FIELDS = ['location', 'meetingUrl'] as const
export type Place = Pick<EventFields, (typeof PLACE_FIELDS)[number]>

/** Picks the place of an event, or its schemas. */
export const pickPlace = <Location, Link>({
  location,
  meetingUrl,
}: {
  location: Location
  meetingUrl: Link
}) => ({ location, meetingUrl })

export const toPlace = (location: string, link: string | undefined): Place => ({
  location,
  meetingUrl: link ?? null,
})

/** The places of an event that are set. */
export const listPlaces = ({ location, meetingUrl }: Place): string[] =>
  [location, meetingUrl ?? ''].filter((place) => place !== '')

const { start, end, ...otherFields } = EventFields.properties

/** An event, a series, or an occurrence. An occurrence has the id of its series. */
export const Event = Type.Object(
  {
    id: EventId,
    recurringEventId: Nullable(
      Type.Integer({ examples: [42], description: 'The series of this occurrence' }),
    ),
    occurrenceStart: Nullable(
      Type.String({
        format: 'date-time',
        examples: ['2026-03-02T08:00:00.000Z'],
        description: 'Original start of the occurrence by the rule, even if it was moved',
      }),
    ),
    start,
    end,
    ...otherFields,
    calendarId: CalendarId,
    changedBy: ChangedBy,
    mirrorOf: Nullable(
      Type.Integer({
        examples: [17],
        description: 'The event in another calendar that this one shows. Such an event is read-only',
      }),
    ),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { title: 'Event' },
)
export type Event = Static<typeof Event>

/** An event with the version that its ETag needs. */
export type VersionedEvent = Event & { version: number }

/** Maps the fields to columns. All other columns of the table are derived from these or not set by users. */
export const eventColumns = columns(EventFields, {
  allDay: flag,
  organizer: json,
  attendees: json,
  reminders: json,
  tags: json,
  exdates: json,
  rdates: json,
  busy: flag,
})

export const BLANK: Omit<EventFields, 'uid' | 'title' | 'start' | 'end' | 'allDay' | 'timezone'> = {
  description: '',
  location: '',
  meetingUrl: null,
  status: 'confirmed',
  source: 'manual',
  bookingId: null,
  organizer: null,
  attendees: [],
  reminders: [],
  notes: '',
  tags: [],
  recurrence: null,
  exdates: [],
  rdates: [],
  busy: true,
  emailId: null,
  bufferBefore: null,
  bufferAfter: null,
}

/** The name of a field in descriptions of a change: a person sees one recurrence. */
export const toDetailField = <F extends EventField>(field: F): F | 'recurrence' =>
  field === 'exdates' || field === 'rdates' ? 'recurrence' : field

export const LOCAL_FIELDS = [
  'source',
  'bookingId',
  'notes',
  'emailId',
  'bufferBefore',
  'bufferAfter',
] as const
/** A field that calendar files and servers do not receive. */
export type LocalField = (typeof LOCAL_FIELDS)[number]
export type SharedField = Exclude<EventField, LocalField>
export const SHARED_FIELDS = eventColumns.names.filter(
  (name): name is SharedField => !(LOCAL_FIELDS as readonly EventField[]).includes(name),
)

/** Returns the named fields of an event. */
export const pickFields = <N extends EventField>(fields: EventFields, names: readonly N[]) =>
  Object.fromEntries(names.map((name) => [name, fields[name]])) as Pick<EventFields, N>

const TIME_FIELDS = ['start', 'end', 'allDay', 'recurrence'] as const
export const hasSameTimes = (one: EventFields, other: EventFields): boolean =>
  TIME_FIELDS.every((name) => one[name] === other[name])

/** Fields of the changes `event.created`, `event.updated` and `event.cancelled`. */
export const CHANGE_FIELDS = [
  'uid',
  'title',
  'start',
  'end',
  'allDay',
  'status',
  'source',
  'bookingId',
] as const satisfies EventField[]

/** Fields of the change `event.starting`. */
export const REMINDER_FIELDS = [
  'uid',
  'title',
  'location',
  'meetingUrl',
  'allDay',
  'timezone',
] as const satisfies EventField[]

export type EventRecord = Selectable<EventRow>

/** Returns the values that make up the ETag. */
export const versionOf = ({ id, version }: EventRecord): { id: number; version: number } => ({ id, version })

export const fieldsOf = (row: Pick<EventRecord, EventField>): EventFields => eventColumns.fromRow(row)

/** The columns that a response needs. */
export const RESPONSE_COLUMNS = [
  ...eventColumns.names,
  'calendarId',
  'changedBy',
  'mirrorOf',
  'createdAt',
  'updatedAt',
] as const
export type ResponseRow = Pick<EventRecord, (typeof RESPONSE_COLUMNS)[number] | 'id' | 'seriesId'>

/** Adds the fields that users do not set. A spread would copy each event of a page again. */
const addOtherFields = (fields: EventFields, row: ResponseRow, occurrenceStart: string | null): Event => {
  const event = fields as Event
  event.id = row.seriesId ?? row.id
  event.recurringEventId = occurrenceStart === null ? null : event.id
  event.occurrenceStart = occurrenceStart
  event.calendarId = row.calendarId
  event.changedBy = row.changedBy
  event.mirrorOf = row.mirrorOf
  event.createdAt = row.createdAt
  event.updatedAt = row.updatedAt
  return event
}

/** `occurrenceStart` is null for an event or a whole series. */
export const toEvent = (row: ResponseRow, occurrenceStart: string | null): Event =>
  addOtherFields(fieldsOf(row), row, occurrenceStart)

type OccurrenceRow = ResponseRow & { occurrenceStart: string | null }

export const toEvents = (rows: readonly OccurrenceRow[]): Event[] =>
  eventColumns.fromRows(rows).map((fields, index) => {
    const row = rows[index] as OccurrenceRow
    return addOtherFields(fields, row, row.occurrenceStart)
  })

/** Columns that users do not set. */
export interface Bookkeeping {
  userId: number
  calendarId: number
  changedBy: string | null
  mirrorOf: number | null
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
    ...(eventColumns.toRow(fields) as Pick<NewEventRow, EventField>),
    ...kept,
    lastEnd,
    spanClass: spanClassOf(fields.start, lastEnd, series ? 'series' : 'single'),
    expandedFrom: series ? fields.start : null,
    expandedUntil: series ? fields.start : null,
  }
}

/** All occurrences are stored. */
export const FULLY_EXPANDED = { expandedFrom: EVER, expandedUntil: NEVER }
/** The series has too many occurrences to store. They are calculated with each query. */
export const NOT_EXPANDABLE = { expandedFrom: NEVER, expandedUntil: EVER }
