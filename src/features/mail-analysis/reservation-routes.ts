import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { requireScope } from '../../platform/access/caller.ts'
import { read, write } from '../../platform/access/route-access.ts'
import { AddedReservations, ReservationInput, ReservationList } from './reservation-schema.ts'
import type { ReservationFiling } from './reservations.ts'
import { AnalyzePath } from './schema.ts'

export const reservationRoutes =
  (filing: ReservationFiling): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/emails/:id/reservations',
      {
        config: read('mail'),
        schema: {
          operationId: 'listReservations',
          summary: 'List the reservations in an email',
          description:
            'Finds trips, stays, events, parcels, orders and invoices, without a language model. Structured data (schema.org) counts first, then calendar files, then the text without quoted history. `state` compares each one with your calendar and tasks. An email with signs of phishing has none. Nothing is stored. A personal access token also needs `calendar:read` and `tasks:read`.',
          params: AnalyzePath,
          response: { 200: ReservationList },
        },
      },
      (request) => {
        requireScope(request.caller, 'calendar:read')
        requireScope(request.caller, 'tasks:read')
        return filing.list(request.user, request.params.id) as never
      },
    )

    // With an Idempotency-Key, the handler runs in a transaction, which must not read the message.
    const prepared = new WeakMap<object, Awaited<ReturnType<ReservationFiling['read']>>>()
    app.post(
      '/emails/:id/reservations',
      {
        config: {
          ...write('calendar'),
          idempotency: 'kept' as const,
          async prepare(request) {
            requireScope(request.caller, 'mail:read')
            requireScope(request.caller, 'tasks:write')
            const { id } = request.params as { id: number }
            prepared.set(request, await filing.read(request.user, id))
          },
        },
        schema: {
          operationId: 'addReservations',
          summary: 'Add the reservations in an email',
          description:
            'Trips, stays and events become events with the local times of both ends. Parcels and invoices become tasks that are due on the day of delivery or payment. A reservation that was added before is updated: a new time moves the event, a cancellation cancels it, a delivery completes the task. Calling it again changes nothing. `actionIds` undo it. A personal access token also needs `mail:read` and `tasks:write`.',
          params: AnalyzePath,
          body: ReservationInput,
          response: { 200: AddedReservations },
        },
      },
      (request) => {
        const found = prepared.get(request)
        if (!found) throw new Error('The email must be read before its reservations are added.')
        return filing.add(request.user, found, request.body.ids) as never
      },
    )
  }
