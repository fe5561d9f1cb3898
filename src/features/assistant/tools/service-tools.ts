import Type from 'typebox'
import { tokenIdOf, userIdOf } from '../../../platform/access/caller.ts'
import { invalidField } from '../../../platform/errors.ts'
import type { EventType } from '../../bookings/provider.ts'
import type { BookingSync } from '../../bookings/sync.ts'
import type { Events } from '../../calendar/events.ts'
import type { StreamState, Streams } from '../../stream/streams.ts'
import type { Audits } from '../../workflow/audits.ts'
import { says } from './commands.ts'
import { defineTool, getProposalTexts, type Privacy, type Tool } from './tool.ts'

const strict = { additionalProperties: false }
const SYNC_VERBS = says({
  words: ['sync', 'synchroni[sz]e', 'refresh', 'fetch', 'update'],
  stems: ['synchronisier', 'aktualisier', 'hol', 'ruf', 'gleich'],
})
const REQUEST_TIMEOUT_MS = 60_000
const AUDIT_TIMEOUT_MS = 120_000

/** Services of the booking provider. */
export interface BookingServices {
  sync: Pick<BookingSync, 'sync'>
  eventTypes: (userId: number, signal: AbortSignal) => Promise<EventType[]>
}

export const createBookingTools = ({
  bookings,
  events,
  privacy,
}: {
  bookings: BookingServices
  events: Events
  privacy: Privacy
}): Tool[] => [
  defineTool({
    name: 'list_bookings',
    description: 'Lists events that were booked with the booking provider, between two times.',
    effect: 'read',
    scope: 'calendar:read',
    input: Type.Object(
      {
        start: Type.String({ maxLength: 40, description: 'RFC 3339 with an offset, or a day' }),
        end: Type.String({ maxLength: 40, description: 'RFC 3339 with an offset, or a day' }),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
      },
      strict,
    ),
    async run({ limit = 50, ...window }, { caller, sendsToModel }) {
      const found = await events.list(userIdOf(caller), { ...window, limit, source: 'bookingsvc' })
      const hidden = await privacy.events(userIdOf(caller), found.events)
      const visible = sendsToModel ? found.events.filter(({ id }) => !hidden.has(id)) : found.events
      return {
        result: { bookings: visible, more: found.nextCursor !== null },
        isPrivate: !sendsToModel && hidden.size > 0,
      }
    },
  }),
  defineTool({
    name: 'list_booking_types',
    description: 'Lists what other people can book, as the booking provider reports it.',
    effect: 'read',
    scope: 'booking:read',
    input: Type.Object({}, strict),
    run: async (_input, { caller }) => ({
      result: {
        eventTypes: await bookings.eventTypes(userIdOf(caller), AbortSignal.timeout(REQUEST_TIMEOUT_MS)),
      },
    }),
  }),
  defineTool({
    name: 'sync_bookings',
    description: 'Fetches new and changed bookings from the booking provider into the calendar.',
    effect: 'write',
    scope: 'booking:write',
    input: Type.Object({}, strict),
    returnsOwnText: true,
    verbs: () => [SYNC_VERBS],
    propose: async (_input, { language }) => ({
      summary: getProposalTexts(language).syncBookings,
      about: null,
      target: null,
    }),
    run: async (_input, { caller }) => ({
      result: await bookings.sync.sync(userIdOf(caller), { full: false }),
    }),
  }),
]

/** Viewers see the stream at once, so every change needs a confirmation. */
export const createStreamTools = ({
  stream: { state, streams },
}: {
  stream: { state: Pick<StreamState, 'read' | 'change'>; streams: Pick<Streams, 'list'> }
}): Tool[] => [
  defineTool({
    name: 'get_stream',
    description: 'Returns the state of the live stream: live or not, title, scene and viewers.',
    effect: 'read',
    scope: 'stream:read',
    input: Type.Object({}, strict),
    returnsOwnText: true,
    run: async (_input, { caller }) => ({ result: await state.read(userIdOf(caller)) }),
  }),
  defineTool({
    name: 'list_streams',
    description: 'Lists past streams, newest first.',
    effect: 'read',
    scope: 'stream:read',
    input: Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })) }, strict),
    async run({ limit = 10 }, { caller }) {
      const found = await streams.list(userIdOf(caller), { limit })
      return { result: { streams: found.streams, more: found.nextCursor !== null } }
    },
  }),
  defineTool({
    name: 'change_stream',
    description: 'Starts or stops the stream, or changes its title or scene. The person must confirm first.',
    effect: 'confirm',
    confirmedBy: 'button',
    scope: 'stream:write',
    input: Type.Object(
      {
        live: Type.Optional(Type.Boolean({ description: 'true: start; false: stop' })),
        title: Type.Optional(Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' })),
        scene: Type.Optional(Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' })),
      },
      strict,
    ),
    async propose({ live, title, scene }, { language }) {
      const texts = getProposalTexts(language)
      if (live === undefined && title === undefined && scene === undefined)
        throw invalidField('live', 'is required if neither a title nor a scene is given')
      const name = title ?? scene ?? ''
      const summary =
        live === undefined ? texts.changeStream(name) : live ? texts.startStream(name) : texts.stopStream
      return { summary, about: null }
    },
    run: async (input, { caller }) => ({ result: await state.change(userIdOf(caller), input, undefined) }),
  }),
]

/**
 * A model that follows instructions in an email could put private text into the address of a page. The person
 * therefore confirms each address before it is fetched.
 */
export const createAuditTools = ({ audits }: { audits: Audits }): Tool[] => [
  defineTool({
    name: 'audit_page',
    description:
      'Audits a public web page: accessibility, search engines, security and size. The person must confirm the address first.',
    effect: 'confirm',
    confirmedBy: 'button',
    scope: 'workflow:write',
    input: Type.Object(
      {
        url: Type.String({ minLength: 1, maxLength: 2000 }),
        focus: Type.Optional(
          Type.Array(Type.String({ minLength: 1, maxLength: 60 }), {
            maxItems: 20,
            description: 'Only these sections, such as accessibility, seo or security',
          }),
        ),
      },
      strict,
    ),
    propose: async ({ url }, { language }) => ({
      summary: getProposalTexts(language).auditPage(url),
      about: null,
    }),
    async run(input, { caller }) {
      const asker = {
        userId: userIdOf(caller),
        tokenId: tokenIdOf(caller),
        signal: AbortSignal.timeout(AUDIT_TIMEOUT_MS),
      }
      return { result: await audits.audit(input, asker, asker.userId) }
    },
  }),
]
