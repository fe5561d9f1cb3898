import Type from 'typebox'
import { invalidField } from '../../platform/errors.ts'
import { Instant, NextCursor, Nullable } from '../../platform/http/shapes.ts'

export const strict = { additionalProperties: false }

export const Id = (example: number, description?: string) =>
  Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    examples: [example],
    ...(description !== undefined && { description }),
  })

const Title = Type.String({ maxLength: 300, examples: ['Building a bird table'] })
const Scene = Type.String({
  maxLength: 100,
  examples: ['Workbench'],
  description: 'Scene of the streaming software',
})
const Viewers = Type.Integer({ minimum: 0, maximum: 1_000_000_000, examples: [42] })
const Held = Type.Boolean({ description: 'The overlay shows nothing while this is true' })

export const StreamState = Type.Object(
  {
    live: Type.Boolean({ examples: [true] }),
    title: Title,
    scene: Scene,
    startedAt: Nullable(Instant),
    viewers: Viewers,
    held: Held,
    streamId: Nullable(Id(7, 'Id of the running stream or rehearsal')),
    updatedAt: Instant,
  },
  { title: 'StreamState' },
)

const streamInput = {
  title: Type.Optional(Title),
  scene: Type.Optional(Scene),
  viewers: Type.Optional(Viewers),
}
export const StateChange = Type.Object(
  {
    ...streamInput,
    held: Type.Optional(Held),
    live: Type.Optional(Type.Boolean({ description: 'Like `start` and `stop`' })),
  },
  { ...strict, title: 'StreamStateChange' },
)
export type StateChange = Type.Static<typeof StateChange>
export const StreamStart = Type.Object(streamInput, { ...strict, title: 'StreamStart' })
export type StreamStart = Type.Static<typeof StreamStart>
export const Panic = Type.Object(
  {
    hold: Type.Optional(Type.Boolean({ description: 'Keep the overlay empty until `held` is set to false' })),
  },
  { ...strict, title: 'StreamPanic' },
)
export type Panic = Type.Static<typeof Panic>

export const Language = Type.String({
  minLength: 2,
  maxLength: 35,
  pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$',
  examples: ['en'],
  description: 'Language tag (BCP 47)',
})

export const Stream = Type.Object(
  {
    id: Id(7),
    title: Title,
    scene: Scene,
    live: Type.Boolean(),
    rehearsal: Type.Boolean({ description: 'Contains captions that arrived while no stream was live' }),
    startedAt: Instant,
    stoppedAt: Nullable(Instant),
    peakViewers: Viewers,
    languages: Type.Array(
      Type.Object(
        { language: Language, captions: Type.Integer({ minimum: 0, examples: [312] }) },
        { title: 'CaptionTrack' },
      ),
    ),
  },
  { title: 'Stream' },
)
export const StreamList = Type.Object(
  { streams: Type.Array(Stream), nextCursor: NextCursor },
  { title: 'StreamList' },
)
export const StreamPath = Type.Object({ id: Id(7) }, strict)

export const VTT_TYPE = 'text/vtt'
export const SRT_TYPE = 'application/x-subrip'
export const MAX_TEXT_LENGTH = 10_000

/** 1,000 hours, longer than any stream. */
const LATEST_SECONDS = 3_600_000
const Seconds = Type.Number({
  examples: [12.5],
  description: 'Seconds since the start of the stream, with millisecond precision',
})
const Moment = (description: string) =>
  Type.Union(
    [
      Type.Number({ minimum: 0, maximum: LATEST_SECONDS, examples: [12.5] }),
      Type.String({ maxLength: 40, examples: ['2026-03-01T18:00:12.500Z'] }),
    ],
    { description: `${description}; seconds since the start of the stream, or an RFC 3339 time` },
  )

const Text = Type.String({
  minLength: 1,
  maxLength: MAX_TEXT_LENGTH,
  pattern: '\\S',
  examples: ['Now the roof goes on.'],
  description: 'Plain text; markup is not interpreted',
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
        description: 'Original markup of an imported cue, if it contains more than the text',
      }),
    ),
    cueId: Nullable(Type.String({ examples: ['intro-1'], description: 'Identifier of the imported cue' })),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { title: 'Caption' },
)

const captionInput = {
  speaker: Type.Optional(Nullable(Speaker)),
  start: Type.Optional(Moment('Default: now')),
  end: Type.Optional(Moment('Default: start plus reading time')),
  language: Type.Optional(Language),
}
const CaptionInput = Type.Object({ text: Text, ...captionInput }, { ...strict, title: 'CaptionInput' })
export type CaptionInput = Type.Static<typeof CaptionInput>

export const NewCaption = Type.Object(
  {
    text: Type.Optional(Text),
    ...captionInput,
    captions: Type.Optional(
      Type.Array(CaptionInput, {
        minItems: 1,
        maxItems: 500,
        description: 'Several captions instead of one',
      }),
    ),
    streamId: Type.Optional(Id(7, 'Default: the live stream')),
  },
  {
    ...strict,
    title: 'NewCaption',
    examples: [{ text: 'Now the roof goes on.', speaker: 'Ada', language: 'en' }],
  },
)
export type NewCaption = Type.Static<typeof NewCaption>

export const CaptionChange = Type.Object(
  { text: Type.Optional(Text), ...captionInput },
  { ...strict, title: 'CaptionChange', examples: [{ text: 'Now the roof goes up.' }] },
)
export type CaptionChange = Type.Static<typeof CaptionChange>

export const CaptionPath = Type.Object({ id: Id(512) }, strict)
const StreamId = Type.Optional(Id(7, 'Default: the live stream, otherwise the last one'))
const LanguageFilter = Type.Optional(Language)

export const CaptionQuery = Type.Object(
  {
    streamId: StreamId,
    language: LanguageFilter,
    order: Type.Enum(['asc', 'desc'], { type: 'string', default: 'asc', description: 'Order by time' }),
    limit: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Maximum number of captions' }),
    cursor: Type.Optional(
      Type.String({
        maxLength: 1000,
        examples: ['WzEyNTAwLDUxMl0'],
        description: '`nextCursor` of the previous page',
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
      description: 'For files: replace all captions in this language',
    }),
  },
  strict,
)
export type ImportQuery = Type.Static<typeof ImportQuery>

export const CaptionList = Type.Object(
  { captions: Type.Array(Caption), nextCursor: NextCursor },
  { title: 'CaptionList' },
)

/** Result for one caption, several, or a file. */
export const CreatedCaptions = Type.Object(
  {
    ...Object.fromEntries(
      Object.entries(Caption.properties).map(([name, schema]) => [
        name,
        Type.Optional(schema as Type.TSchema),
      ]),
    ),
    captions: Type.Optional(
      Type.Array(Caption, { description: 'All added captions; for a file, the first 200' }),
    ),
    imported: Type.Optional(
      Type.Integer({ minimum: 0, examples: [312], description: 'Number of captions in the file' }),
    ),
  },
  {
    title: 'CreatedCaptions',
    description: 'One caption by its fields, several as `captions`, or a file with `imported`',
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

const Platform = Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,39}$', examples: ['twitch'] })
const ServerUrl = Type.String({
  maxLength: 500,
  pattern: '^(rtmps?|srt|https?|wss?)://[^\\s/@]+(/\\S*)?$',
  examples: ['rtmps://live.example.org/app'],
  description: 'Ingest URL of the platform. It is returned, so it must not contain secrets',
})
const Secret = Type.Optional(
  Type.String({ minLength: 1, maxLength: 4000, examples: ['live_1234567890_abcdef'] }),
)

export const Credential = Type.Object(
  {
    platform: Platform,
    configured: Type.Boolean({ examples: [true] }),
    fields: Type.Array(Type.String({ examples: ['streamKey'] }), {
      description: 'Names of the stored secrets',
    }),
    hint: Type.String({ examples: ['…cdef'] }),
    serverUrl: Nullable(ServerUrl),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { title: 'StreamCredential' },
)
export const CredentialInput = Type.Object(
  {
    streamKey: Secret,
    key: Secret,
    token: Secret,
    accessToken: Secret,
    refreshToken: Secret,
    apiKey: Secret,
    clientId: Secret,
    clientSecret: Secret,
    username: Secret,
    password: Secret,
    serverUrl: Type.Optional(Nullable(ServerUrl)),
  },
  { ...strict, title: 'StreamCredentialInput' },
)
export type CredentialInput = Type.Static<typeof CredentialInput>
export const CredentialPath = Type.Object({ platform: Platform }, strict)
export const CredentialList = Type.Object(
  { credentials: Type.Array(Credential), nextCursor: NextCursor },
  { title: 'StreamCredentialList' },
)

const MAX_VALUE = 1_000_000_000_000

export const SOURCES = ['manual', 'tasks_completed', 'bookings', 'emails_received'] as const
export type Source = (typeof SOURCES)[number]

const MilestoneTitle = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '\\S',
  examples: ['A new microphone'],
})
const Unit = Type.String({ maxLength: 40, examples: ['followers'] })
const Target = Type.Integer({ minimum: 1, maximum: MAX_VALUE, examples: [500] })
const Current = Type.Integer({ minimum: 0, maximum: MAX_VALUE, examples: [320] })
const SourceField = Type.Enum([...SOURCES], {
  type: 'string',
  examples: ['manual'],
  description:
    '`manual`: changed by progress requests; other sources are counted automatically from `countsFrom` on',
})

export const Milestone = Type.Object(
  {
    id: Id(3),
    title: MilestoneTitle,
    unit: Unit,
    target: Target,
    current: Current,
    source: SourceField,
    countsFrom: Instant,
    reached: Type.Boolean(),
    reachedAt: Nullable(Instant),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { title: 'Milestone' },
)
const Since = Type.String({ maxLength: 40, examples: ['2026-03-01'], description: 'Default: now' })

export const NewMilestone = Type.Object(
  {
    title: MilestoneTitle,
    target: Target,
    unit: Type.Optional(Unit),
    current: Type.Optional(Current),
    source: Type.Optional(SourceField),
    countsFrom: Type.Optional(Since),
  },
  { ...strict, title: 'NewMilestone' },
)
export type NewMilestone = Type.Static<typeof NewMilestone>

export const MilestoneChange = Type.Partial(Type.Omit(NewMilestone, ['source']), {
  ...strict,
  title: 'MilestoneChange',
})
export type MilestoneChange = Type.Static<typeof MilestoneChange>

export const Progress = Type.Object(
  {
    amount: Type.Integer({
      minimum: -MAX_VALUE,
      maximum: MAX_VALUE,
      examples: [5],
      description: 'Amount to add; negative to subtract',
    }),
  },
  { ...strict, title: 'MilestoneProgress' },
)
export const MilestonePath = Type.Object({ id: Id(3) }, strict)
export const MilestoneList = Type.Object(
  { milestones: Type.Array(Milestone), nextCursor: NextCursor },
  { title: 'MilestoneList' },
)

/** Normalizes a language tag: `en-us` becomes `en-US`. */
export const canonicalLanguage = (tag: string, path = 'language'): string => {
  try {
    return Intl.getCanonicalLocales(tag)[0] as string
  } catch {
    throw invalidField(path, 'must be a language tag such as en or pt-BR')
  }
}

/**
 * Selects the requested language or a variant of it (`en` finds `en-GB`).
 * Without a request, selects the language of the instance, otherwise the first available.
 */
export const chooseLanguage = (
  there: readonly string[],
  wanted: string | undefined,
  fallback: string,
): string => {
  const tag = wanted ?? fallback
  const [kind = tag] = tag.split('-')
  const found =
    there.find((one) => one === tag) ??
    there.find((one) => one.startsWith(`${tag}-`)) ??
    there.find((one) => one === kind)
  return found ?? (wanted === undefined ? there[0] : undefined) ?? tag
}
