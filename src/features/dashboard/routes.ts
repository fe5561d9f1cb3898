import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { Instant, NextCursor, Nullable, Page } from '../../platform/http/shapes.ts'
import type { Dashboard, TagList } from './dashboard.ts'

const Count = Type.Integer({ minimum: 0, examples: [3] })

const NextEvent = Type.Object(
  {
    id: Type.Integer({ examples: [17] }),
    title: Type.String({ examples: ['Dentist'] }),
    start: Instant,
    end: Instant,
    allDay: Type.Boolean({ examples: [false] }),
    timezone: Type.String({ examples: ['Europe/Berlin'], description: 'Timezone of an all-day event' }),
  },
  { title: 'NextEvent' },
)

const Stats = Type.Object(
  {
    emails: Type.Optional(
      Type.Object(
        { total: Count, unread: Count, urgent: Count, receivedToday: Count },
        { title: 'EmailFigures' },
      ),
    ),
    tasks: Type.Optional(
      Type.Object(
        { open: Count, overdue: Count, dueToday: Count, completedThisWeek: Count },
        { title: 'TaskFigures' },
      ),
    ),
    events: Type.Optional(
      Type.Object({ today: Count, next7Days: Count, next: Nullable(NextEvent) }, { title: 'EventFigures' }),
    ),
    bookings: Type.Optional(
      Type.Object({ total: Count, lastSyncAt: Nullable(Instant) }, { title: 'BookingFigures' }),
    ),
    ai: Type.Optional(
      Type.Object(
        {
          requests: Count,
          inputTokens: Count,
          outputTokens: Count,
          costUsd: Nullable(Type.Number({ examples: [0.42], description: 'Null if a price is unknown' })),
        },
        { title: 'AiFigures' },
      ),
    ),
    activity: Type.Array(
      Type.Object(
        {
          date: Type.String({ format: 'date', examples: ['2026-03-01'] }),
          emailsReceived: Type.Optional(Count),
          tasksCompleted: Type.Optional(Count),
          events: Type.Optional(Count),
        },
        { title: 'DayOfActivity' },
      ),
      { description: 'The last 14 days, ending today' },
    ),
  },
  { title: 'Stats' },
)

const Tags = Type.Object(
  {
    tags: Type.Array(
      Type.Object(
        {
          tag: Type.String({
            examples: ['work'],
            description: 'Spelled as last used. Tags are case-insensitive',
          }),
          emails: Type.Optional(
            Type.Boolean({ examples: [true], description: 'Whether an email has the tag' }),
          ),
          tasks: Type.Optional(
            Type.Boolean({ examples: [false], description: 'Whether a task has the tag' }),
          ),
        },
        { title: 'UsedTag' },
      ),
    ),
    nextCursor: NextCursor,
  },
  { title: 'TagList' },
)

export const dashboardRoutes =
  (dashboard: Dashboard, listTags: TagList): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/tags',
      {
        config: { access: 'switched', scope: 'any' },
        schema: {
          operationId: 'listTags',
          summary: 'List tags in use',
          description:
            'Tags of emails and tasks in alphabetical order, without duplicates. A token sees what its scopes cover.',
          tags: ['Health and statistics'],
          querystring: Page,
          response: { 200: Tags },
        },
      },
      (request) => listTags(request.caller, request.query),
    )

    app.get(
      '/stats',
      {
        config: { access: 'switched', scope: 'any' },
        schema: {
          operationId: 'getStats',
          summary: 'Get dashboard statistics',
          description:
            'Days and weeks are in the timezone of the instance. A token sees what its scopes cover.',
          tags: ['Health and statistics'],
          response: { 200: Stats },
        },
      },
      (request) => dashboard.read(request.caller),
    )
  }
