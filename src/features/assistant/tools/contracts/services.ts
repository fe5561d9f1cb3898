import Type from 'typebox'
import { closed, limitTo, listOf, Moment, type ToolContract, type ToolSchemas } from './contract.ts'

export const createServiceContracts = (schemas: ToolSchemas) => {
  return {
    list_bookings: {
      description: 'Lists events that were booked with the booking provider, between two times.',
      effect: 'read',
      scope: 'calendar:read',
      input: closed({
        start: Moment,
        end: Moment,
        limit: limitTo(100),
      }),
      result: () => listOf('bookings', schemas.event),
    },
    list_booking_types: {
      description: 'Lists what other people can book, as the booking provider reports it.',
      effect: 'read',
      scope: 'booking:read',
      input: closed({}),
      result: () => schemas.eventTypes,
      isOpenWorld: true,
    },
    sync_bookings: {
      description: 'Fetches new and changed bookings from the booking provider into the calendar.',
      effect: 'write',
      scope: 'booking:write',
      input: closed({}),
      returnsOwnText: true,
      result: () => schemas.syncReport,
      isIdempotent: true,
      isOpenWorld: true,
    },
    get_stream: {
      description: 'Returns the state of the live stream: live or not, title, scene and viewers.',
      effect: 'read',
      scope: 'stream:read',
      input: closed({}),
      returnsOwnText: true,
      result: () => schemas.streamState,
    },
    list_streams: {
      description: 'Lists past streams, newest first.',
      effect: 'read',
      scope: 'stream:read',
      input: closed({ limit: limitTo(50) }),
      result: () => listOf('streams', schemas.stream),
    },
    change_stream: {
      description:
        'Starts or stops the stream, or changes its title or scene. The person must confirm first.',
      effect: 'confirm',
      confirmedBy: 'button',
      scope: 'stream:write',
      input: closed({
        live: Type.Optional(Type.Boolean({ description: 'true: start; false: stop' })),
        title: Type.Optional(Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' })),
        scene: Type.Optional(Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' })),
      }),
      result: () => schemas.streamState,
      isIdempotent: true,
      isOpenWorld: true,
    },
    audit_page: {
      description:
        'Audits a public web page: accessibility, search engines, security and size. The person must confirm the address first.',
      effect: 'confirm',
      confirmedBy: 'button',
      scope: 'workflow:write',
      input: closed({
        url: Type.String({ minLength: 1, maxLength: 2000 }),
        focus: Type.Optional(
          Type.Array(Type.String({ minLength: 1, maxLength: 60 }), {
            maxItems: 20,
            description: 'Only these sections, such as accessibility, seo or security',
          }),
        ),
      }),
      result: () => schemas.auditReport,
      isReadOnly: true,
      isOpenWorld: true,
    },
  } satisfies Record<string, ToolContract>
}
