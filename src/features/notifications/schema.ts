import Type from 'typebox'
import { Instant, NextCursor, Nullable, pageParameters } from '../../platform/http/shapes.ts'
import { KINDS, MAIL_CHOICES } from './kinds.ts'

const strict = { additionalProperties: false } as const

const kind = Type.Enum([...KINDS], {
  type: 'string',
  examples: ['event_starting'],
  description: 'What it is about. `security` and `sign_in` concern the account itself',
})

const STATES = ['waiting', 'told', 'failed', 'uncertain'] as const
const Way = Type.Object(
  {
    state: Type.Enum([...STATES], {
      type: 'string',
      examples: ['told'],
      description:
        '`uncertain`: the mail server was cut off before it said whether it took the mail, which is not sent again',
    }),
    heldBy: Nullable(
      Type.Enum(['quiet_hours', 'digest'], { type: 'string', description: 'Why it was not told at once' }),
    ),
    dueAt: Instant,
    finishedAt: Nullable(Instant),
    error: Nullable(
      Type.String({ examples: ['There is no mail account to send with.'], description: 'Why it failed' }),
    ),
  },
  { title: 'NotificationDelivery' },
)

export const Notification = Type.Object(
  {
    id: Type.Integer({ examples: [42] }),
    kind,
    title: Type.String({
      examples: ['Stand-up starts at 14:00'],
      description: 'Plain text; may hold what others wrote',
    }),
    body: Type.String({ examples: ['Tue 3 Mar, 14:00 · Room 5'], description: 'Plain text, one line' }),
    link: Nullable(
      Type.String({ examples: ['/calendar?date=2026-03-03'], description: 'A path of the console' }),
    ),
    read: Type.Boolean({ examples: [false] }),
    readAt: Nullable(Instant),
    actionId: Nullable(
      Type.Integer({ examples: [12], description: 'What `POST /api/actions/{id}/undo` reverts' }),
    ),
    email: Nullable(Way),
    webhook: Nullable(Way),
    createdAt: Instant,
    version: Type.Integer({ examples: [1] }),
  },
  { title: 'Notification' },
)
const unread = Type.Integer({ examples: [3], description: 'How many are unread, of all' })
export const NotificationList = Type.Object(
  { notifications: Type.Array(Notification), unread, nextCursor: NextCursor },
  { title: 'NotificationList' },
)

export const NotificationsQuery = Type.Object(
  {
    unread: Type.Optional(Type.Boolean({ description: '`true`: only what is unread' })),
    kind: Type.Optional(kind),
    ...pageParameters,
  },
  strict,
)
export const NotificationPath = Type.Object(
  { id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [42] }) },
  strict,
)
export const NotificationChange = Type.Object({ read: Type.Boolean({ examples: [true] }) }, strict)

const upTo = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  examples: [42],
  description: 'The newest that was seen: what came since stays as it is',
})
export const ReadAll = Type.Object({ upTo: Type.Optional(upTo) }, strict)
export const AllRead = Type.Object({
  marked: Type.Integer({ examples: [3], description: 'How many were unread until now' }),
  unread,
})
export const ClearQuery = Type.Object(
  {
    read: Type.Optional(Type.Boolean({ description: '`true`: only what was read' })),
    upTo: Type.Optional(upTo),
  },
  strict,
)

const channels = {
  console: Type.Boolean({
    examples: [true],
    description: 'In the console. Always on for what concerns the account',
  }),
  email: Type.Enum([...MAIL_CHOICES], {
    type: 'string',
    examples: ['digest'],
    description:
      '`now`: when it happens. `digest`: gathered into the digest; when it happens while there is none',
  }),
  webhook: Type.Boolean({
    examples: [false],
    description: 'As `notification.created`, to those of your webhooks that chose it',
  }),
}
const Channels = Type.Object(channels, { title: 'NotificationChannels' })
const ChannelsChange = Type.Partial(Type.Object(channels), { ...strict, title: 'NotificationChannelsChange' })

const timeOfDay = (example: string) =>
  Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', examples: [example] })

const quietHours = {
  enabled: Type.Boolean({ examples: [true] }),
  start: timeOfDay('22:00'),
  end: timeOfDay('07:00'),
  securityPasses: Type.Boolean({
    examples: [true],
    description: 'Whether what concerns the account is told all the same',
  }),
}
const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
const digest = {
  frequency: Type.Enum(['off', 'daily', 'weekly'], { type: 'string', examples: ['daily'] }),
  time: timeOfDay('08:00'),
  weekday: Type.Enum([...WEEKDAYS], {
    type: 'string',
    examples: ['monday'],
    description: 'Of a weekly one',
  }),
}

const perKind = <S extends Type.TSchema>(schema: S) =>
  Object.fromEntries(KINDS.map((each) => [each, schema])) as Record<(typeof KINDS)[number], S>

export const NotificationSettings = Type.Object(
  {
    kinds: Type.Object(perKind(Channels)),
    quietHours: Type.Object(quietHours, {
      description:
        'By your clock. An end before the start is on the next day. Mail and webhooks wait until they end',
    }),
    digest: Type.Object(digest, {
      description: 'By your clock. No mail is sent when there is nothing to tell',
    }),
    timezone: Type.String({ examples: ['Europe/Berlin'], description: 'Your clock; see the preferences' }),
    email: Type.Object({
      ready: Type.Boolean({
        examples: [true],
        description:
          'Whether you have a mail account to send with. Without, mail is shown in the console instead',
      }),
      from: Nullable(Type.String({ examples: ['ana@example.org'] })),
      to: Type.String({ examples: ['ana@example.org'], description: 'The address that you sign in with' }),
    }),
    webhooks: Type.Object({
      endpoints: Type.Integer({ examples: [1], description: 'How many of yours hear of notifications' }),
    }),
    version: Type.Integer({ examples: [1] }),
  },
  { title: 'NotificationSettings' },
)

export const NotificationSettingsChange = Type.Object(
  {
    kinds: Type.Optional(
      Type.Partial(Type.Object(perKind(ChannelsChange)), { ...strict, description: 'Only what changes' }),
    ),
    quietHours: Type.Optional(Type.Partial(Type.Object(quietHours), strict)),
    digest: Type.Optional(Type.Partial(Type.Object(digest), strict)),
  },
  { ...strict, title: 'NotificationSettingsChange' },
)
