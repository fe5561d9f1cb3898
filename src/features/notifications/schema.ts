import Type from 'typebox'
import { Instant, NextCursor, Nullable, pageParameters } from '../../platform/http/shapes.ts'
import { WEEKDAYS } from '../../platform/time.ts'
import { KINDS, MAIL_CHOICES, perKind } from './kinds.ts'

const strict = { additionalProperties: false } as const

const kind = Type.Enum([...KINDS], {
  type: 'string',
  examples: ['event_starting'],
  description: 'The kind of notification. `security` and `sign_in` are about the account itself',
})

const STATES = ['waiting', 'delivered', 'failed', 'uncertain'] as const
const DeliveryView = Type.Object(
  {
    state: Type.Enum([...STATES], {
      type: 'string',
      examples: ['delivered'],
      description:
        '`uncertain`: the connection ended before the mail server confirmed or rejected the mail. The mail is not sent again',
    }),
    heldBy: Nullable(
      Type.Enum(['quiet_hours', 'digest'], { type: 'string', description: 'The reason for the delay' }),
    ),
    dueAt: Instant,
    finishedAt: Nullable(Instant),
    error: Nullable(
      Type.String({ examples: ['No mail account can send mail.'], description: 'The reason of the failure' }),
    ),
  },
  { title: 'NotificationDelivery' },
)

export const Notification = Type.Object(
  {
    id: Type.Integer({ examples: [42] }),
    kind,
    data: Nullable(
      Type.Record(Type.String(), Type.Unknown(), {
        examples: [{ title: 'Stand-up', start: '2026-03-03T13:00:00.000Z', allDay: false }],
        description:
          'The facts behind the text. The fields depend on the kind. `count` and `first`: several of a kind in one notification. Null for notifications of earlier versions',
      }),
    ),
    title: Type.String({
      examples: ['Stand-up starts at 14:00'],
      description: 'Plain text in the language of your preferences. May contain text of other people',
    }),
    body: Type.String({
      examples: ['Today, 14:00 · Room 5'],
      description: 'Plain text, one line. Days such as “today” are relative to the time of the request',
    }),
    link: Nullable(
      Type.String({ examples: ['/calendar?date=2026-03-03'], description: 'A path in the console' }),
    ),
    read: Type.Boolean({ examples: [false] }),
    readAt: Nullable(Instant),
    actionId: Nullable(
      Type.Integer({ examples: [12], description: 'The id for `POST /api/actions/{id}/undo`' }),
    ),
    email: Nullable(DeliveryView),
    webhook: Nullable(DeliveryView),
    createdAt: Instant,
    version: Type.Integer({ examples: [1] }),
  },
  { title: 'Notification' },
)
const unread = Type.Integer({ examples: [3], description: 'The total number of unread notifications' })
export const NotificationList = Type.Object(
  { notifications: Type.Array(Notification), unread, nextCursor: NextCursor },
  { title: 'NotificationList' },
)

export const NotificationsQuery = Type.Object(
  {
    unread: Type.Optional(Type.Boolean({ description: '`true`: only unread notifications' })),
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
  description: 'The newest notification that was seen. Later ones do not change',
})
export const ReadAll = Type.Object({ upTo: Type.Optional(upTo) }, strict)
export const AllRead = Type.Object({
  marked: Type.Integer({ examples: [3], description: 'The number of notifications that were marked' }),
  unread,
})
export const ClearQuery = Type.Object(
  {
    read: Type.Optional(Type.Boolean({ description: '`true`: only read notifications' })),
    upTo: Type.Optional(upTo),
  },
  strict,
)

const channels = {
  console: Type.Boolean({
    examples: [true],
    description: 'Show in the console. Always true for `security` and `sign_in`',
  }),
  email: Type.Enum([...MAIL_CHOICES], {
    type: 'string',
    examples: ['digest'],
    description: '`now`: immediately. `digest`: in the digest, or immediately if digests are off',
  }),
  webhook: Type.Boolean({
    examples: [false],
    description: 'Send `notification.created` to your webhooks that subscribe to it',
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
    description: 'True if security notifications ignore quiet hours',
  }),
}
const digest = {
  frequency: Type.Enum(['off', 'daily', 'weekly'], { type: 'string', examples: ['daily'] }),
  time: timeOfDay('08:00'),
  weekday: Type.Enum([...WEEKDAYS], {
    type: 'string',
    examples: ['monday'],
    description: 'Only for the weekly frequency',
  }),
}

export const NotificationSettings = Type.Object(
  {
    kinds: Type.Object(perKind(() => Channels)),
    quietHours: Type.Object(quietHours, {
      description:
        'In your time zone. An end before the start is on the next day. Mail and webhooks wait until quiet hours end',
    }),
    digest: Type.Object(digest, {
      description: 'In your time zone. An empty digest is not sent',
    }),
    timezone: Type.String({ examples: ['Europe/Berlin'], description: 'The time zone of your preferences' }),
    email: Type.Object({
      ready: Type.Boolean({
        examples: [true],
        description:
          'True if one of your mail accounts can send mail. Otherwise notifications appear in the console instead',
      }),
      from: Nullable(Type.String({ examples: ['ana@example.org'] })),
      to: Type.String({ examples: ['ana@example.org'], description: 'The email of your account' }),
    }),
    webhooks: Type.Object({
      endpoints: Type.Integer({
        examples: [1],
        description: 'The number of your webhooks that subscribe to notifications',
      }),
    }),
    version: Type.Integer({ examples: [1] }),
  },
  { title: 'NotificationSettings' },
)

export const NotificationSettingsChange = Type.Object(
  {
    kinds: Type.Optional(
      Type.Partial(Type.Object(perKind(() => ChannelsChange)), {
        ...strict,
        description: 'Only the kinds to change',
      }),
    ),
    quietHours: Type.Optional(Type.Partial(Type.Object(quietHours), strict)),
    digest: Type.Optional(Type.Partial(Type.Object(digest), strict)),
  },
  { ...strict, title: 'NotificationSettingsChange' },
)
