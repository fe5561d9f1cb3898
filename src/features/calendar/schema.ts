import Type from 'typebox'
import { Instant, NextCursor, Nullable } from '../../platform/http/shapes.ts'
import { ANSWERS, SOURCES, STATUSES } from './event.ts'

const strict = { additionalProperties: false }

const Moment = (example: string, description?: string) =>
  Type.String({ minLength: 1, maxLength: 40, examples: [example], ...(description && { description }) })
const Status = Type.Enum([...STATUSES], { type: 'string', examples: ['confirmed'] })
const Source = Type.Enum([...SOURCES], { type: 'string', examples: ['manual'] })
export const EventId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [42] })
const BookingId = Type.String({ minLength: 1, maxLength: 200, examples: ['bk_7xYz'] })
const Uid = Type.String({ minLength: 1, maxLength: 500, examples: ['q3vYw1y0T2uJf0b2nq8XVA@factotum'] })
const Title = Type.String({ minLength: 1, maxLength: 1000, pattern: '\\S', examples: ['Design review'] })
const LongText = (example: string) => Type.String({ maxLength: 100_000, examples: [example] })
const Location = Type.String({ maxLength: 2000, examples: ['Room 4'] })
const MeetingUrl = Type.String({ maxLength: 2000, examples: ['https://meet.example.org/design'] })
const Timezone = Type.String({
  maxLength: 100,
  examples: ['Europe/Berlin'],
  description: 'Whose clock the event keeps to, also over changes between winter and summer time',
})
const Recurrence = Type.String({
  maxLength: 4000,
  examples: ['FREQ=WEEKLY;BYDAY=MO'],
  description: 'An RRULE of RFC 5545; several stand on lines of their own',
})

const Email = Type.String({ minLength: 1, maxLength: 320, examples: ['ana@example.org'] })
const PersonName = Type.String({ maxLength: 500, examples: ['Ana Ruiz'] })
const Answer = Type.Enum([...ANSWERS], { type: 'string', examples: ['accepted'] })
export const Person = Type.Object({ name: PersonName, email: Email }, { title: 'Person' })
const Attendee = Type.Object({ name: PersonName, email: Email, status: Answer }, { title: 'Attendee' })
const Reminder = Type.Object(
  {
    minutesBefore: Type.Integer({
      minimum: 0,
      maximum: 527_040,
      examples: [15],
      description: 'Up to a year',
    }),
  },
  { ...strict, title: 'Reminder' },
)
const Tag = Type.String({ minLength: 1, maxLength: 100, examples: ['work'] })
const GivenTag = Type.String({ ...Tag, pattern: '\\S' })

const eventFields = {
  id: EventId,
  recurringEventId: Nullable(
    Type.Integer({ examples: [42], description: 'The series that this is an occurrence of' }),
  ),
  occurrenceStart: Nullable(
    Type.String({
      format: 'date-time',
      examples: ['2026-03-02T08:00:00.000Z'],
      description: 'Which occurrence it is: when it starts by the rule, also after it was moved',
    }),
  ),
  start: Instant,
  end: Instant,
  uid: Uid,
  title: Type.String({ examples: ['Design review'] }),
  description: LongText('Bring the sketches.'),
  location: Location,
  meetingUrl: Nullable(MeetingUrl),
  allDay: Type.Boolean({ examples: [false], description: 'From midnight to midnight in its time zone' }),
  timezone: Timezone,
  status: Status,
  source: Source,
  bookingId: Nullable(BookingId),
  organizer: Nullable(Person),
  attendees: Type.Array(Attendee),
  reminders: Type.Array(Reminder, {
    description: 'What else a file or server has it remind of is told at `/api/calendar/events/{id}/alarms`',
  }),
  notes: LongText('Ask about the budget.'),
  tags: Type.Array(Tag),
  recurrence: Nullable(Recurrence),
  exdates: Type.Array(Instant, { description: 'Occurrences that are left out' }),
  rdates: Type.Array(Instant, { description: 'Occurrences beyond the rule' }),
  busy: Type.Boolean({ examples: [true], description: 'Whether it takes up time' }),
  emailId: Nullable(Type.Integer({ examples: [7], description: 'The e-mail it came from' })),
  createdAt: Instant,
  updatedAt: Instant,
}
export const Event = Type.Object(eventFields, { title: 'Event' })
export const SavedEvent = Type.Object(
  {
    ...eventFields,
    conflicts: Type.Array(Type.Integer({ examples: [17] }), {
      description:
        'Events that take up some of the same time, of a series some of that of its next 30 occurrences; told, never refused',
    }),
  },
  { title: 'SavedEvent' },
)
export const EventList = Type.Object(
  { events: Type.Array(Event), nextCursor: NextCursor },
  { title: 'EventList' },
)

/** "Name <a@b>" and "a@b" are taken as well. */
const Written = Type.String({ minLength: 1, maxLength: 900, examples: ['Ana Ruiz <ana@example.org>'] })
const GivenPerson = Type.Union([
  Written,
  Type.Object({ name: Type.Optional(PersonName), email: Email }, { ...strict, title: 'GivenPerson' }),
])
const GivenAttendee = Type.Union([
  Written,
  Type.Object(
    { name: Type.Optional(PersonName), email: Email, status: Type.Optional(Answer) },
    { ...strict, title: 'GivenAttendee' },
  ),
])
const Days = (description: string) =>
  Type.Array(Moment('2026-04-06T07:00:00Z'), { maxItems: 5000, description })

const givenFields = {
  title: Title,
  description: LongText('Bring the sketches.'),
  location: Location,
  meetingUrl: Nullable(MeetingUrl),
  start: Moment('2026-03-02T09:00:00+01:00', 'A bare day is read in the event’s time zone'),
  end: Moment('2026-03-02T10:00:00+01:00', 'After the start; an hour later, or the next day, unless given'),
  allDay: Type.Boolean({
    examples: [false],
    description: 'Start and end are then widened to whole days of its time zone',
  }),
  timezone: Timezone,
  status: Status,
  bookingId: Nullable(BookingId),
  organizer: Nullable(GivenPerson),
  attendees: Type.Array(GivenAttendee, { maxItems: 1000 }),
  reminders: Type.Array(Reminder, { maxItems: 50 }),
  notes: LongText('Ask about the budget.'),
  tags: Type.Array(GivenTag, { maxItems: 100 }),
  recurrence: Nullable(Recurrence),
  exdates: Days('Occurrences to leave out'),
  rdates: Days('Occurrences beyond the rule'),
  busy: Type.Boolean({ examples: [true] }),
  emailId: Nullable(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [7] })),
}
export const NewEvent = Type.Object(
  {
    ...Type.Partial(Type.Object(givenFields)).properties,
    uid: Type.Optional(Uid),
    source: Type.Optional(Source),
  },
  {
    ...strict,
    title: 'NewEvent',
    description:
      'A new event needs a `title` and a `start`. With a `bookingId` that is known already, only the fields given change.',
    examples: [
      {
        title: 'Design review',
        start: '2026-12-07T09:00:00+01:00',
        end: '2026-12-07T10:00:00+01:00',
        timezone: 'Europe/Berlin',
        location: 'Meeting room 4',
        attendees: ['Ben Okafor <ben@example.org>'],
        reminders: [{ minutesBefore: 15 }],
        recurrence: 'FREQ=WEEKLY;BYDAY=MO',
      },
    ],
  },
)
export const EventChange = Type.Object(Type.Partial(Type.Object(givenFields)).properties, {
  ...strict,
  title: 'EventChange',
  minProperties: 1,
  examples: [{ title: 'Design review, second part', location: 'Meeting room 5' }],
})

export type NewEvent = Type.Static<typeof NewEvent>
export type EventChange = Type.Static<typeof EventChange>

export const EventPath = Type.Object({ id: EventId }, strict)
export const BookingPath = Type.Object({ bookingId: BookingId }, strict)

const Occurrence = Type.Optional(
  Moment('2026-03-02T08:00:00.000Z', '`occurrenceStart` of one occurrence of the series'),
)
export const OneOccurrence = Type.Object({ occurrence: Occurrence }, strict)
export const ChangeScope = Type.Object(
  {
    occurrence: Occurrence,
    scope: Type.Optional(
      Type.Enum(['this', 'following', 'all'], {
        type: 'string',
        examples: ['this'],
        description:
          'With `occurrence`: it alone (unless told otherwise), it and those after it, or the whole series',
      }),
    ),
  },
  strict,
)

const WindowStart = Type.Optional(Moment('2026-03-01', 'What is over by then is left out'))
const WindowEnd = Type.Optional(Moment('2026-04-01', 'What starts then or later is left out'))
const cursor = Type.Optional(
  Type.String({
    maxLength: 1000,
    examples: ['WyIyMDI2LTAzLTAxIiw0Ml0'],
    description: '`nextCursor` of the page before',
  }),
)
const limit = Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'How many at most' })

export const EventsQuery = Type.Object(
  {
    start: WindowStart,
    end: WindowEnd,
    status: Type.Optional(Status),
    source: Type.Optional(Source),
    limit,
    cursor,
  },
  strict,
)
export const UpcomingQuery = Type.Object(
  { days: Type.Integer({ minimum: 1, maximum: 366, default: 7, examples: [7] }), limit, cursor },
  strict,
)
export const StatsQuery = Type.Object(
  {
    start: Type.Optional(Moment('2026-03-01', 'The beginning of this month unless given')),
    end: Type.Optional(Moment('2026-04-01', 'A month after the start unless given')),
  },
  strict,
)
export const Stats = Type.Object(
  {
    start: Instant,
    end: Instant,
    timezone: Timezone,
    total: Type.Integer({ examples: [12], description: 'Cancelled ones included' }),
    byStatus: Type.Object({
      tentative: Type.Integer({ examples: [1] }),
      confirmed: Type.Integer({ examples: [10] }),
      cancelled: Type.Integer({ examples: [1] }),
    }),
    bySource: Type.Object(
      Object.fromEntries(SOURCES.map((source) => [source, Type.Integer({ examples: [2] })])) as Record<
        (typeof SOURCES)[number],
        ReturnType<typeof Type.Integer>
      >,
    ),
    hours: Type.Number({
      examples: [9.5],
      description: 'Spent inside the window; without cancelled and all-day ones',
    }),
    averageMinutes: Type.Number({ examples: [51.8], description: 'Of the same' }),
    byWeekday: Type.Array(Type.Integer({ examples: [2] }), {
      minItems: 7,
      maxItems: 7,
      examples: [[2, 4, 3, 5, 1, 0, 0]],
      description: 'How many start on each, Monday first; without cancelled ones',
    }),
    byHour: Type.Array(Type.Integer({ examples: [1] }), {
      minItems: 24,
      examples: [[0, 0, 0, 0, 0, 0, 0, 0, 1, 3, 2, 2, 1, 0, 2, 3, 1, 0, 0, 0, 0, 0, 0, 0]],
      maxItems: 24,
      description: 'How many start in each hour of the day; without cancelled and all-day ones',
    }),
    conflicts: Type.Integer({ examples: [1], description: 'Pairs that take up some of the same time' }),
  },
  { title: 'CalendarStats' },
)

export const FreeQuery = Type.Object(
  {
    start: Type.Optional(Moment('2026-03-02', 'Now unless given')),
    end: Type.Optional(Moment('2026-03-07', 'A week after the start unless given')),
    minutes: Type.Integer({
      minimum: 1,
      maximum: 1440,
      default: 30,
      examples: [30],
      description: 'How long it must be',
    }),
    buffer: Type.Integer({
      minimum: 0,
      maximum: 480,
      default: 0,
      examples: [10],
      description: 'Minutes to keep free before and after each event',
    }),
    tentative: Type.Enum(['busy', 'free'], {
      type: 'string',
      default: 'busy',
      description: 'Whether tentative events take up time',
    }),
    limit,
    cursor,
  },
  strict,
)
export const FreeSlots = Type.Object(
  {
    timezone: Timezone,
    slots: Type.Array(
      Type.Object(
        { start: Instant, end: Instant, minutes: Type.Integer({ examples: [90] }) },
        { title: 'FreeSlot' },
      ),
    ),
    nextCursor: NextCursor,
  },
  { title: 'FreeSlots' },
)
