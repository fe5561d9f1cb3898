import Type from 'typebox'
import type { Category } from '../../nlu/mail/category.ts'
import { INSIGHT_KINDS } from '../../nlu/mail/facts.ts'
import { Instant, Nullable, strict } from '../../platform/http/shapes.ts'
import { answerMetaFields, ModelField } from '../models/schema.ts'
import { ActionIds, Reservation } from './reservation-schema.ts'

const EmailId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [4711] })
const Offset = Type.Integer({
  minimum: 0,
  examples: [17],
  description: 'Start offset in the text, in UTF-16 code units',
})
const Somewhere = Nullable(
  Type.Integer({ minimum: 0, examples: [17], description: 'Null if it does not occur in the visible text' }),
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
    { ...strict, title: 'ReplyWriterInput' },
  ),
])

/** Refers to a stored email by id, or contains the email itself. */
export const mailGiven = {
  emailId: Type.Optional(EmailId),
  subject: Type.Optional(Type.String({ maxLength: 2000, examples: ['The figures'] })),
  from: Type.Optional(AddressGiven),
  text: Type.Optional(
    Type.String({ maxLength: 500_000, examples: ['Could you send me the figures by Friday? It is urgent.'] }),
  ),
  html: Type.Optional(
    Type.String({ maxLength: 500_000, description: 'Original HTML, used to detect prompt injections' }),
  ),
  date: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 40,
      examples: ['2026-03-02T09:00:00+01:00'],
      description: 'Date of the email, to resolve words like “tomorrow”. Default: now',
    }),
  ),
}

/** Overrides the selected model for this request. */
export const modelChoice = { model: Type.Optional(ModelField) }

export const MailAnalysisInput = Type.Object(
  { ...mailGiven, ...modelChoice },
  {
    ...strict,
    title: 'IntelligenceInput',
    description: 'An `emailId`, or a `text` with optional details.',
    examples: [
      {
        from: 'Ben Okafor <ben@example.org>',
        subject: 'The figures',
        text: 'Could you send the figures by Friday?',
      },
    ],
  },
)
export type MailGiven = Type.Static<typeof MailAnalysisInput>

export const CATEGORIES = [
  'conversation',
  'meeting',
  'newsletter',
  'receipt',
  'shipping',
  'notification',
  'security',
  'auto-reply',
  'bounce',
] as const satisfies Category[]

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
    description: 'Can be passed as `meeting` to `POST /api/calendar/events/from-email`',
  },
)

const analysis = {
  language: Nullable(
    Type.String({
      pattern: '^[a-z]{2}$',
      examples: ['en'],
      description: 'ISO 639-1 code, or null if the text is too short to tell',
    }),
  ),
  category: Type.Enum([...CATEGORIES], { type: 'string', examples: ['conversation'] }),
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
    description: 'Quoted from the email, unless a model wrote it',
  }),
  questions: Type.Array(
    Type.Object(
      { text: Words('Could you send me the figures?'), offset: Offset },
      { title: 'AnsweredQuestion' },
    ),
  ),
  actionItems: Type.Array(
    Type.Object(
      {
        text: Words('Could you send me the figures by Friday?'),
        title: Type.String({
          examples: ['Send me the figures by Friday'],
          description: 'Title for a task',
        }),
        offset: Offset,
        owner: Type.Enum(['me', 'them'], {
          type: 'string',
          examples: ['me'],
          description:
            '`me`: the reader has to do it; `them`: the sender promised it, or `person` has to do it',
        }),
        person: Nullable(
          Type.String({
            examples: [null],
            description: 'Name of the person who has to do it, if neither the reader nor the sender',
          }),
        ),
        dueAt: Nullable(Instant),
        dueDay: Nullable(
          Type.String({
            format: 'date',
            examples: ['2026-03-06'],
            description: 'Set if no time is given. `dueAt` is then the start of this day',
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
        kind: Type.Enum([...INSIGHT_KINDS], {
          type: 'string',
          examples: ['amount'],
          description:
            '`injection`: text that tries to instruct a program; `hidden`: invisible characters in the text; `phishing`: signs of a forged sender',
        }),
        text: Words('€ 1,200'),
        offset: Somewhere,
      },
      { title: 'Insight' },
    ),
  ),
  meetings: Type.Array(Meeting),
  reservations: Type.Array(Reservation, {
    description: 'Can be added with `POST /api/emails/{id}/reservations`',
  }),
  notices: Type.Array(
    Type.String({
      examples: ['This email is written in French. The built-in engine reads only English and German.'],
    }),
    { description: 'Limits of this analysis, such as a language that the built-in engine cannot read' },
  ),
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
    {
      description:
        'Claims of the model that the email does not support. They are not part of the other fields',
    },
  ),
}

export const Intelligence = Type.Object({ ...analysis, ...answerMetaFields }, { title: 'EmailIntelligence' })
export type Intelligence = Type.Static<typeof Intelligence>

export const Analysis = Type.Object(
  {
    ...analysis,
    ...answerMetaFields,
    analyzedAt: Instant,
    taskIds: Type.Array(Type.Integer({ minimum: 1, examples: [42] }), {
      description:
        'With `apply`: ids of all tasks for requests to the reader, parcels and invoices, new or existing',
    }),
    eventIds: Type.Array(Type.Integer({ minimum: 1, examples: [9] }), {
      description: 'With `apply`: ids of the events of reservations, new or existing',
    }),
    actionIds: ActionIds,
    actionId: Nullable(
      Type.Integer({
        minimum: 1,
        examples: [12],
        description: 'Id for `POST /api/actions/{id}/undo`, if tasks were created',
      }),
    ),
  },
  { title: 'StoredAnalysis' },
)

export const AnalyzePath = Type.Object({ id: EmailId }, strict)
export const AnalyzeQuery = Type.Object(
  {
    apply: Type.Optional(
      Type.Boolean({
        description:
          'Also create tasks for requests to the reader, and events and tasks for reservations, without duplicates',
      }),
    ),
    ...modelChoice,
  },
  strict,
)

const Tone = Type.Enum(['formal', 'friendly', 'brief'], { type: 'string', examples: ['friendly'] })

const draftOptions = {
  tone: Type.Optional(Tone),
  language: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
      maxLength: 35,
      examples: ['en'],
      description:
        'Language of the reply. Default: the language of the email. Without a model, only English and German',
    }),
  ),
  instructions: Type.Optional(
    Type.String({
      maxLength: 4000,
      examples: ['accept, and ask for the agenda'],
      description:
        'Content of the reply. Without a model, only yes, no and a length such as “in two sentences” are understood, and everything else becomes a gap',
    }),
  ),
}
export const ReplyDraftInput = Type.Object(
  { ...draftOptions, ...modelChoice },
  {
    ...strict,
    title: 'ReplyInput',
    examples: [{ tone: 'friendly', instructions: 'accept, and ask for the agenda' }],
  },
)
export type ReplyDraftInput = Type.Static<typeof ReplyDraftInput>

const { html: _, ...given } = mailGiven
export const ResponseDraftInput = Type.Object(
  { ...given, ...draftOptions, ...modelChoice },
  {
    ...strict,
    title: 'ResponseInput',
    description: 'An `emailId`, or a `text` with optional details.',
    examples: [
      {
        from: 'Ben Okafor <ben@example.org>',
        subject: 'The figures',
        text: 'Could you send the figures by Friday?',
        tone: 'formal',
      },
    ],
  },
)

const Address = Type.Object(
  {
    name: Type.String({ examples: ['Ben Okafor'] }),
    address: Type.String({ examples: ['ben@example.org'] }),
  },
  { title: 'ReplyAddress' },
)

const reply = {
  subject: Type.String({ examples: ['Re: The figures'] }),
  text: Type.String({
    examples: ['Hi Ben,\n\nThanks for your message.\n\n[your reply]\n\nBest,\nAna'],
    description: 'Text of the reply, with gaps in [brackets]. Empty if the email gets no reply',
  }),
  html: Type.String({ examples: ['<p>Hi Ben,</p>'] }),
  tone: Tone,
  language: Type.String({ examples: ['en'] }),
  answerable: Type.Boolean({
    examples: [true],
    description:
      'False for phishing, demands for payment, advertising and automated senders, which get no reply',
  }),
  reason: Nullable(
    Type.Enum(
      [
        'phishing',
        'dunning',
        'advertising',
        'no-reply',
        'newsletter',
        'notification',
        'shipping',
        'security',
        'auto-reply',
        'bounce',
      ],
      { type: 'string', examples: ['advertising'], description: 'The reason why the email gets no reply' },
    ),
  ),
  gaps: Type.Array(Type.String({ examples: ['[your answer]'] }), {
    description: 'Gaps to fill in, as they appear in the text',
  }),
  slots: Type.Array(Type.Object({ start: Instant, end: Instant }, { title: 'ProposedSlot' }), {
    description: 'Proposed times: free in your calendar and within your working hours',
  }),
  notices: Type.Array(Type.String({ examples: ['It is a newsletter, sent to many.'] })),
  ...answerMetaFields,
}

export const ReplyDraft = Type.Object(
  {
    ...reply,
    to: Type.Array(Address, { description: 'Reply-To addresses of the email, otherwise its sender' }),
    inReplyTo: Nullable(
      Type.String({
        examples: ['4711@example.org'],
        description: 'Message id of the original email; pass it to `POST /api/emails/send`',
      }),
    ),
    accountId: Nullable(
      Type.String({
        examples: ['q3vYw1y0T2uJf0b2nq8XVA'],
        description: 'Mail account that received the email',
      }),
    ),
  },
  { title: 'ReplyDraft' },
)

export const EmailResponse = Type.Object(reply, { title: 'EmailResponse' })
