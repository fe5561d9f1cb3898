import Type from 'typebox'
import { Instant, Nullable } from '../../../platform/http/shapes.ts'
import { Event, NewEvent, Person, SavedEvent } from '../schema.ts'
import { FoundMeeting } from './detect-schema.ts'

const strict = { additionalProperties: false }

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
        description: 'Those without an address cannot be invited: their names go into the notes',
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
  { ...strict, title: 'Meeting', description: 'As `detect` finds it' },
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
          'The e-mail whose calendar part, or else whose text, is read; beside `meeting`, the e-mail it was found in',
      }),
    ),
    text: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500_000,
        examples: ['Shall we have lunch on Thursday at noon?'],
        description: 'A calendar in it is read before its prose',
      }),
    ),
    subject: Type.Optional(Type.String({ maxLength: 2000, examples: ['Lunch on Thursday?'] })),
    meeting: Type.Optional(Meeting),
  },
  {
    ...strict,
    title: 'FromEmail',
    description: 'One of `emailId`, `text` and `meeting`.',
    minProperties: 1,
    examples: [{ emailId: 4711 }],
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
  { title: 'Proposal', description: 'Other times that someone invited asks for; the event is as it was' },
)

export const MailedEvent = Type.Object(
  {
    ...SavedEvent.properties,
    outcome: Type.Enum(
      [
        ...['created', 'updated', 'unchanged', 'cancelled'],
        ...['answered', 'proposed', 'proposal_declined', 'asked_again'],
      ],
      {
        type: 'string',
        examples: ['created'],
        description:
          'What the mail did: `answered`, someone invited has; `proposed`, they ask for other times; `proposal_declined`, the organizer will not have ours; `asked_again`, someone wants to be told about the event once more',
      },
    ),
    proposal: Nullable(Proposal),
    others: Type.Array(Type.Integer({ examples: [43] }), {
      description: 'Further events that the same mail was about',
    }),
    alternatives: Type.Array(FoundMeeting, {
      description: 'Other meetings that the same prose proposes: send one as `meeting` to have it too',
    }),
    actionId: Nullable(
      Type.Integer({
        minimum: 1,
        examples: [12],
        description: 'What `POST /api/actions/{id}/undo` takes back, when it was found in prose and is new',
      }),
    ),
  },
  { title: 'MailedEvent' },
)

export const Answer = Type.Object(
  {
    status: Type.Enum(['accepted', 'declined', 'tentative'], { type: 'string', examples: ['accepted'] }),
    comment: Type.Optional(
      Type.String({
        maxLength: 5000,
        examples: ['Looking forward to it.'],
        description: 'For the organizer',
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
          description: 'The answer in the outbox: its `delivery` tells whether it went',
        }),
        from: Type.String({ examples: ['ana@example.org'], description: 'The mail account it goes from' }),
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

export const InvitationCard = Type.Object(
  {
    emailId: Type.Integer({ examples: [4711] }),
    method: Type.String({
      examples: ['REQUEST'],
      description: 'What the mail is (RFC 5546): an invitation or its revision, a cancellation, a reply',
    }),
    title: Type.String({ examples: ['Design review'] }),
    start: Nullable(Instant),
    end: Nullable(Instant),
    allDay: Type.Boolean({ examples: [false] }),
    timezone: Nullable(Type.String({ examples: ['Europe/Berlin'] })),
    location: Type.String({ examples: ['Room 4'] }),
    sender: Type.String({ examples: ['ben@example.org'], description: 'Who sent the mail' }),
    organizer: Nullable(Person),
    eventId: Nullable(Type.Integer({ examples: [42], description: 'The event that is in the calendar' })),
    state: Type.Enum(['new', 'ready', 'applied', 'undone', 'current', 'waiting', 'refused'], {
      type: 'string',
      examples: ['applied'],
      description:
        '`new`: not in the calendar. `ready`: about to be applied. `applied`: it changed the event. `undone`: that was undone. `current`: it says nothing new. `waiting`: `from-email` applies it. `refused`: `from-email` refuses it',
    }),
    reason: Nullable(
      Type.String({
        examples: ['Sent by eve@example.net, who is not the organizer ben@example.org.'],
        description: 'Why it is not applied automatically',
      }),
    ),
    actionId: Nullable(
      Type.Integer({ minimum: 1, examples: [12], description: 'What `POST /api/actions/{id}/undo` reverts' }),
    ),
  },
  { title: 'InvitationCard' },
)
export type InvitationCard = Type.Static<typeof InvitationCard>
