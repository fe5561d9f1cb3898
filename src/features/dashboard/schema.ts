import Type from 'typebox'
import { Instant, Nullable } from '../../platform/http/shapes.ts'

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

export const Stats = Type.Object(
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

/** The figures of an interval. */
export const historyFigures = {
  emails: Type.Object(
    {
      received: Count,
      sent: Count,
      answered: Type.Integer({
        minimum: 0,
        examples: [2],
        description: 'Sent emails whose previous email in the thread is from another person',
      }),
      medianReplyMinutes: Nullable(
        Type.Integer({
          minimum: 0,
          examples: [95],
          description: 'Median time between a received email and its reply; null without replies',
        }),
      ),
    },
    { title: 'EmailHistory' },
  ),
  meetings: Type.Object(
    {
      count: Count,
      hours: Type.Number({ minimum: 0, examples: [4.5] }),
    },
    {
      title: 'MeetingHistory',
      description: 'Busy events with a time, except those with the tag `focus`, which are planned work',
    },
  ),
  tasks: Type.Object(
    {
      created: Count,
      completed: Count,
    },
    { title: 'TaskHistory' },
  ),
  ai: Type.Object(
    {
      requests: Count,
      costUsd: Nullable(Type.Number({ examples: [0.42], description: 'Null if a price is unknown' })),
    },
    { title: 'AiHistory', description: 'By the days of the instance' },
  ),
}
