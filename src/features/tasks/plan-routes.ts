import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Caller, covers, type Scope } from '../../platform/access/caller.ts'
import { forbidden } from '../../platform/errors.ts'
import { PlanWish, TaskPlan } from './plan-schema.ts'
import type { Planning } from './planning.ts'

/** A plan shows when the calendar is free, and booking writes to it: a token for tasks alone does not reach that far. */
const requireCalendar = (caller: Caller, scope: Scope): void => {
  if (caller.kind === 'token' && !covers(caller.scopes, scope))
    throw forbidden(`This token lacks the scope ${scope}.`, 'insufficient_scope')
}

export const planRoutes =
  (planning: Planning): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/plan',
      {
        config: { access: 'switched', scope: 'tasks:write', idempotency: 'kept' },
        schema: {
          operationId: 'planTasks',
          summary: 'Find time in the calendar for open tasks',
          description:
            'Proposes blocks around what is in the calendar and within working hours: by due date, then by priority, half an hour where nothing was estimated. With `apply` they are booked as events, all or none, and can be taken back. A personal access token also needs `calendar:read`, and `calendar:write` to book.',
          tags: ['Tasks'],
          body: PlanWish,
          response: { 200: TaskPlan },
        },
      },
      (request) => {
        requireCalendar(request.caller, request.body.apply ? 'calendar:write' : 'calendar:read')
        return planning.plan(request.body)
      },
    )
  }
