import Type, { type Static } from 'typebox'
import { Instant, Nullable } from '../../platform/http/shapes.ts'
import { Event, pickPlace } from '../calendar/event.ts'

const Id = (example: number) => Type.Integer({ minimum: 1, examples: [example] })
export const Person = Type.Object(
  {
    name: Type.String({ examples: ['Ana Ruiz'] }),
    address: Type.String({ examples: ['ana@example.com'] }),
  },
  { title: 'BriefingPerson' },
)
export const Task = Type.Object(
  {
    id: Id(42),
    title: Type.String({ examples: ['Pay the rent'] }),
    dueAt: Instant,
    dueDay: Nullable(
      Type.String({
        format: 'date',
        examples: ['2026-03-02'],
        description: 'Day on which the task is due; null if it is due at a time',
      }),
    ),
    priority: Type.String({ examples: ['high'] }),
  },
  { title: 'BriefingTask' },
)
const Subject = Type.String({ examples: ['Offer for the kitchen'] })

const { id, occurrenceStart, title, start, end, allDay, status, busy } = Event.properties

export const BriefingEvent = Type.Object(
  {
    id,
    occurrenceStart,
    title,
    start,
    end,
    allDay,
    ...pickPlace(Event.properties),
    status,
    busy,
  },
  { title: 'BriefingEvent' },
)
export type BriefingEvent = Static<typeof BriefingEvent>

/** `by` is `me` if the user promised it, and `them` if the other person did. */
export const BriefingCommitment = Type.Object(
  {
    id: Id(31),
    by: Type.Enum(['me', 'them'], { type: 'string', examples: ['them'] }),
    who: Person,
    text: Type.String({ examples: ['I will send the drawings by Friday.'] }),
    dueAt: Nullable(Instant),
    dueDay: Nullable(
      Type.String({
        format: 'date',
        examples: ['2026-03-06'],
        description: 'Day on which it is due; null if it is due at a time',
      }),
    ),
    isOverdue: Type.Boolean({ examples: [false] }),
    emailId: Nullable(Id(4711)),
    subject: Subject,
    date: Instant,
    confidence: Type.Number({ examples: [0.83] }),
  },
  { title: 'BriefingCommitment' },
)

export const BriefingQuery = Type.Object(
  {
    date: Type.Optional(
      Type.String({
        pattern: '^\\d{4}-\\d{2}-\\d{2}$',
        examples: ['2026-03-02'],
        description: 'Default: today',
      }),
    ),
  },
  { additionalProperties: false },
)

export const DailyBriefing = Type.Object(
  {
    date: Type.String({ format: 'date', examples: ['2026-03-02'] }),
    timezone: Type.String({ examples: ['Europe/Berlin'] }),
    generatedAt: Instant,
    isToday: Type.Boolean({ examples: [true] }),
    isEmpty: Type.Boolean({
      examples: [false],
      description: 'No events, no due tasks, no emails waiting for a reply',
    }),
    summary: Type.String({ examples: ['2 events are in the calendar, the first at 09:00: Design review.'] }),
    text: Type.String({ examples: ['Monday, 2 March 2026\n\nIn the calendar\n- 09:00–10:00 Design review'] }),
    workingDay: Type.Optional(
      Type.Object(
        {
          isWorkingDay: Type.Boolean({ examples: [true] }),
          hours: Type.Array(Type.Object({ start: Instant, end: Instant })),
          freeMinutes: Type.Integer({
            examples: [240],
            description: 'Free minutes within the working hours',
          }),
        },
        { title: 'WorkingDay' },
      ),
    ),
    events: Type.Optional(Type.Array(BriefingEvent)),
    conflicts: Type.Optional(
      Type.Array(
        Type.Object(
          {
            start: Instant,
            end: Instant,
            events: Type.Array(Type.Object({ id, title })),
          },
          { title: 'BriefingConflict' },
        ),
        { description: 'Overlapping events' },
      ),
    ),
    due: Type.Optional(Type.Array(Task)),
    overdue: Type.Optional(Type.Array(Task)),
    waiting: Type.Optional(
      Type.Array(
        Type.Object(
          {
            emailId: Id(4711),
            threadId: Id(4700),
            folder: Type.Enum(['inbox', 'sent', 'drafts', 'archive', 'trash', 'junk', 'other'], {
              type: 'string',
              examples: ['inbox'],
            }),
            from: Person,
            subject: Subject,
            date: Instant,
            asks: Type.Array(Type.String({ examples: ['Could you send me the offer?'] })),
          },
          { title: 'WaitingPerson' },
        ),
        { description: 'Emails of the last 14 days that ask something and have no reply yet' },
      ),
    ),
    commitments: Type.Optional(
      Type.Array(BriefingCommitment, {
        description:
          'Open promises that are overdue, due within a week, or new and without a date. `by`: who promised; `who`: the other person',
      }),
    ),
  },
  { title: 'DailyBriefing' },
)
