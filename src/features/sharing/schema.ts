import Type from 'typebox'
import { Instant, NextCursor, Nullable } from '../../platform/http/shapes.ts'

const strict = { additionalProperties: false }
const Id = (example: number) =>
  Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [example] })
/** RFC 5321 allows addresses of up to 254 characters. */
const Address = Type.String({ format: 'email', maxLength: 254, examples: ['li@example.org'] })
const Name = Type.String({ examples: ['Li Chen'] })

export const SHARE_ROLES = ['viewer', 'editor', 'freeBusy'] as const
const ROLE_NOTE =
  '`viewer` reads, `editor` also changes entries. `freeBusy`, for calendars only, sees when you are busy and nothing else. Private events are busy times for all three.'

const Role = Type.Enum([...SHARE_ROLES], { type: 'string', examples: ['editor'], description: ROLE_NOTE })
const Status = Type.Enum(['pending', 'accepted', 'declined'], {
  type: 'string',
  examples: ['pending'],
  description: '`pending` until the account of that address answers, also if nobody has that address',
})

export const Share = Type.Object(
  {
    id: Id(3),
    email: Address,
    name: Nullable(Name),
    role: Role,
    status: Status,
    createdAt: Instant,
    updatedAt: Instant,
  },
  { title: 'Share' },
)
export type Share = Type.Static<typeof Share>
export const ShareList = Type.Object(
  { shares: Type.Array(Share), nextCursor: NextCursor },
  { title: 'ShareList' },
)

export const NewShare = Type.Object(
  { email: Address, role: Role },
  { ...strict, title: 'NewShare', examples: [{ email: 'li@example.org', role: 'editor' }] },
)
export type NewShare = Type.Static<typeof NewShare>
export const ShareChange = Type.Object({ role: Role }, { ...strict, title: 'ShareChange' })

export const OfferedShare = Type.Object(
  {
    id: Id(3),
    kind: Type.Enum(['taskList', 'calendar'], { type: 'string', examples: ['calendar'] }),
    resourceId: Type.Integer({ examples: [5], description: 'Id of the task list or calendar' }),
    name: Type.String({ examples: ['Family'], description: 'Name of the task list or calendar' }),
    owner: Type.Object({ name: Name, email: Address }, { title: 'ShareOwner' }),
    role: Role,
    status: Status,
    createdAt: Instant,
    updatedAt: Instant,
  },
  { title: 'OfferedShare' },
)
export type OfferedShare = Type.Static<typeof OfferedShare>
export const OfferedShareList = Type.Object(
  { shares: Type.Array(OfferedShare), nextCursor: NextCursor },
  { title: 'OfferedShareList' },
)

export const ResourcePath = Type.Object({ id: Id(5) }, strict)
export const SharePath = Type.Object({ id: Id(5), shareId: Id(3) }, strict)
export const OfferPath = Type.Object({ id: Id(3) }, strict)
