import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { jsonText, resourceText } from '../../platform/http/json-text.ts'
import { NewTask, Task, TaskChange, TaskList, TaskPath, TaskQuery } from './schema.ts'
import type { Tasks } from './tasks.ts'

const tags = ['Tasks']
const reading = { access: 'switched', scope: 'tasks:read' } as const
const writing = { access: 'switched', scope: 'tasks:write' } as const

export const taskRoutes =
  (tasks: Tasks): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/',
      {
        config: reading,
        schema: {
          operationId: 'listTasks',
          summary: 'Your tasks',
          description:
            'Open ones first, by due date and then by priority, those without a date last; then what is done or cancelled, the latest first.',
          tags,
          querystring: TaskQuery,
          response: { 200: TaskList },
        },
      },
      async (request) => jsonText<TaskList>(await tasks.list(request.query)),
    )

    app.post(
      '/',
      {
        config: { ...writing, idempotency: 'kept' },
        schema: {
          operationId: 'createTask',
          summary: 'Add a task',
          tags,
          body: NewTask,
          response: { 201: Task },
        },
      },
      async (request, reply) => {
        const task = await tasks.create(request.body)
        reply.code(201).header('location', `/api/tasks/${task.id}`)
        return resourceText<Task>(task.text, task)
      },
    )

    app.get(
      '/:id',
      {
        config: reading,
        schema: {
          operationId: 'getTask',
          summary: 'One task',
          tags,
          params: TaskPath,
          response: { 200: Task },
        },
      },
      async (request) => {
        const task = await tasks.get(request.params.id)
        return resourceText<Task>(task.text, task)
      },
    )

    app.patch(
      '/:id',
      {
        config: writing,
        schema: {
          operationId: 'changeTask',
          summary: 'Change a task',
          description:
            'Completing a recurring task makes its next occurrence. Reopening takes that back, unless it has been changed since.',
          tags,
          params: TaskPath,
          body: TaskChange,
          response: { 200: Task },
        },
      },
      async (request) => {
        const task = await tasks.change(request.params.id, request.body, request.headers['if-match'])
        return resourceText<Task>(task.text, task)
      },
    )

    app.delete(
      '/:id',
      {
        config: writing,
        schema: {
          operationId: 'deleteTask',
          summary: 'Delete a task',
          description: 'A recurring task ends with it.',
          tags,
          params: TaskPath,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        await tasks.remove(request.params.id, request.headers['if-match'])
        reply.code(204)
        return null
      },
    )
  }
