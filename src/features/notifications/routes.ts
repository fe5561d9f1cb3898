import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { sessionOf } from '../../platform/access/visit.ts'
import type { Inbox } from './inbox.ts'
import {
  AllRead,
  ClearQuery,
  Notification,
  NotificationChange,
  NotificationList,
  NotificationPath,
  NotificationsQuery,
  ReadAll,
} from './schema.ts'

const tags = ['Notifications']
const config = { access: 'session' } as const

export const notificationRoutes =
  (inbox: Inbox): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/',
      {
        config,
        schema: {
          operationId: 'listNotifications',
          summary: 'What you were told, the newest first',
          description:
            'Kept for 29 days. That it has changed is told by `notification.changed` at `/api/events`.',
          tags,
          querystring: NotificationsQuery,
          response: { 200: NotificationList },
        },
      },
      (request) => inbox.list(sessionOf(request).userId, request.query),
    )

    app.delete(
      '/',
      {
        config,
        schema: {
          operationId: 'clearNotifications',
          summary: 'Clear your notifications',
          description: 'What waits to be mailed and was cleared is not mailed.',
          tags,
          querystring: ClearQuery,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        const { upTo, read } = request.query
        await inbox.clear(sessionOf(request).userId, { upTo, onlyRead: read === true })
        return reply.code(204).send(null)
      },
    )

    app.post(
      '/read',
      {
        config,
        schema: {
          operationId: 'readAllNotifications',
          summary: 'Mark all as read',
          tags,
          body: ReadAll,
          response: { 200: AllRead },
        },
      },
      (request) => inbox.markAll(sessionOf(request).userId, request.body.upTo),
    )

    app.get(
      '/:id',
      {
        config,
        schema: {
          operationId: 'getNotification',
          summary: 'One notification',
          tags,
          params: NotificationPath,
          response: { 200: Notification },
        },
      },
      (request) => inbox.get(sessionOf(request).userId, request.params.id),
    )

    app.patch(
      '/:id',
      {
        config,
        schema: {
          operationId: 'markNotification',
          summary: 'Mark a notification as read or unread',
          tags,
          params: NotificationPath,
          body: NotificationChange,
          response: { 200: Notification },
        },
      },
      (request) =>
        inbox.mark(
          sessionOf(request).userId,
          request.params.id,
          request.body.read,
          request.headers['if-match'],
        ),
    )

    app.delete(
      '/:id',
      {
        config,
        schema: {
          operationId: 'removeNotification',
          summary: 'Remove a notification',
          tags,
          params: NotificationPath,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        await inbox.remove(sessionOf(request).userId, request.params.id, request.headers['if-match'])
        return reply.code(204).send(null)
      },
    )
  }
