import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import type { Db } from '../../database/db.ts'
import { visitOf } from '../../platform/access/caller.ts'
import { anyone, person, read, write } from '../../platform/access/route-access.ts'
import { invalid, notFound } from '../../platform/errors.ts'
import { pageOf, readCursor } from '../../platform/http/etag.ts'
import { Page } from '../../platform/http/shapes.ts'
import { compileExceptBody } from '../../platform/http/validation.ts'
import type { Notices } from './notices.ts'
import type { EventType } from './provider.ts'
import { findUnreadable, listUnreadable } from './repository.ts'
import type { Drift } from './run.ts'
import {
  BookingSettings as BookingSettingsShape,
  BookingWebhookResult,
  DriftReport,
  EventTypes,
  NewBookingSettings,
  SyncQuery,
  SyncReport,
  UnreadableBookingList,
  UnreadableBookingPath,
} from './schema.ts'
import type { BookingSettings } from './settings.ts'
import type { BookingSync } from './sync.ts'

const REQUEST_TIMEOUT_MS = 60_000
const nothing = Type.Object({}, { additionalProperties: false })

interface BookingRouteDeps {
  db: Db
  settings: BookingSettings
  sync: BookingSync
  notices: Notices
  drift: Drift
  eventTypes: (userId: number, signal: AbortSignal) => Promise<EventType[]>
}

const settingsRoutes =
  ({ settings }: BookingRouteDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/settings',
      {
        config: person,
        schema: {
          operationId: 'getBookingSettings',
          summary: 'Get booking settings and the status of the last sync',
          response: { 200: BookingSettingsShape },
        },
      },
      (request) => settings.show(request.user),
    )

    app.post(
      '/settings',
      {
        config: person,
        schema: {
          operationId: 'setBookingSettings',
          summary: 'Save the API key of the booking provider',
          description:
            'The key is encrypted and never returned. It is sent only to its base URL. After a change of the key or base URL, the next sync is a full sync.',
          body: NewBookingSettings,
          response: { 200: BookingSettingsShape },
        },
      },
      (request) => settings.save(request.body, request.caller, visitOf(request)),
    )

    app.delete(
      '/settings',
      {
        config: person,
        schema: {
          operationId: 'deleteBookingSettings',
          summary: 'Delete the API key of the booking provider',
          description: 'Events are kept. The settings of the operator apply again.',
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        await settings.remove(request.caller, visitOf(request), request.headers['if-match'])
        reply.code(204)
        return null
      },
    )
  }

const syncRoutes =
  ({ db, sync }: BookingRouteDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/sync',
      {
        config: { ...write('booking'), mayAnswer: [409, 502, 504] },
        schema: {
          operationId: 'syncBookings',
          summary: 'Sync bookings into the calendar',
          description:
            'Responds when the sync is complete. Repeated calls are safe: unchanged bookings are not written again. A call during a running sync returns the report of that sync.',
          querystring: SyncQuery,
          response: { 200: SyncReport },
        },
      },
      (request) => sync.sync(request.user, { full: request.query.full === true }),
    )

    app.get(
      '/unreadable',
      {
        config: person,
        schema: {
          operationId: 'listUnreadableBookings',
          summary: 'List bookings that could not be read',
          description:
            'These bookings are skipped, and all others are synced. They are retried when they change, with each full sync, and after an upgrade.',
          querystring: Page,
          response: { 200: UnreadableBookingList },
        },
      },
      async (request) => {
        const { limit, cursor } = request.query
        const [after = 0] = readCursor(cursor, 'integer') ?? []
        const { page, nextCursor } = pageOf(
          await listUnreadable(db, request.user, { limit, after }),
          limit,
          ({ id }) => [id],
        )
        return { unreadable: page, nextCursor }
      },
    )

    app.get(
      '/unreadable/:id',
      {
        config: person,
        schema: {
          operationId: 'getUnreadableBooking',
          summary: 'Download a booking that could not be read',
          description: 'Returns the JSON of the provider, truncated after 256 KB.',
          params: UnreadableBookingPath,
          response: {
            200: {
              description: 'JSON as received',
              content: { 'application/json': { schema: Type.Unknown() } },
            },
          },
        },
      },
      async (request, reply) => {
        const { id } = request.params
        const found = await findUnreadable(db, request.user, id)
        if (!found) throw notFound('unreadable booking')
        if (found.body === null) throw notFound('copy of this booking: too many could not be read')
        return reply
          .type('application/json; charset=utf-8')
          .header('content-disposition', `attachment; filename="unreadable-booking-${id}.json"`)
          .header('cache-control', 'private, no-store')
          .send(Buffer.from(found.body) as never) as never
      },
    )
  }

const providerRoutes =
  ({ drift, eventTypes }: BookingRouteDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/event-types',
      {
        config: { ...read('booking'), mayAnswer: [409, 502, 504] },
        schema: {
          operationId: 'listBookingEventTypes',
          summary: 'List event types that can be booked',
          querystring: nothing,
          response: { 200: EventTypes },
        },
      },
      async (request) => ({
        eventTypes: await eventTypes(request.user, AbortSignal.timeout(REQUEST_TIMEOUT_MS)),
      }),
    )

    app.get(
      '/drift',
      {
        config: { ...read('booking'), mayAnswer: [409, 502, 504] },
        schema: {
          operationId: 'getBookingDrift',
          summary: 'Compare bookings with the calendar',
          description:
            'Compares every booking and changes nothing. A sync with `full=true` resolves the differences.',
          querystring: nothing,
          response: { 200: DriftReport },
        },
      },
      (request) => drift(request.user, AbortSignal.timeout(REQUEST_TIMEOUT_MS * 5)),
    )
  }

const webhookRoutes =
  ({ notices }: BookingRouteDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    // The signature covers the raw bytes, so the body must not be parsed before it is verified.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    )
    app.post(
      '/webhook',
      {
        config: { ...anyone, mayAnswer: [409, 502, 504] },
        schema: {
          operationId: 'receiveBookingWebhook',
          summary: 'Receive a webhook of the booking provider',
          description:
            'Signed by the provider with `X-Cal-Signature-256` or `Calendly-Webhook-Signature`. The account whose webhook secret verifies the signature receives it. Applied at once. Late and repeated webhooks are harmless.',
          body: Type.Object({}, { description: 'Body as sent by the provider' }),
          response: { 200: BookingWebhookResult },
        },
        validatorCompiler: compileExceptBody,
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
  }

export const bookingRoutes =
  (deps: BookingRouteDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    await app.register(settingsRoutes(deps))
    await app.register(syncRoutes(deps))
    await app.register(providerRoutes(deps))
    await app.register(webhookRoutes(deps))
  }
