import Type from 'typebox'
import { Instant, NextCursor, Nullable } from '../../platform/http/shapes.ts'
import { Id, Language, strict } from './schema.ts'

export const VTT_TYPE = 'text/vtt'
export const SRT_TYPE = 'application/x-subrip'
export const LONGEST_TEXT = 10_000

/** A thousand hours: no stream is longer. */
const LATEST_SECONDS = 3_600_000
const Seconds = Type.Number({
  examples: [12.5],
  description: 'Seconds from the start of the stream, to the millisecond',
})
const Moment = (description: string) =>
  Type.Union(
    [
      Type.Number({ minimum: 0, maximum: LATEST_SECONDS, examples: [12.5] }),
      Type.String({ maxLength: 40, examples: ['2026-03-01T18:00:12.500Z'] }),
    ],
    { description: `${description}: seconds from the start of the stream, or a time of day` },
  )

const Text = Type.String({
  minLength: 1,
  maxLength: LONGEST_TEXT,
  pattern: '\\S',
  examples: ['Now the roof goes on.'],
  description: 'Plain text: nothing in it is markup',
})
const Speaker = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', examples: ['Ada'] })

export const Caption = Type.Object(
  {
    id: Id(512),
    streamId: Id(7),
    text: Type.String({ examples: ['Now the roof goes on.'] }),
    speaker: Nullable(Speaker),
    start: Seconds,
    end: Seconds,
    language: Language,
    markup: Nullable(
      Type.String({
        examples: ['<v Ada>Now the <i>roof</i> goes on.'],
        description: 'The cue as it was imported, where it says more than the text',
      }),
    ),
    cueId: Nullable(
      Type.String({ examples: ['intro-1'], description: 'The identifier it was imported with' }),
    ),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { title: 'Caption' },
)

const wishes = {
  speaker: Type.Optional(Nullable(Speaker)),
  start: Type.Optional(Moment('Without it, now')),
  end: Type.Optional(Moment('Without it, as long as it takes to read')),
  language: Type.Optional(Language),
}
const CaptionWish = Type.Object({ text: Text, ...wishes }, { ...strict, title: 'CaptionWish' })
export type CaptionWish = Type.Static<typeof CaptionWish>

export const NewCaption = Type.Object(
  {
    text: Type.Optional(Text),
    ...wishes,
    captions: Type.Optional(
      Type.Array(CaptionWish, {
        minItems: 1,
        maxItems: 500,
        description: 'Several at once, in place of one',
      }),
    ),
    streamId: Type.Optional(Id(7, 'Without it, the stream that is live')),
  },
  {
    ...strict,
    title: 'NewCaption',
    examples: [{ text: 'Now the roof goes on.', speaker: 'Ada', language: 'en' }],
  },
)
export type NewCaption = Type.Static<typeof NewCaption>

export const CaptionChange = Type.Object(
  { text: Type.Optional(Text), ...wishes },
  { ...strict, title: 'CaptionChange', examples: [{ text: 'Now the roof goes up.' }] },
)
export type CaptionChange = Type.Static<typeof CaptionChange>

export const CaptionPath = Type.Object({ id: Id(512) }, strict)
const StreamId = Type.Optional(Id(7, 'Without it, the stream that is live, else the last one'))
const LanguageFilter = Type.Optional(Language)

export const CaptionQuery = Type.Object(
  {
    streamId: StreamId,
    language: LanguageFilter,
    order: Type.Enum(['asc', 'desc'], { type: 'string', default: 'asc', description: 'By time' }),
    limit: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'How many at most' }),
    cursor: Type.Optional(
      Type.String({
        maxLength: 1000,
        examples: ['WzEyNTAwLDUxMl0'],
        description: '`nextCursor` of the page before',
      }),
    ),
  },
  strict,
)
export type CaptionQuery = Type.Static<typeof CaptionQuery>
export const CaptionClearing = Type.Object({ streamId: StreamId, language: LanguageFilter }, strict)
export type CaptionClearing = Type.Static<typeof CaptionClearing>
export const FileQuery = Type.Object({ streamId: StreamId, language: LanguageFilter }, strict)
export type FileQuery = Type.Static<typeof FileQuery>
export const ImportQuery = Type.Object(
  {
    streamId: StreamId,
    language: LanguageFilter,
    replace: Type.Boolean({
      default: false,
      description: 'Of a file: in place of what there is in that language',
    }),
  },
  strict,
)
export type ImportQuery = Type.Static<typeof ImportQuery>

export const CaptionList = Type.Object(
  { captions: Type.Array(Caption), nextCursor: NextCursor },
  { title: 'CaptionList' },
)

/** One, several, or what was read from a file. */
export const CaptionsMade = Type.Object(
  {
    ...Object.fromEntries(
      Object.entries(Caption.properties).map(([name, schema]) => [
        name,
        Type.Optional(schema as Type.TSchema),
      ]),
    ),
    captions: Type.Optional(
      Type.Array(Caption, { description: 'Of several: all; of a file: the first two hundred' }),
    ),
    imported: Type.Optional(
      Type.Integer({ minimum: 0, examples: [312], description: 'How many there were in the file' }),
    ),
  },
  {
    title: 'CaptionsMade',
    description: 'One caption as it is; several as `captions`; a file with `imported`',
  },
)

export const VttFile = {
  [VTT_TYPE]: {
    schema: { type: 'string', example: 'WEBVTT\n\n00:00:12.500 --> 00:00:15.000\nNow the roof goes on.\n' },
  },
}
export const VttUpload = { [VTT_TYPE]: { schema: { type: 'string', format: 'binary' } } }
export const SrtFile = {
  [SRT_TYPE]: {
    schema: { type: 'string', example: '1\n00:00:12,500 --> 00:00:15,000\nNow the roof goes on.\n\n' },
  },
}
