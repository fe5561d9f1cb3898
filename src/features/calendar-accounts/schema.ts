import Type from 'typebox'
import { Instant, NextCursor, Nullable, OpaqueId } from '../../platform/http/shapes.ts'

const strict = { additionalProperties: false }
const ONE_LINE = '^[^\\u0000-\\u001f\\u007f]*$'

const Kind = Type.Enum(['caldav', 'ics'], {
  type: 'string',
  description:
    '`caldav`: an account at a server, both ways; `ics`: a calendar file at an address, to be read',
})
const Name = Type.String({ minLength: 1, maxLength: 100, pattern: ONE_LINE, examples: ['Family'] })
const Url = Type.String({
  minLength: 1,
  maxLength: 2000,
  pattern: ONE_LINE,
  examples: ['https://calendar.example.org/dav/'],
  description: 'Of the server, or of the file; `webcal:` is read as `https:`',
})
const ShownUrl = Type.String({
  examples: ['https://calendar.example.org/dav/'],
  description:
    'Of a file, its server alone (`https://calendar.example.org/…`): whoever knows the rest may often read it',
})
const Username = Type.String({
  minLength: 1,
  maxLength: 254,
  // RFC 7617, 2: a name ends where the colon is.
  pattern: '^[^:\\u0000-\\u001f\\u007f]*$',
  examples: ['ana'],
})
const Password = Type.String({ minLength: 1, maxLength: 1000, examples: ['correct horse battery'] })
const ReceivesNew = Type.Boolean({
  description: 'Whether events that are made here are put there; of one account at most',
})

export const NewCalendarAccount = Type.Object(
  {
    kind: Kind,
    url: Url,
    username: Type.Optional(Username),
    password: Type.Optional(Password),
    name: Type.Optional(Name),
    enabled: Type.Optional(Type.Boolean()),
    receivesNew: Type.Optional(ReceivesNew),
  },
  { ...strict, title: 'NewCalendarAccount', description: 'A server asks for `username` and `password`' },
)

const CalendarId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [7] })

const NewEventsCalendarId = Nullable(
  Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    examples: [7],
    description:
      'The calendar that new events are created in: one of `calendars` that is writable and followed. `null`: the first one that is',
  }),
)

export const CalendarAccountChange = Type.Object(
  {
    name: Type.Optional(Name),
    url: Type.Optional(Url),
    username: Type.Optional(Nullable(Username)),
    password: Type.Optional(Password),
    enabled: Type.Optional(Type.Boolean()),
    receivesNew: Type.Optional(ReceivesNew),
    calendars: Type.Optional(
      Type.Array(
        Type.Object(
          { id: CalendarId, followed: Type.Boolean() },
          { ...strict, title: 'CalendarChoice', description: 'Those that are not named stay as they are' },
        ),
        { maxItems: 1000 },
      ),
    ),
    newEventsCalendarId: Type.Optional(NewEventsCalendarId),
  },
  {
    ...strict,
    title: 'CalendarAccountChange',
    description: 'Another address or user name asks for the password again',
    examples: [{ name: 'Family', enabled: false }],
  },
)

const Colour = Nullable(Type.String({ examples: ['#3366cc'] }))

export const CalendarAccount = Type.Object(
  {
    id: OpaqueId,
    kind: Kind,
    name: Name,
    url: ShownUrl,
    username: Nullable(Username),
    enabled: Type.Boolean(),
    receivesNew: ReceivesNew,
    newEventsCalendarId: NewEventsCalendarId,
    calendars: Type.Array(
      Type.Object(
        {
          id: CalendarId,
          name: Type.String({ examples: ['Home'] }),
          colour: Colour,
          writable: Type.Boolean(),
          followed: Type.Boolean({ description: 'Whether its events are wanted here' }),
        },
        { title: 'RemoteCalendar' },
      ),
    ),
    sync: Type.Object(
      {
        status: Type.Enum(['waiting', 'syncing', 'live', 'failing', 'off'], { type: 'string' }),
        error: Nullable(Type.String({ examples: ['Nothing answers at calendar.example.org.'] })),
        lastSyncAt: Nullable(Instant),
        unreadable: Type.Integer({
          examples: [0],
          description: 'Events that could not be read. `GET …/unreadable` lists them with the reasons',
        }),
        waiting: Type.Integer({ examples: [0], description: 'Changes that the server has yet to hear of' }),
        held: Type.Integer({
          examples: [0],
          description:
            'Changes by invitation mail that are kept here only, because the server might e-mail the guests. The next change to such an event sends them',
        }),
        progress: Type.Object(
          { done: Type.Integer({ examples: [450] }), total: Type.Integer({ examples: [2000] }) },
          { title: 'CalendarProgress', description: 'Events that were taken over, of those that were new' },
        ),
      },
      { title: 'CalendarSync' },
    ),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { title: 'CalendarAccount' },
)
export const CalendarAccountList = Type.Object(
  { calendarAccounts: Type.Array(CalendarAccount), nextCursor: NextCursor },
  { title: 'CalendarAccountList' },
)

export const UnreadableObjectList = Type.Object(
  {
    unreadable: Type.Array(
      Type.Object(
        {
          id: Type.Integer({ examples: [3] }),
          name: Type.String({
            examples: ['/dav/ana/home/20260301-7.ics'],
            description: 'The address of the object; of a published file, the UID of the event or its line',
          }),
          calendar: Type.String({ examples: ['Home'] }),
          reason: Type.String({ examples: ['RRULE: FREQ is missing.'] }),
          size: Type.Integer({ examples: [812], description: 'In bytes' }),
          failedAt: Instant,
        },
        { title: 'UnreadableObject' },
      ),
    ),
    nextCursor: NextCursor,
  },
  { title: 'UnreadableObjectList' },
)

export const UnreadableObjectPath = Type.Object(
  {
    id: OpaqueId,
    itemId: Type.String({ maxLength: 100, examples: ['3'] }),
  },
  strict,
)

export const CalendarAccountRemoval = Type.Object(
  {
    events: Type.Enum(['remove', 'keep'], {
      type: 'string',
      default: 'remove',
      description:
        '`remove`: the copies of what lies there go, and what it has yet to hear of stays here alone; `keep`: all stay',
    }),
  },
  strict,
)

export const CalendarTest = Type.Object(
  {
    ok: Type.Boolean(),
    failure: Nullable(
      Type.Object(
        {
          step: Type.Enum(['dns', 'connect', 'tls', 'greeting', 'login', 'select', 'command'], {
            type: 'string',
          }),
          problem: Type.String({ examples: ['There is no server named calendar.exmaple.org.'] }),
          remedy: Type.String({ examples: ['Check the spelling of the address.'] }),
        },
        { title: 'CalendarTestFailure' },
      ),
    ),
    calendars: Type.Array(
      Type.Object(
        { name: Type.String({ examples: ['Home'] }), colour: Colour, writable: Type.Boolean() },
        { title: 'FoundCalendar' },
      ),
      { description: 'What was found there' },
    ),
  },
  { title: 'CalendarTest' },
)
