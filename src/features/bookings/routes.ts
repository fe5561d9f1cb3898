import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import type { Db } from '../../database/db.ts'
import { visitOf } from '../../platform/access/visit.ts'
import { invalid, notFound } from '../../platform/errors.ts'
import { pageOf, readCursor } from '../../platform/http/cursor.ts'
import { Page } from '../../platform/http/shapes.ts'
import type { Drift } from './drift.ts'
import type { Notices } from './notices.ts'
import type { EventType } from './provider.ts'
import {
  BookingSettings as BookingSettingsShape,
  DriftReport,
  EventTypes,
  NewBookingSettings,
  NoticeResult,
  SyncQuery,
  SyncReport,
  UnreadableBookingList,
  UnreadableBookingPath,
} from './schema.ts'
import type { BookingSettings } from './settings.ts'
import type { BookingSync } from './sync.ts'
import { findUnreadable, listUnreadable } from './unreadable-store.ts'

const tags = ['Booking provider']
/** No personal access token reaches the settings; while access is private, only the owner changes a key. */
const shown = { access: 'switched' } as const
const changed = { access: 'switched', ownerOnly: true } as const
const ASKING_MS = 60_000
const nothing = Type.Object({}, { additionalProperties: false })

export const bookingRoutes =
  (deps: {
    db: Db
    settings: BookingSettings
    sync: BookingSync
    notices: Notices
    drift: Drift
    eventTypes: (signal: AbortSignal) => Promise<EventType[]>
  }): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db, settings, sync, notices, drift } = deps

    app.get(
      '/settings',
      {
        config: shown,
        schema: {
          operationId: 'getBookingSettings',
          summary: 'How the booking provider is reached, and how the last sync went',
          tags,
          response: { 200: BookingSettingsShape },
        },
      },
      () => settings.show(),
    )

    app.post(
      '/settings',
      {
        config: changed,
        schema: {
          operationId: 'saveBookingSettings',
          summary: 'Save the booking provider’s key',
          description:
            'The key is sealed and never comes out. It goes only to the address it was given for. Another key or address makes the next sync look at everything.',
          tags,
          body: NewBookingSettings,
          response: { 200: BookingSettingsShape },
        },
      },
      (request) => settings.save(request.body, request.caller, visitOf(request)),
    )

    app.delete(
      '/settings',
      {
        config: changed,
        schema: {
          operationId: 'removeBookingSettings',
          summary: 'Forget the booking provider’s key',
          description: 'Events stay. What the operator set holds again.',
          tags,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        await settings.remove(request.caller, visitOf(request), request.headers['if-match'])
        reply.code(204)
        return null
      },
    )

    app.post(
      '/sync',
      {
        config: { access: 'switched', scope: 'booking:write', mayAnswer: [409, 502, 504] },
        schema: {
          operationId: 'syncBookings',
          summary: 'Bring the calendar in step with the booking provider',
          description:
            'Answers when it is done. As often as you like: what is here already is not written again. While one goes on, a second call gets its report.',
          tags,
          querystring: SyncQuery,
          response: { 200: SyncReport },
        },
      },
      (request) => sync.sync({ full: request.query.full === true }),
    )

    app.get(
      '/unreadable',
      {
        config: shown,
        schema: {
          operationId: 'listUnreadableBookings',
          summary: 'List bookings that could not be read',
          description:
            'They are left out, and all others are synced. They are tried again when they change, with each full sync, and after an upgrade.',
          tags,
          querystring: Page,
          response: { 200: UnreadableBookingList },
        },
      },
      async (request) => {
        const { limit, cursor } = request.query
        const [after = 0] = readCursor(cursor, 'integer') ?? []
        const { page, nextCursor } = pageOf(await listUnreadable(db, { limit, after }), limit, ({ id }) => [
          id,
        ])
        return { unreadable: page, nextCursor }
      },
    )

    app.get(
      '/unreadable/:id',
      {
        config: shown,
        schema: {
          operationId: 'getUnreadableBooking',
          summary: 'Download a booking that could not be read',
          description: 'The JSON of the provider. A large one is cut off after 256 KB.',
          tags,
          params: UnreadableBookingPath,
          response: {
            200: { description: 'As it came', content: { 'application/json': { schema: Type.Unknown() } } },
          },
        },
      },
      async (request, reply) => {
        const { id } = request.params
        const found = await findUnreadable(db, id)
        if (!found) throw notFound('unreadable booking')
        if (found.body === null) throw notFound('copy of this booking: too many could not be read')
        return reply
          .type('application/json; charset=utf-8')
          .header('content-disposition', `attachment; filename="unreadable-booking-${id}.json"`)
          .header('cache-control', 'private, no-store')
          .send(Buffer.from(found.body) as never) as never
      },
    )

    app.get(
      '/event-types',
      {
        config: { access: 'switched', scope: 'booking:read', mayAnswer: [409, 502, 504] },
        schema: {
          operationId: 'listBookingEventTypes',
          summary: 'What can be booked',
          tags,
          querystring: nothing,
          response: { 200: EventTypes },
        },
      },
      async () => ({ eventTypes: await deps.eventTypes(AbortSignal.timeout(ASKING_MS)) }),
    )

    app.get(
      '/drift',
      {
        config: { access: 'switched', scope: 'booking:read', mayAnswer: [409, 502, 504] },
        schema: {
          operationId: 'compareBookings',
          summary: 'Where the provider and the calendar differ',
          description: 'Looks at every booking and changes nothing. A sync with `full=true` mends it.',
          tags,
          querystring: nothing,
          response: { 200: DriftReport },
        },
      },
      () => drift(AbortSignal.timeout(ASKING_MS * 5)),
    )

    // What is signed are the bytes, so here they are taken as they come.
    await app.register(async (raw) => {
      raw.removeAllContentTypeParsers()
      raw.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
        done(null, body),
      )
      raw.post(
        '/webhook',
        {
          config: { access: 'public', mayAnswer: [409, 502, 504] },
          schema: {
            operationId: 'receiveBookingNotice',
            summary: 'The booking provider’s notices',
            description:
              'Signed by the provider: `X-Cal-Signature-256` or `Calendly-Webhook-Signature`. Applied at once; late and repeated ones do no harm.',
            tags,
            body: Type.Object({}, { description: 'What the provider sends, as it sends it' }),
            response: { 200: NoticeResult },
          },
          validatorCompiler: () => () => true,
        },
        (request) => {
          const body = request.body as unknown
          if (!Buffer.isBuffer(body) || body.length === 0) throw invalid('The body is empty.')
          const header = (name: string): string | undefined => {
            const value = request.headers[name]
            return Array.isArray(value) ? value[0] : value
          }
          return notices.receive({ header, body })
        },
      )
    })
  }
