import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { sessionOf, visitOf } from '../../platform/access/visit.ts'
import type { ChoicesChange } from './choices.ts'
import { NotificationSettingsChange, NotificationSettings as Settings } from './schema.ts'
import type { NotificationSettings } from './settings.ts'

const tags = ['Settings']
const config = { access: 'session' } as const

export const notificationSettingsRoutes =
  (settings: NotificationSettings): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/notifications',
      {
        config,
        schema: {
          operationId: 'getNotificationSettings',
          summary: 'What you are told of, and how',
          description: 'Says also whether mail can be sent to you, and how many of your webhooks are told.',
          tags,
          response: { 200: Settings },
        },
      },
      (request) => settings.get(sessionOf(request).userId),
    )

    app.patch(
      '/notifications',
      {
        config,
        schema: {
          operationId: 'changeNotificationSettings',
          summary: 'Change what you are told of, and how',
          description:
            'Only what is given changes. What waits already is put where it now belongs; what waits by a way that was turned off is shown in the console instead.',
          tags,
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
