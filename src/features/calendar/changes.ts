import Type from 'typebox'
import { declareChanges } from '../../platform/changes.ts'
import { Instant, Nullable } from '../../platform/http/shapes.ts'
import { CHANGE_FIELDS, Event, EventFields, REMINDER_FIELDS } from './event.ts'

const { id, calendarId, changedBy, mirrorOf, start, end, title, allDay, timezone, occurrenceStart } =
  Event.properties

const declared = {
  /**
   * Only `id` and `calendarId` for a member who may see free and busy times, or a private event. Copies for other members
   * have no `uid`, because their own calendars may have an event with the same one, and no `source`.
   */
  payload: Type.Object({
    id,
    calendarId,
    ...Type.Partial(Type.Pick(EventFields, [...CHANGE_FIELDS])).properties,
    changedBy: Type.Optional(changedBy),
    mirrorOf: Type.Optional(mirrorOf),
    private: Type.Optional(Type.Literal(true)),
    occurrenceStart: Type.Optional(Instant),
    fields: Type.Optional(Type.Array(Type.String(), { description: 'The names of the changed fields' })),
    deleted: Type.Optional(Type.Literal(true)),
  }),
  live: 'calendar:read',
  webhook: true,
  members: 'calendar',
} as const

const DetailValue = Type.Optional(Type.Union([Type.String(), Type.Boolean(), Type.Null()]))
/** A changed field of an event. Lists and times have no values. */
const details = Type.Array(Type.Object({ field: Type.String(), before: DetailValue, after: DetailValue }))

export const calendarChanges = declareChanges({
  'event.created': declared,
  'event.updated': declared,
  'event.cancelled': declared,
  /** Each person has reminders of their own, so members receive no copy. */
  'event.starting': {
    payload: Type.Object({
      id,
      ...Type.Pick(EventFields, [...REMINDER_FIELDS]).properties,
      start,
      end,
      occurrenceStart,
      minutesBefore: Type.Number(),
      calendarId,
    }),
    live: 'calendar:read',
    webhook: true,
  },
  'event.calendars_updated': {
    payload: Type.Object({ calendarId: Type.Optional(calendarId) }),
    live: 'calendar:read',
    members: 'calendar',
  },
  /** A mail changed an event, or the answer of a guest. */
  'invitation.applied': {
    payload: Type.Object({
      what: Type.Enum(['invited', 'moved', 'changed', 'cancelled', 'answered']),
      by: Type.String(),
      title,
      start,
      lastEnd: end,
      allDay,
      timezone,
      formerStart: start,
      answer: Nullable(Type.Enum(['accepted', 'declined', 'tentative'])),
      details,
      actionId: Type.Integer(),
      emailId: Type.Integer(),
      calendarId: Type.Optional(calendarId),
    }),
  },
  /** The server's version of an event replaced a local change. */
  'calendar_account.conflict': {
    payload: Type.Object({ account: Type.String(), title, start, details, actionId: Type.Integer() }),
  },
  'calendar_account.failing': {
    payload: Type.Object({
      accountId: Type.String(),
      name: Type.String(),
      error: Type.String(),
      lastSyncAt: Nullable(Instant),
    }),
  },
})

type CalendarChanges = typeof calendarChanges
declare module '../../platform/changes.ts' {
  interface DeclaredChanges extends CalendarChanges {}
}
