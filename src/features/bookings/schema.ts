import Type from 'typebox'
import { Instant, NextCursor, Nullable } from '../../platform/http/shapes.ts'
import { PROVIDERS } from './provider.ts'

const strict = { additionalProperties: false }

const Provider = Type.Enum([...PROVIDERS], { type: 'string', examples: ['calcom'] })
const Count = Type.Integer({ minimum: 0, examples: [3] })
const BookingId = Type.String({ examples: ['2NtaeaVcKfpmSZ4CthFdfk'] })

export const BookingSettings = Type.Object(
  {
    configured: Type.Boolean({ examples: [true] }),
    provider: Provider,
    baseUrl: Type.String({ examples: ['https://api.cal.com/v2'] }),
    apiKeyHint: Nullable(Type.String({ examples: ['…9f3a'], description: 'Last characters of the key' })),
    setBy: Nullable(
      Type.Enum(['person', 'environment'], {
        type: 'string',
        examples: ['person'],
        description: 'Where the key was configured',
      }),
    ),
    webhookConfigured: Type.Boolean({
      examples: [true],
      description: 'Whether a webhook secret is configured',
    }),
    lastSyncAt: Nullable(Instant),
    lastSyncStatus: Nullable(
      Type.Enum(['ok', 'partial', 'failed'], {
        type: 'string',
        examples: ['ok'],
        description: '`partial`: some bookings could not be read, all others are synced',
      }),
    ),
    lastError: Nullable(Type.String({ examples: ['Cal.com does not accept the key.'] })),
    unreadable: Type.Integer({
      minimum: 0,
      examples: [0],
      description: 'Bookings that could not be read. `GET /api/bookingsvc/unreadable` lists them',
    }),
    syncing: Type.Boolean({ examples: [false], description: 'Whether a sync is running' }),
  },
  { title: 'BookingSettings' },
)

export const NewBookingSettings = Type.Object(
  {
    apiKey: Type.String({
      minLength: 1,
      maxLength: 2000,
      pattern: '^[\\x21-\\x7e]+$',
      examples: ['cal_live_0123456789abcdef'],
    }),
    provider: Type.Optional(Provider),
    baseUrl: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 2000,
          examples: ['https://api.cal.com/v2'],
          description: 'Base URL of the API; null for the default of the provider',
        }),
      ),
    ),
    webhookSecret: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 2000,
          examples: ['a long random text'],
          description: 'Secret that signs the webhooks. Omit to keep it, null to remove it',
        }),
      ),
    ),
  },
  { ...strict, title: 'NewBookingSettings' },
)
export type NewBookingSettings = Type.Static<typeof NewBookingSettings>

export const SyncQuery = Type.Object(
  {
    full: Type.Optional(
      Type.Boolean({ examples: [true], description: 'Fetch all bookings, not only changed ones' }),
    ),
  },
  strict,
)

export const SyncReport = Type.Object(
  {
    provider: Provider,
    full: Type.Boolean({ examples: [false], description: 'Whether all bookings were fetched' }),
    fetched: Count,
    created: Count,
    updated: Count,
    unchanged: Count,
    cancelled: Count,
    failed: Count,
    errors: Type.Array(
      Type.Object(
        {
          bookingId: Nullable(BookingId),
          message: Type.String({ examples: ['end is not after the start.'] }),
        },
        { title: 'SyncError' },
      ),
      { description: 'Bookings that could not be read, at most 100. All others are synced' },
    ),
    unreadable: Type.Integer({
      minimum: 0,
      examples: [0],
      description: 'Bookings that could not be read, in this sync or an earlier one',
    }),
    startedAt: Instant,
    finishedAt: Instant,
  },
  { title: 'SyncReport' },
)
export type SyncReport = Type.Static<typeof SyncReport>

export const UnreadableBookingList = Type.Object(
  {
    unreadable: Type.Array(
      Type.Object(
        {
          id: Type.Integer({ examples: [3] }),
          bookingId: Nullable(BookingId),
          reason: Type.String({ examples: ['end is not after the start.'] }),
          size: Type.Integer({ examples: [812], description: 'In bytes' }),
          failedAt: Instant,
        },
        { title: 'UnreadableBooking' },
      ),
    ),
    nextCursor: NextCursor,
  },
  { title: 'UnreadableBookingList' },
)

export const UnreadableBookingPath = Type.Object(
  { id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [3] }) },
  strict,
)

export const EventTypes = Type.Object(
  {
    eventTypes: Type.Array(
      Type.Object(
        {
          id: Type.String({ examples: ['412'] }),
          title: Type.String({ examples: ['Half an hour'] }),
          slug: Type.String({ examples: ['30min'] }),
          durationMinutes: Nullable(Type.Integer({ examples: [30] })),
          description: Type.String({ examples: ['A first talk.'] }),
          url: Nullable(Type.String({ examples: ['https://cal.com/ana/30min'] })),
          active: Type.Boolean({ examples: [true] }),
        },
        { title: 'EventType' },
      ),
    ),
  },
  { title: 'EventTypes' },
)

const Title = Type.String({ examples: ['Half an hour between Ana and Li'] })
const EventId = Type.Integer({ examples: [42] })
const Named = (fields: Type.TProperties, title: string, description: string) =>
  Type.Object(
    {
      count: Count,
      bookings: Type.Array(Type.Object({ bookingId: BookingId, ...fields }, { title: `${title}Booking` }), {
        description: '200 at most',
      }),
    },
    { title, description },
  )

export const DriftReport = Type.Object(
  {
    provider: Provider,
    checkedAt: Instant,
    fetched: Count,
    broken: Type.Integer({ minimum: 0, examples: [0], description: 'Bookings that could not be read' }),
    missing: Named(
      { title: Title, start: Instant, status: Type.String({ examples: ['confirmed'] }) },
      'Missing',
      'Bookings without an event',
    ),
    changed: Named(
      { eventId: EventId, fields: Type.Array(Type.String({ examples: ['start'] })) },
      'Changed',
      'Events that differ from their booking',
    ),
    orphaned: Named(
      { eventId: EventId, title: Title, start: Instant },
      'Orphaned',
      'Events whose booking the provider does not list',
    ),
  },
  { title: 'DriftReport' },
)

export const BookingWebhookResult = Type.Object(
  {
    received: Type.Literal(true),
    result: Type.Enum(['created', 'updated', 'cancelled', 'unchanged', 'ignored'], {
      type: 'string',
      examples: ['created'],
    }),
  },
  { title: 'BookingWebhookResult' },
)
export type BookingWebhookResult = Type.Static<typeof BookingWebhookResult>
