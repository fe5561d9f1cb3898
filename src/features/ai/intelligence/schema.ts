import Type from 'typebox'
import { Instant, Nullable } from '../../../platform/http/shapes.ts'
import { madeFields } from '../made-schema.ts'
import { ModelField } from '../models/schema.ts'

const strict = { additionalProperties: false }

const EmailId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [4711] })
const Offset = Type.Integer({
  minimum: 0,
  examples: [17],
  description: 'Where it begins in the text, in UTF-16 units',
})
const Somewhere = Nullable(
  Type.Integer({ minimum: 0, examples: [17], description: 'Null when it stands in no text that is seen' }),
)
const Words = (example: string) => Type.String({ examples: [example] })
const Confidence = Type.Number({ minimum: 0, maximum: 1, examples: [0.86] })

const AddressGiven = Type.Union([
  Type.String({ minLength: 1, maxLength: 1000, examples: ['Ben Okafor <ben@example.org>'] }),
  Type.Object(
    {
      name: Type.Optional(Nullable(Type.String({ maxLength: 500, examples: ['Ben Okafor'] }))),
      address: Type.String({ minLength: 3, maxLength: 320, examples: ['ben@example.org'] }),
    },
    { ...strict, title: 'WriterGiven' },
  ),
])

/** A mail that is kept here, or one that is sent along. */
export const mailGiven = {
  emailId: Type.Optional(EmailId),
  subject: Type.Optional(Type.String({ maxLength: 2000, examples: ['The figures'] })),
  from: Type.Optional(AddressGiven),
  text: Type.Optional(
    Type.String({ maxLength: 500_000, examples: ['Could you send me the figures by Friday? It is urgent.'] }),
  ),
  html: Type.Optional(
    Type.String({ maxLength: 500_000, description: 'As it came, so that what it hides can be told' }),
  ),
  date: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 40,
      examples: ['2026-03-02T09:00:00+01:00'],
      description: 'When it was written, for “tomorrow”; now unless told',
    }),
  ),
}

/** Another model than the one that is chosen, for once. */
export const modelWished = { model: Type.Optional(ModelField) }

export const IntelligenceWish = Type.Object(
  { ...mailGiven, ...modelWished },
  {
    ...strict,
    title: 'IntelligenceWish',
    description: 'An `emailId`, or a `text` with what else is known of it.',
    examples: [
      {
        from: 'Ben Okafor <ben@example.org>',
        subject: 'The figures',
        text: 'Could you send the figures by Friday?',
      },
    ],
  },
)
export type MailGiven = Type.Static<typeof IntelligenceWish>

const Meeting = Type.Object(
  {
    title: Words('Lunch'),
    start: Instant,
    end: Instant,
    allDay: Type.Boolean({ examples: [false] }),
    timezone: Words('Europe/Berlin'),
    location: Nullable(Words('Café Central')),
    meetingUrl: Nullable(Words('https://meet.example.org/design')),
    attendees: Type.Array(Words('Ana')),
    recurrence: Nullable(Words('FREQ=WEEKLY;BYDAY=TH')),
    confidence: Confidence,
    evidence: Type.Array(
      Type.Object({ text: Words('Thursday at noon'), offset: Offset }, { title: 'MeetingEvidence' }),
    ),
  },
  {
    title: 'MeetingInMail',
    description: '`POST /api/calendar/events/from-email` takes it as `meeting`',
  },
)

const analysis = {
  language: Type.Enum(['en', 'de'], { type: 'string', examples: ['en'] }),
  category: Type.Enum(
    [
      ...['conversation', 'meeting', 'newsletter', 'receipt', 'shipping'],
      ...['notification', 'security', 'auto-reply', 'bounce'],
    ],
    { type: 'string', examples: ['conversation'] },
  ),
  categoryConfidence: Confidence,
  urgency: Type.Object(
    {
      level: Type.Enum(['low', 'normal', 'high', 'critical'], { type: 'string', examples: ['high'] }),
      score: Type.Number({ minimum: 0, maximum: 1, examples: [0.65] }),
      reasons: Type.Array(
        Type.Object(
          { reason: Words('it says that it is urgent'), text: Words('urgent'), offset: Somewhere },
          { title: 'UrgencyReason' },
        ),
      ),
    },
    { title: 'Urgency' },
  ),
  sentiment: Type.Enum(['positive', 'neutral', 'negative'], { type: 'string', examples: ['neutral'] }),
  summary: Type.String({
    examples: ['Could you send me the figures by Friday?'],
    description: 'In the mail’s own words, unless a model wrote it',
  }),
  questions: Type.Array(
    Type.Object(
      { text: Words('Could you send me the figures?'), offset: Offset },
      { title: 'QuestionAsked' },
    ),
  ),
  actionItems: Type.Array(
    Type.Object(
      {
        text: Words('Could you send me the figures by Friday?'),
        title: Type.String({
          examples: ['Send me the figures by Friday'],
          description: 'As a task is called',
        }),
        offset: Offset,
        owner: Type.Enum(['me', 'them'], {
          type: 'string',
          examples: ['me'],
          description: 'Who has to do it: the reader, or the writer who promised it',
        }),
        dueAt: Nullable(Instant),
        dueDay: Nullable(
          Type.String({
            format: 'date',
            examples: ['2026-03-06'],
            description: 'Set when no hour is named. `dueAt` is then the start of this day',
          }),
        ),
        confidence: Confidence,
      },
      { title: 'ActionItem' },
    ),
  ),
  insights: Type.Array(
    Type.Object(
      {
        kind: Type.Enum(
          [
            ...['amount', 'deadline', 'order', 'invoice', 'tracking', 'flight', 'link'],
            ...['email', 'phone', 'company', 'person', 'injection', 'hidden', 'phishing'],
          ],
          {
            type: 'string',
            examples: ['amount'],
            description:
              '`injection`: words that try to command a machine that reads the mail; `hidden`: text that a person does not see; `phishing`: a sign that it only pretends to come from where it says',
          },
        ),
        text: Words('€ 1,200'),
        offset: Somewhere,
      },
      { title: 'Insight' },
    ),
  ),
  meetings: Type.Array(Meeting),
  unsupported: Type.Array(
    Type.Object(
      {
        what: Type.Enum(['summary', 'urgency', 'question', 'actionItem', 'date', 'insight', 'meeting'], {
          type: 'string',
          examples: ['date'],
        }),
        text: Words('2026-03-09'),
      },
      { title: 'Unsupported' },
    ),
    { description: 'What the model said and the mail does not bear out: it was left out of all the rest' },
  ),
}

export const Intelligence = Type.Object({ ...analysis, ...madeFields }, { title: 'EmailIntelligence' })
export type Intelligence = Type.Static<typeof Intelligence>

export const Analysis = Type.Object(
  {
    ...analysis,
    ...madeFields,
    analyzedAt: Instant,
    taskIds: Type.Array(Type.Integer({ minimum: 1, examples: [42] }), {
      description: 'With `apply`: the tasks that there are for what it asks of the reader, new or not',
    }),
    actionId: Nullable(
      Type.Integer({
        minimum: 1,
        examples: [12],
        description: 'What `POST /api/actions/{id}/undo` takes back, when tasks were made',
      }),
    ),
  },
  { title: 'KeptAnalysis' },
)

export const AnalyzePath = Type.Object({ id: EmailId }, strict)
export const AnalyzeQuery = Type.Object(
  {
    apply: Type.Optional(
      Type.Boolean({ description: 'Also files what it asks of the reader as tasks, each once' }),
    ),
    ...modelWished,
  },
  strict,
)
