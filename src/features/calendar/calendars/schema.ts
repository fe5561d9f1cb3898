import Type, { type Static } from 'typebox'
import {
  Instant,
  NextCursor,
  Nullable,
  OpaqueId,
  pageParameters,
  strict,
} from '../../../platform/http/shapes.ts'

const Name = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', examples: ['Family'] })
const Color = Type.String({
  pattern: '^#[0-9a-fA-F]{6}$',
  examples: ['#3366cc'],
  description: 'In the form #rrggbb',
})
const Visible = Type.Boolean({
  examples: [true],
  description: 'Whether calendar views show its events; no effect on the API',
})

export const NOTIFICATION_CHOICES = ['all', 'reminders', 'none'] as const
export type CalendarNotifications = (typeof NOTIFICATION_CHOICES)[number]
const Notifications = Type.Enum([...NOTIFICATION_CHOICES], {
  type: 'string',
  examples: ['all'],
  description:
    'Your notifications about this calendar. `all`: as your settings say; `reminders`: only the reminders of its events; `none`',
})

export const NewCalendar = Type.Object(
  { name: Name, color: Type.Optional(Color), visible: Type.Optional(Visible) },
  { ...strict, title: 'NewCalendar', examples: [{ name: 'Family', color: '#2e8b57' }] },
)
export type NewCalendar = Static<typeof NewCalendar>

export const CalendarChange = Type.Object(
  {
    name: Type.Optional(Name),
    color: Type.Optional(Color),
    visible: Type.Optional(Visible),
    notifications: Type.Optional(Notifications),
    isDefault: Type.Optional(
      Type.Literal(true, {
        examples: [true],
        description: 'Makes this the calendar for new events; the former default calendar loses the flag',
      }),
    ),
  },
  {
    ...strict,
    title: 'CalendarChange',
    minProperties: 1,
    description:
      'Members of a shared calendar can change only `visible`, `color` and `notifications`, for themselves',
    examples: [{ name: 'Family', visible: false }],
  },
)
export type CalendarChange = Static<typeof CalendarChange>

export const CalendarResource = Type.Object(
  {
    id: Type.Integer({ examples: [1] }),
    name: Type.String({ examples: ['Family'] }),
    color: Type.String({ examples: ['#3366cc'] }),
    isDefault: Type.Boolean({
      examples: [false],
      description: 'Whether new events without a `calendarId` go here; true for one calendar of an account',
    }),
    visible: Visible,
    notifications: Notifications,
    readOnly: Type.Boolean({
      examples: [false],
      description:
        'True for a published file, a read-only calendar of a server, or a role without write access',
    }),
    role: Type.Enum(['owner', 'editor', 'viewer', 'freeBusy'], { type: 'string', examples: ['owner'] }),
    owner: Nullable(
      Type.Object(
        {
          name: Type.String({ examples: ['Ana Ruiz'] }),
          email: Type.String({ examples: ['ana@example.org'] }),
        },
        { title: 'CalendarOwner', description: 'Who shares the calendar; null for your own' },
      ),
    ),
    shareId: Nullable(
      Type.Integer({ examples: [4], description: 'Your share of the calendar of another account' }),
    ),
    shared: Type.Boolean({ examples: [false], description: 'Whether you share this calendar with others' }),
    account: Nullable(
      Type.Object(
        {
          id: OpaqueId,
          kind: Type.Enum(['caldav', 'ics'], { type: 'string', examples: ['caldav'] }),
          name: Type.String({ examples: ['Family server'] }),
        },
        { title: 'CalendarSource', description: 'The calendar account that it comes from' },
      ),
    ),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { title: 'Calendar' },
)
export type CalendarResource = Static<typeof CalendarResource>

export const CalendarList = Type.Object(
  { calendars: Type.Array(CalendarResource), nextCursor: NextCursor },
  { title: 'CalendarList' },
)

export const CalendarPath = Type.Object(
  { id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [1] }) },
  strict,
)

export const CalendarsQuery = Type.Object(
  {
    ...pageParameters,
    limit: { ...pageParameters.limit, default: 200 },
  },
  strict,
)

export const CalendarRemoval = Type.Object(
  {
    events: Type.Enum(['move', 'delete'], {
      type: 'string',
      default: 'move',
      description: '`move`: move its events to the default calendar; `delete`: delete them',
    }),
  },
  strict,
)
