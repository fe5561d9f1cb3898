import Type, { type Static } from 'typebox'
import { Instant, strict } from '../../../platform/http/shapes.ts'

export const MIRROR_DETAILS = ['busy', 'title', 'all'] as const
export type MirrorDetail = (typeof MIRROR_DETAILS)[number]

const Id = (example: number, description?: string) =>
  Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    examples: [example],
    ...(description && { description }),
  })
const Detail = Type.Enum([...MIRROR_DETAILS], {
  type: 'string',
  examples: ['busy'],
  description:
    '`busy`: “Busy”, without events that do not block time; `title`; `all`: title, description, place, link and tags. Private events are always “Busy”',
})
const TargetCalendarId = Id(2, 'The calendar that shows the events: your own, and not read-only')

export const CalendarMirror = Type.Object(
  {
    id: Id(1),
    calendarId: Id(1, 'The calendar whose events are shown'),
    targetCalendarId: TargetCalendarId,
    detail: Detail,
    createdAt: Instant,
    updatedAt: Instant,
  },
  { title: 'CalendarMirror' },
)
export type CalendarMirror = Static<typeof CalendarMirror>

export const CalendarMirrorList = Type.Object(
  { mirrors: Type.Array(CalendarMirror) },
  { title: 'CalendarMirrorList' },
)

export const NewCalendarMirror = Type.Object(
  { targetCalendarId: TargetCalendarId, detail: Type.Optional({ ...Detail, default: 'busy' }) },
  { ...strict, title: 'NewCalendarMirror', examples: [{ targetCalendarId: 2, detail: 'busy' }] },
)
export type NewCalendarMirror = Static<typeof NewCalendarMirror>

export const CalendarMirrorChange = Type.Object(
  { detail: Detail },
  { ...strict, title: 'CalendarMirrorChange', examples: [{ detail: 'title' }] },
)
export type CalendarMirrorChange = Static<typeof CalendarMirrorChange>

export const MirrorPath = Type.Object({ id: Id(1), mirrorId: Id(1) }, strict)
