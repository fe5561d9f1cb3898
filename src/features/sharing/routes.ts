import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { session } from '../../platform/access/route-access.ts'
import type { ShareKind } from './repository.ts'
import {
  NewShare,
  OfferedShare,
  OfferedShareList,
  OfferPath,
  ResourcePath,
  Share,
  ShareChange,
  ShareList,
  SharePath,
} from './schema.ts'
import type { Sharing } from './shares.ts'

const TEXTS = {
  taskList: { name: 'TaskList', noun: 'task list', prefix: '/api/task-lists' },
  calendar: { name: 'Calendar', noun: 'calendar', prefix: '/api/calendars' },
} as const

/** The shares of a calendar or task list, for its owner. */
export const resourceShareRoutes =
  (sharing: Sharing, kind: ShareKind): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { name, noun, prefix } = TEXTS[kind]

    app.get(
      '/:id/shares',
      {
        config: session,
        schema: {
          operationId: `list${name}Shares`,
          summary: `List who a ${noun} is shared with`,
          params: ResourcePath,
          response: { 200: ShareList },
        },
      },
      async (request) => ({
        shares: await sharing.list(request.user, kind, request.params.id),
        nextCursor: null,
      }),
    )

    app.post(
      '/:id/shares',
      {
        config: { ...session, idempotency: 'kept' },
        schema: {
          operationId: `create${name}Share`,
          summary: `Share a ${noun}`,
          description:
            'Offers it to the account with this address, which can accept or decline. The answer is the same if no account has the address. An address that already has a share gets the new role.',
          params: ResourcePath,
          body: NewShare,
          response: { 202: Share },
        },
      },
      async (request, reply) => {
        const { id } = request.params
        const share = await sharing.offer(request.user, kind, id, request.body)
        reply.code(202).header('location', `${prefix}/${id}/shares/${share.id}`)
        return share
      },
    )

    app.get(
      '/:id/shares/:shareId',
      {
        config: session,
        schema: {
          operationId: `get${name}Share`,
          summary: `Get a share of a ${noun}`,
          params: SharePath,
          response: { 200: Share },
        },
      },
      (request) => {
        const { id, shareId } = request.params
        return sharing.get(request.user, kind, id, shareId)
      },
    )

    app.patch(
      '/:id/shares/:shareId',
      {
        config: session,
        schema: {
          operationId: `update${name}Share`,
          summary: 'Change the role of a share',
          params: SharePath,
          body: ShareChange,
          response: { 200: Share },
        },
      },
      (request) => {
        const { id: resourceId, shareId: id } = request.params
        const path = { kind, resourceId, id }
        return sharing.changeRole(request.user, path, request.body.role, request.headers['if-match'])
      },
    )

    app.delete(
      '/:id/shares/:shareId',
      {
        config: session,
        schema: {
          operationId: `delete${name}Share`,
          summary: 'End a share at once',
          params: SharePath,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        const { id: resourceId, shareId: id } = request.params
        await sharing.revoke(request.user, { kind, resourceId, id }, request.headers['if-match'])
        return reply.code(204).send(null)
      },
    )
  }

/** Offers to the caller, and accepted shares. */
export const offeredShareRoutes =
  (sharing: Sharing): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/',
      {
        config: session,
        schema: {
          operationId: 'listOfferedShares',
          summary: 'List what others share with you',
          description: 'Offers that you have not answered, and accepted shares.',
          response: { 200: OfferedShareList },
        },
      },
      async (request) => ({
        shares: await sharing.listOffered(request.user),
        nextCursor: null,
      }),
    )

    app.get(
      '/:id',
      {
        config: session,
        schema: {
          operationId: 'getOfferedShare',
          summary: 'Get an offer or an accepted share',
          params: OfferPath,
          response: { 200: OfferedShare },
        },
      },
      (request) => sharing.getOffered(request.user, request.params.id),
    )

    app.post(
      '/:id/accept',
      {
        config: { ...session, idempotency: 'noted' },
        schema: {
          operationId: 'acceptShare',
          summary: 'Accept a share',
          params: OfferPath,
          response: { 200: OfferedShare },
        },
      },
      (request) => sharing.accept(request.user, request.params.id),
    )

    app.post(
      '/:id/decline',
      {
        config: { ...session, idempotency: 'noted' },
        schema: {
          operationId: 'declineShare',
          summary: 'Decline a share, or leave it',
          params: OfferPath,
          response: { 200: OfferedShare },
        },
      },
      (request) => sharing.decline(request.user, request.params.id),
    )
  }
