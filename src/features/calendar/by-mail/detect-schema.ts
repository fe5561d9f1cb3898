import Type from 'typebox'
import { Instant, Nullable } from '../../../platform/http/shapes.ts'

const strict = { additionalProperties: false }

/** Longer than any mail that a person writes. */
const LONGEST = 500_000

const Piece = {
  text: Type.String({ examples: ['Thursday at noon'] }),
  offset: Type.Integer({
    minimum: 0,
    examples: [14],
    description: 'Where it stands in the text, in UTF-16 units',
  }),
}
const Confidence = Type.Number({ minimum: 0, maximum: 1, examples: [0.86] })

export const DetectWish = Type.Object(
  {
    text: Type.String({ maxLength: LONGEST, examples: ['Shall we have lunch on Thursday at noon?'] }),
    subject: Type.Optional(
      Type.String({ maxLength: 2000, examples: ['Lunch'], description: 'What a meeting is called after' }),
    ),
    referenceTime: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 40,
        examples: ['2026-03-02T09:00:00+01:00'],
        description: 'When it was written, for “tomorrow”; now unless told',
      }),
    ),
    timezone: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        examples: ['Europe/Berlin'],
        description: 'Of times that name none; the instance’s unless told',
      }),
    ),
  },
  { ...strict, title: 'DetectWish' },
)
export type DetectWish = Type.Static<typeof DetectWish>

export const FoundMeeting = Type.Object(
  {
    title: Type.String({ examples: ['Lunch'] }),
    start: Instant,
    end: Instant,
    allDay: Type.Boolean({ examples: [false] }),
    timezone: Type.String({ examples: ['Europe/Berlin'] }),
    location: Nullable(Type.String({ examples: ['Café Central'] })),
    meetingUrl: Nullable(Type.String({ examples: ['https://meet.example.org/design'] })),
    attendees: Type.Array(Type.String({ examples: ['Ana'] }), {
      description: 'Names and addresses as the text has them',
    }),
    recurrence: Nullable(
      Type.String({ examples: ['FREQ=WEEKLY;BYDAY=TH'], description: 'When it comes back: an RRULE' }),
    ),
    confidence: Confidence,
    evidence: Type.Array(Type.Object(Piece, { title: 'FoundEvidence' })),
  },
  { title: 'FoundMeeting', description: '`from-email` takes it as `meeting`' },
)
export type FoundMeeting = Type.Static<typeof FoundMeeting>

export const Detection = Type.Object(
  {
    detected: Type.Boolean({ examples: [true] }),
    confidence: Type.Number({
      minimum: 0,
      maximum: 1,
      examples: [0.86],
      description: 'Of the surest meeting; 0 without one',
    }),
    meetings: Type.Array(FoundMeeting, {
      description: 'In the order of the text; several proposals stay several',
    }),
    signals: Type.Array(
      Type.Object(
        {
          kind: Type.Enum(
            [
              ...['occasion', 'proposal', 'invitation', 'acceptance', 'link', 'time'],
              ...['past', 'deadline', 'bill', 'hours', 'offer', 'cancellation'],
            ],
            {
              type: 'string',
              examples: ['occasion'],
              description: 'From `past` on they speak against a meeting',
            },
          ),
          ...Piece,
        },
        { title: 'MeetingSignal' },
      ),
    ),
  },
  { title: 'Detection' },
)
