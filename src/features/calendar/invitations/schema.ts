import Type from 'typebox'
import { Instant, Nullable, strict } from '../../../platform/http/shapes.ts'
import { Attendee, Event, Person } from '../event.ts'
import { NewEvent, SavedEvent } from '../schema.ts'

/** Longer than any email that a person writes. */
const MAX_TEXT_LENGTH = 500_000

const Piece = {
  text: Type.String({ examples: ['Thursday at noon'] }),
  offset: Type.Integer({
    minimum: 0,
    examples: [14],
    description: 'Position in the text, in UTF-16 code units',
  }),
}
const Confidence = Type.Number({ minimum: 0, maximum: 1, examples: [0.86] })

export const DetectInput = Type.Object(
  {
    text: Type.String({ maxLength: MAX_TEXT_LENGTH, examples: ['Shall we have lunch on Thursday at noon?'] }),
    subject: Type.Optional(
      Type.String({ maxLength: 2000, examples: ['Lunch'], description: 'Default title of a meeting' }),
    ),
    referenceTime: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 40,
        examples: ['2026-03-02T09:00:00+01:00'],
        description: 'When the text was written, the reference for “tomorrow”. Default: now',
      }),
    ),
    timezone: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        examples: ['Europe/Berlin'],
        description: 'Time zone of times without one. Default: the time zone of the instance',
      }),
    ),
  },
  { ...strict, title: 'DetectInput' },
)
export type DetectInput = Type.Static<typeof DetectInput>

export const FoundMeeting = Type.Object(
  {
    title: Type.String({ examples: ['Lunch'] }),
    start: Instant,
    end: Instant,
    allDay: Type.Boolean({ examples: [false] }),
    timezone: Type.String({ examples: ['Europe/Berlin'] }),
    location: Nullable(Type.String({ examples: ['Café Central'] })),
    meetingUrl: Nullable(Type.String({ examples: ['https://meet.example.org/design'] })),
    attendees: Type.Array(Type.String({ examples: ['Ana'] }), {
      description: 'Names and addresses as in the text',
    }),
    recurrence: Nullable(
      Type.String({ examples: ['FREQ=WEEKLY;BYDAY=TH'], description: 'Recurrence rule (RRULE)' }),
    ),
    confidence: Confidence,
    evidence: Type.Array(Type.Object(Piece, { title: 'FoundEvidence' })),
  },
  { title: 'FoundMeeting', description: 'Can be sent to `from-email` as `meeting`' },
)
export type FoundMeeting = Type.Static<typeof FoundMeeting>

export const Detection = Type.Object(
  {
    detected: Type.Boolean({ examples: [true] }),
    confidence: Type.Number({
      minimum: 0,
      maximum: 1,
      examples: [0.86],
      description: 'The highest confidence of all meetings; 0 if there is none',
    }),
    meetings: Type.Array(FoundMeeting, {
      description: 'In the order of the text. Each proposed time is a separate meeting',
    }),
    signals: Type.Array(
      Type.Object(
        {
          kind: Type.Enum(
            [
              'occasion',
              'proposal',
              'invitation',
              'acceptance',
              'link',
              'time',
              'past',
              'deadline',
              'bill',
              'hours',
              'offer',
              'cancellation',
            ],
            {
              type: 'string',
              examples: ['occasion'],
              description: '`past` and the kinds after it are evidence against a meeting',
            },
          ),
          ...Piece,
        },
        { title: 'MeetingSignal' },
      ),
    ),
  },
  { title: 'Detection' },
)

const { end, allDay, timezone, meetingUrl, attendees, recurrence } = NewEvent.properties

const Meeting = Type.Object(
  {
    title: Type.String({ minLength: 1, maxLength: 1000, examples: ['Design review'] }),
    start: Type.String({ minLength: 1, maxLength: 40, examples: ['2026-03-02T09:00:00+01:00'] }),
    end,
    allDay,
    timezone,
    location: Type.Optional(Nullable(Type.String({ maxLength: 2000, examples: ['Room 4'] }))),
    meetingUrl,
    attendees: Type.Optional(
      Type.Array(attendees.items, {
        maxItems: 200,
        description: 'Names without an address cannot be invited; they go into the notes',
      }),
    ),
    recurrence,
    confidence: Type.Optional(Type.Number({ minimum: 0, maximum: 1, examples: [0.92] })),
    evidence: Type.Optional(
      Type.Array(
        Type.Object(
          { text: Type.String({ maxLength: 10_000 }), offset: Type.Integer({ minimum: 0 }) },
          { ...strict, title: 'Evidence' },
        ),
        { maxItems: 200 },
      ),
    ),
  },
  { ...strict, title: 'Meeting', description: 'A meeting as returned by `detect`' },
)
export type Meeting = Type.Static<typeof Meeting>

export const FromEmail = Type.Object(
  {
    emailId: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        examples: [4711],
        description:
          'The email to read: its calendar part, or its text if it has none. Together with `meeting`: the email that contains the meeting',
      }),
    ),
    text: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500_000,
        examples: ['Shall we have lunch on Thursday at noon?'],
        description: 'A calendar in the text has precedence over prose',
      }),
    ),
    subject: Type.Optional(Type.String({ maxLength: 2000, examples: ['Lunch on Thursday?'] })),
    meeting: Type.Optional(Meeting),
  },
  {
    ...strict,
    title: 'FromEmail',
    description: 'Requires one of `emailId`, `text` and `meeting`.',
    minProperties: 1,
    examples: [{ subject: 'Lunch?', text: 'Shall we have lunch on 3 December 2026 at noon?' }],
  },
)
export type FromEmail = Type.Static<typeof FromEmail>

const Proposal = Type.Object(
  {
    start: Instant,
    end: Instant,
    allDay: Type.Boolean({ examples: [false] }),
    from: Person,
    comment: Type.String({ examples: ['I am on a train until ten.'] }),
  },
  { title: 'Proposal', description: 'Another time that an attendee proposes. The event is unchanged' },
)
export type Proposal = Type.Static<typeof Proposal>

export const MailedEvent = Type.Object(
  {
    ...SavedEvent.properties,
    outcome: Type.Enum(
      [
        'created',
        'updated',
        'unchanged',
        'cancelled',
        'answered',
        'proposed',
        'proposal_declined',
        'asked_again',
      ],
      {
        type: 'string',
        examples: ['created'],
        description:
          'Effect of the email. `answered`: an attendee replied. `proposed`: an attendee proposes another time. `proposal_declined`: the organizer declined your proposal. `asked_again`: an attendee requests the event again',
      },
    ),
    proposal: Nullable(Proposal),
    others: Type.Array(Type.Integer({ examples: [43] }), {
      description: 'Other events in the same email',
    }),
    alternatives: Type.Array(FoundMeeting, {
      description: 'Other meetings in the same text. Send one as `meeting` to create it too',
    }),
    actionId: Nullable(
      Type.Integer({
        minimum: 1,
        examples: [12],
        description:
          'Action id for `POST /api/actions/{id}/undo`. Set if the event is new and was detected in text',
      }),
    ),
  },
  { title: 'MailedEvent' },
)
export type MailedEvent = Type.Static<typeof MailedEvent>

export const Answer = Type.Object(
  {
    status: Type.Enum(['accepted', 'declined', 'tentative'], { type: 'string', examples: ['accepted'] }),
    comment: Type.Optional(
      Type.String({
        maxLength: 5000,
        examples: ['Looking forward to it.'],
        description: 'Comment for the organizer',
      }),
    ),
  },
  { ...strict, title: 'Answer' },
)
export type Answer = Type.Static<typeof Answer>

export const AnsweredEvent = Type.Object(
  {
    ...Event.properties,
    reply: Type.Object(
      {
        emailId: Type.Integer({
          examples: [4712],
          description: 'The reply in the outbox; its `delivery` shows the delivery status',
        }),
        from: Type.String({
          examples: ['ana@example.org'],
          description: 'The mail account that sends the reply',
        }),
        to: Type.String({ examples: ['ben@example.org'], description: 'The organizer' }),
      },
      { title: 'MailedReply' },
    ),
  },
  { title: 'AnsweredEvent' },
)

export const InvitationPath = Type.Object(
  { emailId: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [4711] }) },
  strict,
)

const INVITATION_STATES = [
  'new',
  'ready',
  'applied',
  'undone',
  'removed',
  'current',
  'outdated',
  'waiting',
  'refused',
] as const

export const InvitationCard = Type.Object(
  {
    emailId: Type.Integer({ examples: [4711] }),
    method: Type.String({
      examples: ['REQUEST'],
      description: 'iTIP method (RFC 5546): an invitation or its revision, a cancellation, a reply',
    }),
    title: Type.String({ examples: ['Design review'] }),
    start: Nullable(Instant),
    end: Nullable(Instant),
    allDay: Type.Boolean({ examples: [false] }),
    timezone: Nullable(Type.String({ examples: ['Europe/Berlin'] })),
    location: Type.String({ examples: ['Room 4'] }),
    meetingUrl: Nullable(Type.String({ examples: ['https://meet.example.org/design'] })),
    recurrence: Nullable(
      Type.String({ examples: ['FREQ=WEEKLY;BYDAY=MO'], description: 'RRULE of RFC 5545' }),
    ),
    occurrence: Nullable(
      Type.String({
        format: 'date-time',
        examples: ['2026-03-02T08:00:00.000Z'],
        description:
          'Original start of the occurrence that the email is about. Null: the event or the whole series',
      }),
    ),
    cancelled: Type.Boolean({
      examples: [false],
      description: 'Whether the email cancels the event, or the event in the calendar is cancelled',
    }),
    attendees: Type.Array(Attendee, { description: 'As in the calendar, otherwise as in the email' }),
    answer: Nullable(
      Type.Enum(['needs-action', 'accepted', 'declined', 'tentative'], {
        type: 'string',
        examples: ['needs-action'],
        description: 'Your answer. Null: none of your mail accounts is invited',
      }),
    ),
    canAnswer: Type.Boolean({
      examples: [true],
      description: 'Whether `POST /api/calendar/invitations/{emailId}/respond` is possible',
    }),
    comment: Type.String({
      examples: ['I am on a train until ten.'],
      description: 'Comment of the attendee in a reply or a counter-proposal',
    }),
    former: Nullable(
      Type.Object(
        {
          title: Type.String({ examples: ['Design review'] }),
          start: Instant,
          end: Instant,
          allDay: Type.Boolean({ examples: [false] }),
          location: Type.String({ examples: ['Room 4'] }),
        },
        {
          title: 'PreviousTimes',
          description:
            'The values in the calendar before this email, if it changes the time, title or location',
        },
      ),
    ),
    conflicts: Type.Array(
      Type.Object(
        {
          id: Type.Integer({ examples: [17] }),
          title: Type.String({ examples: ['Dentist'] }),
          start: Instant,
          end: Instant,
          allDay: Type.Boolean({ examples: [false] }),
        },
        { title: 'ConflictingEvent' },
      ),
      {
        description: 'At most five events of your calendar at the same time; for a series, at its first time',
      },
    ),
    sender: Type.String({ examples: ['ben@example.org'], description: 'Sender of the email' }),
    organizer: Nullable(Person),
    eventId: Nullable(Type.Integer({ examples: [42], description: 'The event in the calendar' })),
    state: Type.Enum([...INVITATION_STATES], {
      type: 'string',
      examples: ['applied'],
      description:
        '`new`: not in the calendar. `ready`: about to be applied. `applied`: it changed the event. `undone`: the change was undone. `removed`: it changed the event, which was deleted since. `current`: it contains nothing new. `outdated`: the calendar has a later version. `waiting`: `from-email` can apply it. `refused`: `from-email` rejects it',
    }),
    reason: Nullable(
      Type.String({
        examples: ['Sent by eve@example.net, who is not the organizer ben@example.org.'],
        description: 'Why it is not applied automatically',
      }),
    ),
    actionId: Nullable(
      Type.Integer({
        minimum: 1,
        examples: [12],
        description: 'Action id for `POST /api/actions/{id}/undo`',
      }),
    ),
  },
  { title: 'InvitationCard' },
)
export type InvitationCard = Type.Static<typeof InvitationCard>
