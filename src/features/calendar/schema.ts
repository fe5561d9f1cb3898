import Type, { type Static } from 'typebox'
import { Instant, NextCursor, Nullable, pageParameters, strict } from '../../platform/http/shapes.ts'
import {
  Answer,
  Email,
  Event,
  EventFields,
  EventId,
  PersonName,
  PLACE_FIELDS,
  SOURCES,
  Tag,
} from './event.ts'

const Moment = (example: string, description?: string) =>
  Type.String({ minLength: 1, maxLength: 40, examples: [example], ...(description && { description }) })
const { uid: Uid, source: Source, ...ownFields } = EventFields.properties
const { status: Status, timezone: Timezone } = ownFields
const BookingId = ownFields.bookingId.anyOf[0]

export const CalendarId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [1] })
const ofCalendar = Type.Optional({ ...CalendarId, description: 'Only events of this calendar' })

export const SavedEvent = Type.Object(
  {
    ...Event.properties,
    conflicts: Type.Array(Type.Integer({ examples: [17] }), {
      description:
        'Events that overlap in time; for a series, those that overlap one of its next 30 occurrences. Overlaps are reported, not rejected',
    }),
    invitations: Type.Optional(
      Type.Array(
        Type.Object(
          {
            emailId: Type.Integer({
              examples: [4712],
              description:
                'The email in the outbox. `POST /api/emails/{id}/cancel-send` stops it for ten seconds',
            }),
            kind: Type.Enum(['invited', 'updated', 'cancelled', 'uninvited', 'answered'], {
              type: 'string',
              examples: ['invited'],
            }),
            to: Type.Array(Type.String({ examples: ['ben@example.org'] })),
          },
          { title: 'SentInvitation' },
        ),
        {
          description: 'With `sendInvitations`: the emails that are sent, one for all with the same content',
        },
      ),
    ),
  },
  { title: 'SavedEvent' },
)
/** A scheduling email that was queued. */
export type SentInvitation = NonNullable<Static<typeof SavedEvent>['invitations']>[number]

export const EventList = Type.Object(
  { events: Type.Array(Event), nextCursor: NextCursor },
  { title: 'EventList' },
)
export type EventList = Static<typeof EventList>

/** "Name <a@b>" and "a@b" are also accepted. */
const Written = Type.String({ minLength: 1, maxLength: 900, examples: ['Ana Ruiz <ana@example.org>'] })
const PersonInput = Type.Union([
  Written,
  Type.Object({ name: Type.Optional(PersonName), email: Email }, { ...strict, title: 'PersonInput' }),
])
const AttendeeInput = Type.Union([
  Written,
  Type.Object(
    { name: Type.Optional(PersonName), email: Email, status: Type.Optional(Answer) },
    { ...strict, title: 'AttendeeInput' },
  ),
])
const Days = (description: string) =>
  Type.Array(Moment('2026-04-06T07:00:00Z'), { maxItems: 5000, description })

/** The fields of a request. Those that are validated like the stored ones are not listed. */
const givenFields = {
  ...ownFields,
  title: Type.String({ minLength: 1, maxLength: 1000, pattern: '\\S', examples: ['Design review'] }),
  start: Moment('2026-03-02T09:00:00+01:00', 'A date without a time is interpreted in the event’s time zone'),
  end: Moment(
    '2026-03-02T10:00:00+01:00',
    'Must be after the start. Default: an hour later, or the next day for all-day events',
  ),
  allDay: Type.Boolean({
    examples: [false],
    description: 'Expands start and end to whole days in the event’s time zone',
  }),
  organizer: Nullable(PersonInput),
  attendees: Type.Array(AttendeeInput, { maxItems: 1000 }),
  reminders: Type.Array(ownFields.reminders.items, { maxItems: 50 }),
  tags: Type.Array(Type.String({ ...Tag, pattern: '\\S' }), { maxItems: 100 }),
  exdates: Days('Occurrences to exclude'),
  rdates: Days('Additional occurrences'),
  busy: Type.Boolean({ examples: [true] }),
  emailId: Nullable(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [7] })),
  calendarId: {
    ...CalendarId,
    description: 'The calendar of the event; by default the default calendar. A change moves the event',
  },
  conferencing: Type.Boolean({
    examples: [true],
    description: 'Set `meetingUrl` to a new link of `conferencingLink` in your preferences',
  }),
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
      'A new event requires `title` and `start`. If an event with the `bookingId` exists, only the given fields change.',
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

export type NewEvent = Static<typeof NewEvent>
export type EventChange = Static<typeof EventChange>

export const QuickEventInput = Type.Object(
  {
    text: Type.String({
      minLength: 1,
      maxLength: 2000,
      pattern: '\\S',
      examples: ['coffee with Ben Monday 15 at the lake'],
    }),
    dryRun: Type.Optional(
      Type.Boolean({ examples: [false], description: 'Return a preview without creating the event' }),
    ),
    timezone: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        examples: ['Europe/Berlin'],
        description: 'Time zone of the event and of the times in the text. Default: your time zone',
      }),
    ),
    calendarId: Type.Optional(givenFields.calendarId),
    start: Type.Optional(
      Moment(
        '2026-12-07T09:00:00+01:00',
        'The time that was chosen in the calendar. It sets what the text does not say: the day, the hour or the length',
      ),
    ),
    end: Type.Optional(givenFields.end),
    allDay: Type.Optional(givenFields.allDay),
  },
  {
    ...strict,
    title: 'QuickEventInput',
    examples: [{ text: 'coffee with Ben Monday 15 at the lake' }],
  },
)
export type QuickEventInput = Static<typeof QuickEventInput>

const understood = Type.Array(
  Type.Object(
    {
      kind: Type.Enum(
        ['title', 'start', 'end', 'allDay', 'place', 'person', 'recurrence', 'reminder', 'zone'],
        { type: 'string', examples: ['place'] },
      ),
      text: Type.String({ examples: ['lake'] }),
      offset: Type.Integer({
        minimum: 0,
        examples: [33],
        description: 'Position in the text, in UTF-16 code units',
      }),
    },
    { title: 'UnderstoodEventPart' },
  ),
  { description: 'The parts of the text and their meaning. A person in the title is listed as well' },
)

export const QuickEvent = Type.Object({ ...SavedEvent.properties, understood }, { title: 'QuickEvent' })
export type QuickEvent = Static<typeof QuickEvent> & { version: number }

export const PREVIEW_FIELDS = [
  'title',
  'start',
  'end',
  'allDay',
  'timezone',
  ...PLACE_FIELDS,
  'attendees',
  'reminders',
  'recurrence',
] as const

export const QuickEventPreview = Type.Object(
  {
    id: Nullable(EventId),
    ...Type.Pick(EventFields, PREVIEW_FIELDS).properties,
    start: Nullable(Instant),
    end: Nullable(Instant),
    timezone: Timezone,
    understood,
  },
  {
    title: 'QuickEventPreview',
    description: '`start` and `end` are null if the text names no time and none was chosen',
  },
)
export type QuickEventPreview = Static<typeof QuickEventPreview>

export const EventPath = Type.Object({ id: EventId }, strict)
export const BookingPath = Type.Object({ bookingId: BookingId }, strict)

const Occurrence = Type.Optional(
  Moment('2026-03-02T08:00:00.000Z', '`occurrenceStart` of an occurrence of the series'),
)
export const OneOccurrence = Type.Object({ occurrence: Occurrence }, strict)
const SendInvitations = Type.Optional(
  Type.Boolean({
    examples: [false],
    description:
      'Send invitations, updates and cancellations to the attendees whom the change concerns, from the mail account of the organizer. As an attendee: tell the organizer that you decline. Default: false, nothing is sent. A personal access token also needs `mail:write`. Nothing is sent for events whose CalDAV server sends invitations itself',
  }),
)
export const NewEventQuery = Type.Object({ sendInvitations: SendInvitations }, strict)
export const ChangeScope = Type.Object(
  {
    sendInvitations: SendInvitations,
    occurrence: Occurrence,
    scope: Type.Optional(
      Type.Enum(['this', 'following', 'all'], {
        type: 'string',
        examples: ['this'],
        description:
          'With `occurrence`: only this occurrence (default), this and following, or the whole series',
      }),
    ),
  },
  strict,
)

const WindowStart = Type.Optional(Moment('2026-03-01', 'Excludes events that end at or before this time'))
const WindowEnd = Type.Optional(Moment('2026-04-01', 'Excludes events that start at or after this time'))
export const EventsQuery = Type.Object(
  {
    start: WindowStart,
    end: WindowEnd,
    status: Type.Optional(Status),
    source: Type.Optional(Source),
    calendarId: ofCalendar,
    ...pageParameters,
  },
  strict,
)
export type EventsQuery = Static<typeof EventsQuery>
export const UpcomingQuery = Type.Object(
  {
    days: Type.Integer({ minimum: 1, maximum: 366, default: 7, examples: [7] }),
    calendarId: ofCalendar,
    ...pageParameters,
  },
  strict,
)
export type UpcomingQuery = Static<typeof UpcomingQuery>
export const ExportQuery = Type.Object({ calendarId: ofCalendar }, strict)
export const ImportQuery = Type.Object(
  {
    calendarId: Type.Optional({
      ...CalendarId,
      description: 'The calendar of new events. Default: the default calendar',
    }),
  },
  strict,
)
export const StatsQuery = Type.Object(
  {
    start: Type.Optional(Moment('2026-03-01', 'Default: the beginning of this month')),
    end: Type.Optional(Moment('2026-04-01', 'Default: a month after the start')),
  },
  strict,
)
export type StatsQuery = Static<typeof StatsQuery>
export const Stats = Type.Object(
  {
    start: Instant,
    end: Instant,
    timezone: Timezone,
    total: Type.Integer({ examples: [12], description: 'Includes cancelled events' }),
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
      description: 'Total duration within the window, without cancelled and all-day events',
    }),
    averageMinutes: Type.Number({ examples: [51.8], description: 'Average duration of the same events' }),
    byWeekday: Type.Array(Type.Integer({ examples: [2] }), {
      minItems: 7,
      maxItems: 7,
      examples: [[2, 4, 3, 5, 1, 0, 0]],
      description: 'Number of events that start on each weekday, Monday first; without cancelled events',
    }),
    byHour: Type.Array(Type.Integer({ examples: [1] }), {
      minItems: 24,
      examples: [[0, 0, 0, 0, 0, 0, 0, 0, 1, 3, 2, 2, 1, 0, 2, 3, 1, 0, 0, 0, 0, 0, 0, 0]],
      maxItems: 24,
      description:
        'Number of events that start in each hour of the day; without cancelled and all-day events',
    }),
    conflicts: Type.Integer({ examples: [1], description: 'Number of pairs of overlapping events' }),
  },
  { title: 'CalendarStats' },
)

export const FreeQuery = Type.Object(
  {
    start: Type.Optional(Moment('2026-03-02', 'Default: now')),
    end: Type.Optional(Moment('2026-03-07', 'Default: a week after the start')),
    minutes: Type.Integer({
      minimum: 1,
      maximum: 1440,
      default: 30,
      examples: [30],
      description: 'Minimum length in minutes',
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
      description: 'Whether tentative events block time',
    }),
    ...pageParameters,
  },
  strict,
)
export type FreeQuery = Static<typeof FreeQuery>
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

export const FindTimeInput = Type.Object(
  {
    attendees: Type.Array(Written, {
      maxItems: 50,
      examples: [['ben@example.org']],
      description: 'Your own addresses are ignored',
    }),
    start: FreeQuery.properties.start,
    end: FreeQuery.properties.end,
    minutes: Type.Optional(
      Type.Integer({ minimum: 5, maximum: 1440, examples: [30], description: 'Default: 30' }),
    ),
    eventId: Type.Optional({
      ...EventId,
      description: 'The event that is planned: it does not count as busy',
    }),
    limit: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 50, examples: [10], description: 'Number of slots. Default: 10' }),
    ),
  },
  { ...strict, title: 'FindTimeInput', examples: [{ attendees: ['ben@example.org'], minutes: 30 }] },
)
export type FindTimeInput = Static<typeof FindTimeInput>

const TimeRange = Type.Object({ start: Instant, end: Instant }, { title: 'TimeRange' })
const personTimes = {
  working: Type.Array(TimeRange, { description: 'Working hours' }),
  busy: Type.Array(TimeRange, { description: 'Busy times. Those that overlap are one' }),
}
export const FoundTimes = Type.Object(
  {
    timezone: Timezone,
    start: Instant,
    end: Instant,
    own: Type.Object(personTimes, { title: 'OwnTimes' }),
    people: Type.Array(
      Type.Object(
        {
          email: Email,
          known: Type.Boolean({
            examples: [true],
            description: 'Whether the person shares a calendar with you. Otherwise there are no times',
          }),
          ...personTimes,
        },
        { title: 'PersonTimes' },
      ),
    ),
    slots: Type.Array(TimeRange, {
      description: 'The next times when you and all known people work and are free, at most three in a row',
    }),
  },
  { title: 'FoundTimes' },
)
export type FoundTimes = Static<typeof FoundTimes>

export const CALENDAR_TYPE = 'text/calendar'

/** Content of a calendar file in requests and responses. */
export const CalendarFile = {
  [CALENDAR_TYPE]: {
    schema: { type: 'string', example: 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\n…\r\nEND:VCALENDAR\r\n' },
  },
}

const Count = (description: string) => Type.Integer({ examples: [3], description })

const Remark = Type.Object(
  {
    uid: Nullable(Type.String({ examples: ['20260301T120000Z-7@example.org'] })),
    line: Type.Integer({ examples: [214], description: 'First line of the component in the file' }),
    reason: Type.String({ examples: ['The event ends before it starts.'] }),
  },
  { title: 'ImportRemark' },
)

export const ImportReport = Type.Object(
  {
    found: Count('Number of components in the file, without time zones'),
    created: Count('Number of new events'),
    updated: Count('Number of events that were updated with a later revision'),
    unchanged: Count('Number of events that exist already'),
    skippedCount: Count('Number of components that were skipped'),
    skipped: Type.Array(Remark, { description: 'The first thousand skipped components, with the reasons' }),
    warnings: Type.Array(Remark, { description: 'Components that were imported with changes' }),
    actionId: Nullable(
      Type.Integer({ examples: [12], description: 'Action id to undo the import; null if nothing changed' }),
    ),
  },
  { title: 'ImportReport' },
)
export type ImportReport = Static<typeof ImportReport>

export const FeedQuery = Type.Object(
  {
    token: Type.Optional(
      Type.String({
        maxLength: 200,
        examples: ['u3JmX0o1Qk3dL8r5sT7u…x7Qd'],
        description: 'A feed token for the calendar',
      }),
    ),
  },
  strict,
)

const AlarmId = Type.String({ minLength: 1, maxLength: 50, examples: ['1k3f9xz'] })

export const Alarm = Type.Object(
  {
    id: AlarmId,
    relativeTo: Nullable(
      Type.Enum(['start', 'end'], {
        type: 'string',
        examples: ['end'],
        description: 'Null for an alarm at a fixed time',
      }),
    ),
    minutesAfter: Nullable(
      Type.Number({
        examples: [-10],
        description: 'Minutes after the start or end of each occurrence; negative values are before it',
      }),
    ),
    at: Nullable(Type.String({ ...Instant, description: 'Time of an alarm at a fixed time' })),
  },
  { title: 'Alarm' },
)
export type Alarm = Static<typeof Alarm>

export const AlarmList = Type.Object(
  { alarms: Type.Array(Alarm), nextCursor: NextCursor },
  { title: 'AlarmList' },
)
export const AlarmPath = Type.Object({ id: EventId, alarmId: AlarmId }, strict)
