import Type from 'typebox'
import { Instant, NextCursor, Nullable, OpaqueId, strict } from '../../../platform/http/shapes.ts'
import { AccountName, ONE_LINE, Password, TestFailure } from '../../remote-accounts/schema.ts'

const Kind = Type.Enum(['caldav', 'ics'], {
  type: 'string',
  description:
    '`caldav`: an account on a CalDAV server, synced in both directions; `ics`: a published calendar file, read-only',
})
const Name = AccountName('Family')
const Url = Type.String({
  minLength: 1,
  maxLength: 2000,
  pattern: ONE_LINE,
  examples: ['https://calendar.example.org/dav/'],
  description: 'URL of the server or the file; `webcal:` is treated as `https:`',
})
const DisplayUrl = Type.String({
  examples: ['https://calendar.example.org/dav/'],
  description:
    'For a file, only the server (`https://calendar.example.org/…`): the complete URL often suffices to read the calendar',
})
const Username = Type.String({
  minLength: 1,
  maxLength: 254,
  // RFC 7617, 2: a user name must not contain a colon.
  pattern: '^[^:\\u0000-\\u001f\\u007f]*$',
  examples: ['ana'],
})
const ReceivesNew = Type.Boolean({
  description:
    'Whether new events are created on this account, because it has the default calendar; true for at most one account',
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
  { ...strict, title: 'NewCalendarAccount', description: 'A server requires `username` and `password`' },
)

const CalendarId = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  examples: [7],
  description: 'Its id in this account. Events have the `calendarId`',
})

const NewEventsCalendarId = Nullable(
  Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    examples: [7],
    description:
      'The calendar for new events: one of `calendars` that is writable and followed. `null`: the first such calendar',
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
          {
            ...strict,
            title: 'CalendarChoice',
            description: 'Calendars that are not listed keep their setting',
          },
        ),
        { maxItems: 1000 },
      ),
    ),
    newEventsCalendarId: Type.Optional(NewEventsCalendarId),
  },
  {
    ...strict,
    title: 'CalendarAccountChange',
    description: 'A new URL or user name requires the password',
    examples: [{ name: 'Family', enabled: false }],
  },
)

const Color = Nullable(Type.String({ examples: ['#3366cc'] }))

export const CalendarAccount = Type.Object(
  {
    id: OpaqueId,
    kind: Kind,
    name: Name,
    url: DisplayUrl,
    username: Nullable(Username),
    signIn: Type.Enum(['password', 'google'], {
      type: 'string',
      description: '`google`: the account uses the sign-in of a mail account',
    }),
    mailAccountId: Nullable(
      Type.String({
        examples: ['q3vYw1y0T2uJf0b2nq8XVA'],
        description: 'The mail account whose sign-in is used. Null if it was deleted: sign in again',
      }),
    ),
    enabled: Type.Boolean(),
    receivesNew: ReceivesNew,
    newEventsCalendarId: NewEventsCalendarId,
    calendars: Type.Array(
      Type.Object(
        {
          id: CalendarId,
          calendarId: Nullable(
            Type.Integer({
              examples: [3],
              description: 'Its id in `/api/calendars` and in events. `null`: it is not followed',
            }),
          ),
          name: Type.String({ examples: ['Home'] }),
          color: Color,
          writable: Type.Boolean(),
          followed: Type.Boolean({ description: 'Whether the events of this calendar are synced' }),
        },
        { title: 'RemoteCalendar' },
      ),
    ),
    sync: Type.Object(
      {
        status: Type.Enum(['waiting', 'syncing', 'live', 'failing', 'signed_out', 'off'], {
          type: 'string',
          description: '`signed_out`: the provider no longer accepts the sign-in. Sign in again',
        }),
        error: Nullable(Type.String({ examples: ['The connection to calendar.example.org was refused.'] })),
        lastSyncAt: Nullable(Instant),
        unreadable: Type.Integer({
          examples: [0],
          description:
            'Number of events that could not be parsed. `GET …/unreadable` lists them with the reasons',
        }),
        waiting: Type.Integer({
          examples: [0],
          description: 'Number of changes that are not yet sent to the server',
        }),
        held: Type.Integer({
          examples: [0],
          description:
            'Number of changes by invitation email that are not sent, because the server might email the guests. The next change of such an event sends them',
        }),
        progress: Type.Object(
          { done: Type.Integer({ examples: [450] }), total: Type.Integer({ examples: [2000] }) },
          { title: 'CalendarProgress', description: 'Number of processed events, of those that are new' },
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
            description: 'The URL of the object; for a published file, the UID of the event or its line',
          }),
          calendar: Type.String({ examples: ['Home'] }),
          reason: Type.String({ examples: ['RRULE: FREQ is missing.'] }),
          size: Type.Integer({ examples: [812], description: 'Size in bytes' }),
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
        '`remove`: delete the local copies; events with changes that are not yet sent stay. `keep`: keep all events',
    }),
  },
  strict,
)

export const CalendarTest = Type.Object(
  {
    ok: Type.Boolean(),
    failure: Nullable(
      TestFailure('CalendarTestFailure', {
        problem: 'The host name calendar.exmaple.org does not exist.',
        remedy: 'Check the spelling of the address.',
      }),
    ),
    calendars: Type.Array(
      Type.Object(
        { name: Type.String({ examples: ['Home'] }), color: Color, writable: Type.Boolean() },
        { title: 'FoundCalendar' },
      ),
      { description: 'Calendars of the account' },
    ),
  },
  { title: 'CalendarTest' },
)
