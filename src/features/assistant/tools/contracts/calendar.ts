import Type from 'typebox'
import {
  closed,
  Deleted,
  Id,
  limitTo,
  listOf,
  Moment,
  OrNull,
  oneOf,
  type ToolContract,
  type ToolSchemas,
} from './contract.ts'

/** 1 January 1970 was a Thursday. */
export const WEEKDAYS = [
  'thursday',
  'friday',
  'saturday',
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
] as const
export type WeekdayName = (typeof WEEKDAYS)[number]

const Title = Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' })
const Guest = Type.String({ minLength: 1, maxLength: 900, description: 'Name <a@b> or a@b' })
const Occurrence = Type.Optional(
  Type.String({
    maxLength: 40,
    description: '`occurrenceStart` of one occurrence of a series; without it, the whole series',
  }),
)
const Hour = (description: string) =>
  Type.Optional(Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', description }))

export const createCalendarContracts = (schemas: ToolSchemas) => {
  return {
    list_events: {
      description: 'Lists events between two times. A series is returned as its occurrences.',
      effect: 'read',
      scope: 'calendar:read',
      input: closed({ start: Moment, end: Moment, limit: limitTo(100) }),
      result: () => listOf('events', schemas.event),
    },
    create_event: {
      description: 'Adds an event to the calendar. With attendees, the person must confirm first.',
      effect: 'write',
      scope: 'calendar:write',
      input: closed({
        title: Title,
        start: Moment,
        end: Type.Optional(Moment),
        allDay: Type.Optional(Type.Boolean()),
        location: Type.Optional(Type.String({ maxLength: 1000 })),
        description: Type.Optional(Type.String({ maxLength: 20_000 })),
        attendees: Type.Optional(Type.Array(Guest, { maxItems: 100 })),
        recurrence: Type.Optional(Type.String({ maxLength: 500, description: 'RRULE of RFC 5545' })),
      }),
      returnsOwnText: true,
      result: () =>
        Type.Object({
          ...schemas.savedEvent.properties,
          calendarName: Type.Optional(Type.String({ description: 'Name of its calendar' })),
        }),
      isOpenWorld: true,
    },
    move_event: {
      description:
        'Moves an event, or one occurrence of a series, to another time. Without an end, it keeps its duration. If it has guests, the person must confirm first.',
      effect: 'write',
      scope: 'calendar:write',
      input: closed({ id: Id, occurrence: Occurrence, start: Moment, end: Type.Optional(Moment) }),
      result: () => schemas.savedEvent,
      isIdempotent: true,
      isOpenWorld: true,
    },
    update_event: {
      description:
        'Changes the title, location or description of an event, or of one occurrence of a series, or adds or removes attendees. Nothing is sent to them: see `invite_guests`. If it already has guests, the person must confirm first.',
      effect: 'write',
      scope: 'calendar:write',
      input: closed({
        id: Id,
        occurrence: Occurrence,
        title: Type.Optional(Title),
        location: Type.Optional(Type.String({ maxLength: 1000 })),
        description: Type.Optional(Type.String({ maxLength: 20_000 })),
        addAttendees: Type.Optional(Type.Array(Guest, { minItems: 1, maxItems: 100 })),
        removeAttendees: Type.Optional(
          Type.Array(Type.String({ minLength: 3, maxLength: 320 }), {
            minItems: 1,
            maxItems: 100,
            description: 'Email addresses of attendees',
          }),
        ),
        recurrence: Type.Optional(
          Type.String({ maxLength: 500, description: 'RRULE of RFC 5545, for the whole series' }),
        ),
      }),
      result: () => schemas.savedEvent,
      isIdempotent: true,
      isOpenWorld: true,
    },
    cancel_event: {
      description:
        'Marks an event, or one occurrence of a series, as cancelled. It stays in the calendar. If it has guests, the person must confirm first.',
      effect: 'write',
      scope: 'calendar:write',
      input: closed({ id: Id, occurrence: Occurrence }),
      result: () => schemas.savedEvent,
      isDestructive: true,
      isIdempotent: true,
      isOpenWorld: true,
    },
    delete_event: {
      description: 'Deletes an event or a whole series. The person must confirm first.',
      effect: 'confirm',
      confirmedBy: 'word',
      scope: 'calendar:write',
      input: closed({ id: Id }),
      result: () => Deleted,
      isDestructive: true,
      isIdempotent: true,
      isOpenWorld: true,
    },
    invite_guests: {
      description:
        'Sends invitations by email to the attendees of an event. The person must confirm first. Cannot be undone.',
      effect: 'confirm',
      confirmedBy: 'button',
      scope: 'calendar:write',
      input: closed({ id: Id }),
      result: () => schemas.savedEvent,
      isOpenWorld: true,
    },
    find_free_time: {
      description:
        'Finds free time within working hours, also together with people who share a calendar with the person.',
      effect: 'read',
      scope: 'calendar:read',
      input: closed({
        start: Type.Optional(Moment),
        end: Type.Optional(Moment),
        minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 1440, description: 'Default: 30' })),
        limit: limitTo(50),
        notBefore: Hour('Earliest local time of each day, such as 10:00'),
        notAfter: Hour('Latest local end of each day, such as 16:00'),
        exceptDays: Type.Optional(Type.Array(oneOf(WEEKDAYS), { maxItems: 7 })),
        people: Type.Optional(
          Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
            maxItems: 10,
            description: 'Names or addresses. Only shared calendars are known',
          }),
        ),
      }),
      result: () =>
        Type.Object({
          ...schemas.freeSlots.properties,
          people: Type.Optional(
            Type.Array(
              Type.Object({
                name: Type.String(),
                isKnown: Type.Boolean({ description: 'Whether the person shares a calendar' }),
              }),
            ),
          ),
        }),
    },
    list_calendars: {
      description: 'Lists the calendars of the person and those that others share with them.',
      effect: 'read',
      scope: 'calendar:read',
      input: closed({}),
      result: () =>
        listOf(
          'calendars',
          Type.Object({
            id: Type.Integer(),
            name: Type.String(),
            role: Type.String(),
            owner: OrNull(Type.Object({ name: Type.String(), email: Type.String() })),
          }),
        ),
    },
  } satisfies Record<string, ToolContract>
}
