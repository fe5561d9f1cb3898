import Type from 'typebox'
import { Nullable } from '../../platform/http/shapes.ts'

export const CALENDAR_TYPE = 'text/calendar'

/** A calendar file, coming or going. */
export const CalendarFile = {
  [CALENDAR_TYPE]: {
    schema: { type: 'string', example: 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\n…\r\nEND:VCALENDAR\r\n' },
  },
}

const Count = (description: string) => Type.Integer({ examples: [3], description })

const Remark = Type.Object(
  {
    uid: Nullable(Type.String({ examples: ['20260301T120000Z-7@example.org'] })),
    line: Type.Integer({ examples: [214], description: 'Where in the file it begins' }),
    reason: Type.String({ examples: ['It ends before it starts.'] }),
  },
  { title: 'ImportRemark' },
)

export const ImportReport = Type.Object(
  {
    found: Count('Components in the file, time zones aside'),
    created: Count('New events'),
    updated: Count('Events that the file has a later revision of'),
    unchanged: Count('Events that were here already'),
    skippedCount: Count('Components that were left out'),
    skipped: Type.Array(Remark, { description: 'The first thousand of them, and why' }),
    warnings: Type.Array(Remark, { description: 'What was read, but not as it stands in the file' }),
    actionId: Nullable(
      Type.Integer({ examples: [12], description: 'What it is taken back by, if anything was changed' }),
    ),
  },
  { title: 'ImportReport' },
)

export const FeedQuery = Type.Object(
  {
    token: Type.Optional(
      Type.String({
        maxLength: 200,
        examples: ['u3JmX0o1Qk3dL8r5sT7u…x7Qd'],
        description: 'A feed token for the calendar',
      }),
    ),
  },
  { additionalProperties: false },
)
