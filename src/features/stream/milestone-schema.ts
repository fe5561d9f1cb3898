import Type from 'typebox'
import { Instant, NextCursor, Nullable } from '../../platform/http/shapes.ts'
import { Id, strict } from './schema.ts'

const LARGEST = 1_000_000_000_000

export const SOURCES = ['manual', 'tasks_completed', 'bookings', 'emails_received'] as const
export type Source = (typeof SOURCES)[number]

const Title = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', examples: ['A new microphone'] })
const Unit = Type.String({ maxLength: 40, examples: ['followers'] })
const Target = Type.Integer({ minimum: 1, maximum: LARGEST, examples: [500] })
const Current = Type.Integer({ minimum: 0, maximum: LARGEST, examples: [320] })
const SourceField = Type.Enum([...SOURCES], {
  type: 'string',
  examples: ['manual'],
  description: '`manual`: by progress that is sent; else it counts by itself from `countsFrom` on',
})

export const Milestone = Type.Object(
  {
    id: Id(3),
    title: Title,
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
const Since = Type.String({ maxLength: 40, examples: ['2026-03-01'], description: 'Without it, now' })

export const NewMilestone = Type.Object(
  {
    title: Title,
    target: Target,
    unit: Type.Optional(Unit),
    current: Type.Optional(Current),
    source: Type.Optional(SourceField),
    countsFrom: Type.Optional(Since),
  },
  { ...strict, title: 'NewMilestone' },
)
export type NewMilestone = Type.Static<typeof NewMilestone>

export const MilestoneChange = Type.Object(
  {
    title: Type.Optional(Title),
    target: Type.Optional(Target),
    unit: Type.Optional(Unit),
    current: Type.Optional(Current),
    countsFrom: Type.Optional(Since),
  },
  { ...strict, title: 'MilestoneChange' },
)
export type MilestoneChange = Type.Static<typeof MilestoneChange>

export const Progress = Type.Object(
  {
    amount: Type.Integer({
      minimum: -LARGEST,
      maximum: LARGEST,
      examples: [5],
      description: 'What is added; less than nothing takes back',
    }),
  },
  { ...strict, title: 'MilestoneProgress' },
)
export const MilestonePath = Type.Object({ id: Id(3) }, strict)
export const MilestoneList = Type.Object(
  { milestones: Type.Array(Milestone), nextCursor: NextCursor },
  { title: 'MilestoneList' },
)
