import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { sessionOf, visitOf } from '../../platform/access/caller.ts'
import { session } from '../../platform/access/route-access.ts'
import type { Inbox } from './inbox.ts'
import {
  AllRead,
  ClearQuery,
  Notification,
  NotificationChange,
  NotificationList,
  NotificationPath,
  NotificationSettingsChange,
  NotificationsQuery,
  ReadAll,
  NotificationSettings as Settings,
} from './schema.ts'
import type { ChoicesChange, NotificationSettings } from './settings.ts'

const tags = ['Notifications']

export const notificationRoutes =
  (inbox: Inbox): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/',
      {
        config: session,
        schema: {
          operationId: 'listNotifications',
          summary: 'List your notifications, newest first',
          description:
            'Notifications are kept for 29 days. Changes of the list send `notification.changed` at `/api/events`.',
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
        config: session,
        schema: {
          operationId: 'deleteNotifications',
          summary: 'Clear your notifications',
          description: 'Cleared notifications that wait for a mail are not mailed.',
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
        config: session,
        schema: {
          operationId: 'markNotificationsRead',
          summary: 'Mark all notifications as read',
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
        config: session,
        schema: {
          operationId: 'getNotification',
          summary: 'Get a notification',
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
        config: session,
        schema: {
          operationId: 'updateNotification',
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
        config: session,
        schema: {
          operationId: 'deleteNotification',
          summary: 'Delete a notification',
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

const settingsTags = ['Settings']

export const notificationSettingsRoutes =
  (settings: NotificationSettings): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/notifications',
      {
        config: session,
        schema: {
          operationId: 'getNotificationSettings',
          summary: 'Get notification settings',
          description:
            'Also returns whether mail can be sent to you, and how many of your webhooks subscribe to notifications.',
          tags: settingsTags,
          response: { 200: Settings },
        },
      },
      (request) => settings.get(sessionOf(request).userId),
    )

    app.patch(
      '/notifications',
      {
        config: session,
        schema: {
          operationId: 'updateNotificationSettings',
          summary: 'Change notification settings',
          description:
            'Changes only the given settings. Waiting deliveries are rescheduled. If their channel was disabled, the notification appears in the console instead.',
          tags: settingsTags,
          body: NotificationSettingsChange,
          response: { 200: Settings },
        },
      },
      (request) =>
        settings.change(
          sessionOf(request).userId,
          request.body as ChoicesChange,
          visitOf(request),
          request.headers['if-match'],
        ),
    )
  }
