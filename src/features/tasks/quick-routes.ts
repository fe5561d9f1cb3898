import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { resourceText } from '../../platform/http/json-text.ts'
import type { QuickCapture } from './quick.ts'
import { QuickPreview, QuickTask, QuickWish } from './quick-schema.ts'

export const quickRoutes =
  (quick: QuickCapture): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/quick',
      {
        config: { access: 'switched', scope: 'tasks:write', idempotency: 'kept' },
        schema: {
          operationId: 'captureTask',
          summary: 'Add a task in one line',
          description:
            'In English or German: when it is due, how often it comes back, how long it takes (“for 30 minutes”), `!low` to `!urgent` and `#tags` are taken out of the line, and what is left is the title. Times inside quotation marks stay in it. A day without an hour is `dueDay`: the task has that whole day. An hour of another time zone (“10am EST”, “um 10 Uhr MEZ”) is turned into the person’s own; what comes back does so at that hour of their clock. `understood` tells what was read, and where; with `dryRun` nothing is made (200).',
          tags: ['Tasks'],
          body: QuickWish,
          response: { 200: QuickPreview, 201: QuickTask },
        },
      },
      async (request, reply) => {
        if (request.body.dryRun) return quick.preview(request.body)
        const task = await quick.add(request.body)
        reply.code(201).header('location', `/api/tasks/${task.id}`)
        return resourceText<QuickTask>(task.text, task)
      },
    )
  }
