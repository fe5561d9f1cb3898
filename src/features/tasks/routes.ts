import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { type Caller, covers, type Scope } from '../../platform/access/caller.ts'
import { read, write } from '../../platform/access/route-access.ts'
import { forbidden } from '../../platform/errors.ts'
import type { Planning } from './planner.ts'
import type { QuickCapture } from './quick.ts'
import {
  NewTask,
  PlanInput,
  QuickPreview,
  QuickTask,
  QuickTaskInput,
  Task,
  TaskChange,
  TaskList,
  TaskPath,
  TaskPlan,
  TaskQuery,
} from './schema.ts'
import type { Tasks } from './tasks.ts'

const tags = ['Tasks']

export const taskRoutes =
  (tasks: Tasks): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/',
      {
        config: { ...read('tasks'), longReads: ['q'] },
        schema: {
          operationId: 'listTasks',
          summary: 'List tasks',
          description:
            'Open tasks come first, by due date and then by priority; tasks without a due date come last among them. Completed and cancelled tasks follow, most recent first.',
          tags,
          querystring: TaskQuery,
          response: { 200: TaskList },
        },
      },
      async (request) => tasks.list(request.user, request.query),
    )

    app.post(
      '/',
      {
        config: { ...write('tasks'), idempotency: 'kept' },
        schema: {
          operationId: 'createTask',
          summary: 'Create a task',
          tags,
          body: NewTask,
          response: { 201: Task },
        },
      },
      async (request, reply) => {
        const task = await tasks.create(request.user, request.body)
        reply.code(201).header('location', `/api/tasks/${task.id}`)
        return task
      },
    )

    app.get(
      '/:id',
      {
        config: read('tasks'),
        schema: {
          operationId: 'getTask',
          summary: 'Get a task',
          tags,
          params: TaskPath,
          response: { 200: Task },
        },
      },
      (request) => tasks.get(request.user, request.params.id),
    )

    app.patch(
      '/:id',
      {
        config: write('tasks'),
        schema: {
          operationId: 'updateTask',
          summary: 'Update a task',
          description:
            'Completing a recurring task creates its next occurrence. Reopening the task deletes that occurrence, unless it was changed.',
          tags,
          params: TaskPath,
          body: TaskChange,
          response: { 200: Task },
        },
      },
      async (request) => {
        const { id } = request.params
        return tasks.change(request.user, id, request.body, request.headers['if-match'])
      },
    )

    app.delete(
      '/:id',
      {
        config: write('tasks'),
        schema: {
          operationId: 'deleteTask',
          summary: 'Delete a task',
          description: 'Deleting a recurring task ends its recurrence.',
          tags,
          params: TaskPath,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        await tasks.remove(request.user, request.params.id, request.headers['if-match'])
        reply.code(204)
        return null
      },
    )
  }

/** A plan reveals and books calendar time, so a token with only task scopes may not use it. */
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
        config: { ...write('tasks'), idempotency: 'kept' },
        schema: {
          operationId: 'planTasks',
          summary: 'Find time in the calendar for open tasks',
          description:
            'Proposes blocks within working hours that avoid busy times in the calendar, lunch, and travel to events with a place. Tasks are planned by due date, then by priority. A task without an estimate gets 30 minutes. With `apply`, all blocks are booked as events in one transaction, which can be undone. `blocks` books chosen times instead of a proposal. A personal access token also needs the scope `calendar:read`, or `calendar:write` with `apply`.',
          tags: ['Tasks'],
          body: PlanInput,
          response: { 200: TaskPlan },
        },
      },
      (request) => {
        requireCalendar(request.caller, request.body.apply ? 'calendar:write' : 'calendar:read')
        return planning.plan(request.user, request.body)
      },
    )
  }

export const quickRoutes =
  (quick: QuickCapture): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/quick',
      {
        config: { ...write('tasks'), idempotency: 'kept' },
        schema: {
          operationId: 'quickAddTask',
          summary: 'Create a task from one line of text',
          description:
            'Accepts English and German. Due date, recurrence, estimate (“for 30 minutes”), priority (`!low` to `!urgent`) and `#tags` are extracted; the rest is the title. Dates inside quotation marks stay in the title. A day without an hour sets `dueDay`. “every 3rd Friday” is the one of each month; “every!” is read as “every”. A time in another time zone (“10am EST”, “um 10 Uhr MEZ”) is converted to the person’s time zone, in which a recurring task also repeats. `understood` lists the recognized parts and their offsets. With `dryRun`, no task is created and the status is 200.',
          tags: ['Tasks'],
          body: QuickTaskInput,
          response: { 200: QuickPreview, 201: QuickTask },
        },
      },
      async (request, reply) => {
        const userId = request.user
        if (request.body.dryRun) return quick.preview(userId, request.body)
        const task = await quick.add(userId, request.body)
        reply.code(201).header('location', `/api/tasks/${task.id}`)
        return task
      },
    )
  }
