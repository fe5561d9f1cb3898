import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { anyScope } from '../../platform/access/route-access.ts'
import { NextCursor, Page } from '../../platform/http/shapes.ts'
import { INTERVALS } from '../../platform/time.ts'
import type { Dashboard, TagList } from './dashboard.ts'
import type { History } from './history.ts'
import { historyFigures, Stats } from './schema.ts'

const Day = Type.String({ format: 'date', examples: ['2026-03-01'] })
const Interval = Type.Enum([...INTERVALS], { type: 'string', examples: ['day'] })

const QueryDay = (description: string) =>
  Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', examples: ['2026-03-01'], description }))

const HistoryQuery = Type.Object(
  {
    from: QueryDay('First day. Default: 29 days before the last'),
    to: QueryDay('Last day. Default: today'),
    interval: Type.Enum([...INTERVALS], {
      type: 'string',
      default: 'day',
      examples: ['day'],
      description: 'Length of an interval',
    }),
  },
  { additionalProperties: false },
)

const HistoryFigures = Type.Partial(Type.Object(historyFigures))

const StatsHistory = Type.Object(
  {
    timezone: Type.String({ examples: ['Europe/Berlin'] }),
    interval: Interval,
    from: Day,
    to: Day,
    intervals: Type.Array(
      Type.Object(
        {
          date: Type.String({
            format: 'date',
            examples: ['2026-03-01'],
            description: 'First day of the interval',
          }),
          ...HistoryFigures.properties,
        },
        { title: 'HistoryInterval' },
      ),
      { description: 'Oldest first. The first and the last may be incomplete weeks or months' },
    ),
    totals: Type.Partial(HistoryFigures, { title: 'HistoryTotals' }),
  },
  { title: 'StatsHistory' },
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
  (dashboard: Dashboard, history: History, listTags: TagList): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/tags',
      {
        config: anyScope,
        schema: {
          operationId: 'listTags',
          summary: 'List tags in use',
          description:
            'Tags of emails and tasks in alphabetical order, without duplicates. A token sees what its scopes cover.',
          querystring: Page,
          response: { 200: Tags },
        },
      },
      ({ caller, query }) => listTags(caller, query),
    )

    app.get(
      '/stats',
      {
        config: { ...anyScope, longReads: true },
        schema: {
          operationId: 'getStats',
          summary: 'Get dashboard statistics',
          description:
            'Days and weeks are in the timezone of the instance. A token sees what its scopes cover.',
          response: { 200: Stats },
        },
      },
      ({ caller }) => dashboard.read(caller),
    )

    app.get(
      '/stats/history',
      {
        config: { ...anyScope, longReads: true },
        schema: {
          operationId: 'getStatsHistory',
          summary: 'Get statistics over time',
          description:
            'Mail, meetings, tasks and AI cost by day, week or month in your timezone: at most 366 days and 100 intervals. A token sees what its scopes cover.',
          querystring: HistoryQuery,
          response: { 200: StatsHistory },
        },
      },
      ({ caller, query }) => history(caller, query),
    )
  }
