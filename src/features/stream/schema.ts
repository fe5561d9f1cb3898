import Type from 'typebox'
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
  description: 'What the streaming program shows, in its own words',
})
const Viewers = Type.Integer({ minimum: 0, maximum: 1_000_000_000, examples: [42] })
const Held = Type.Boolean({ description: 'The overlay shows nothing until this is taken back' })

export const StreamState = Type.Object(
  {
    live: Type.Boolean({ examples: [true] }),
    title: Title,
    scene: Scene,
    startedAt: Nullable(Instant),
    viewers: Viewers,
    held: Held,
    streamId: Nullable(Id(7, 'The stream, or the rehearsal, that goes on')),
    updatedAt: Instant,
  },
  { title: 'StreamState' },
)

const wishes = {
  title: Type.Optional(Title),
  scene: Type.Optional(Scene),
  viewers: Type.Optional(Viewers),
}
export const StateChange = Type.Object(
  {
    ...wishes,
    held: Type.Optional(Held),
    live: Type.Optional(Type.Boolean({ description: 'As `start` and `stop`' })),
  },
  { ...strict, title: 'StreamStateChange' },
)
export type StateChange = Type.Static<typeof StateChange>
export const StreamStart = Type.Object(wishes, { ...strict, title: 'StreamStart' })
export type StreamStart = Type.Static<typeof StreamStart>
export const Panic = Type.Object(
  {
    hold: Type.Optional(
      Type.Boolean({ description: 'Show nothing that comes later either, until `held` is taken back' }),
    ),
  },
  { ...strict, title: 'StreamPanic' },
)
export type Panic = Type.Static<typeof Panic>

export const Language = Type.String({
  minLength: 2,
  maxLength: 35,
  pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$',
  examples: ['en'],
  description: 'A language tag (BCP 47)',
})

export const Stream = Type.Object(
  {
    id: Id(7),
    title: Title,
    scene: Scene,
    live: Type.Boolean(),
    rehearsal: Type.Boolean({ description: 'It holds captions that came while nothing was live' }),
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
