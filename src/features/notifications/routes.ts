import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
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
import type { NotificationSettings } from './settings.ts'

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
          querystring: NotificationsQuery,
          response: { 200: NotificationList },
        },
      },
      ({ user, query }) => inbox.list(user, query),
    )

    app.delete(
      '/',
      {
        config: session,
        schema: {
          operationId: 'deleteNotifications',
          summary: 'Clear your notifications',
          description: 'Cleared notifications that wait for a mail are not mailed.',
          querystring: ClearQuery,
          response: { 204: Type.Null() },
        },
      },
      ({ user, query }) => inbox.clear(user, { upTo: query.upTo, onlyRead: query.read === true }),
    )

    app.post(
      '/read',
      {
        config: session,
        schema: {
          operationId: 'markNotificationsRead',
          summary: 'Mark all notifications as read',
          body: ReadAll,
          response: { 200: AllRead },
        },
      },
      ({ user, body }) => inbox.markAll(user, body.upTo),
    )

    app.get(
      '/:id',
      {
        config: session,
        schema: {
          operationId: 'getNotification',
          summary: 'Get a notification',
          params: NotificationPath,
          response: { 200: Notification },
        },
      },
      ({ user, params }) => inbox.get(user, params.id),
    )

    app.patch(
      '/:id',
      {
        config: session,
        schema: {
          operationId: 'updateNotification',
          summary: 'Mark a notification as read or unread',
          params: NotificationPath,
          body: NotificationChange,
          response: { 200: Notification },
        },
      },
      ({ user, params, body, ifMatch }) => inbox.mark(user, params.id, body.read, ifMatch),
    )

    app.delete(
      '/:id',
      {
        config: session,
        schema: {
          operationId: 'deleteNotification',
          summary: 'Delete a notification',
          params: NotificationPath,
          response: { 204: Type.Null() },
        },
      },
      ({ user, params, ifMatch }) => inbox.remove(user, params.id, ifMatch),
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
      ({ user }) => settings.get(user),
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
      ({ user, body, visit, ifMatch }) => settings.change(user, body, visit, ifMatch),
    )
  }
