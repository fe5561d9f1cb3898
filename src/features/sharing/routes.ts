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
      async ({ user, params }) => ({
        shares: await sharing.list(user, kind, params.id),
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
      async ({ user, params, body }, reply) => {
        const share = await sharing.offer(user, kind, params.id, body)
        reply.header('location', `${prefix}/${params.id}/shares/${share.id}`)
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
      ({ user, params }) => sharing.get(user, kind, params.id, params.shareId),
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
      ({ user, params, body, ifMatch }) => {
        const { id: resourceId, shareId: id } = params
        const path = { kind, resourceId, id }
        return sharing.changeRole(user, path, body.role, ifMatch)
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
      async ({ user, params, ifMatch }) => {
        const { id: resourceId, shareId: id } = params
        await sharing.revoke(user, { kind, resourceId, id }, ifMatch)
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
      async ({ user }) => ({
        shares: await sharing.listOffered(user),
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
      ({ user, params }) => sharing.getOffered(user, params.id),
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
      ({ user, params }) => sharing.accept(user, params.id),
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
      ({ user, params }) => sharing.decline(user, params.id),
    )
  }
