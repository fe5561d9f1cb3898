import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { read, write } from '../../platform/access/route-access.ts'
import {
  NewTaskList,
  TaskListChange,
  TaskListCollection,
  TaskListDeletion,
  TaskListInfo,
  TaskListPage,
  TaskListPath,
} from './list-schema.ts'
import type { TaskLists } from './lists.ts'

const tags = ['Tasks']

export const taskListRoutes =
  (lists: TaskLists): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/',
      {
        config: read('tasks'),
        schema: {
          operationId: 'listTaskLists',
          summary: 'List task lists',
          description: 'The Inbox comes first, then the other own lists, then lists of other accounts.',
          tags,
          querystring: TaskListPage,
          response: { 200: TaskListCollection },
        },
      },
      (request) => lists.list(request.user, request.query),
    )

    app.post(
      '/',
      {
        config: { ...write('tasks'), idempotency: 'kept' },
        schema: {
          operationId: 'createTaskList',
          summary: 'Create a task list',
          description: 'The limit is 100 lists.',
          tags,
          body: NewTaskList,
          response: { 201: TaskListInfo },
        },
      },
      async (request, reply) => {
        const list = await lists.create(request.user, request.body)
        reply.code(201).header('location', `/api/task-lists/${list.id}`)
        return list
      },
    )

    app.get(
      '/:id',
      {
        config: read('tasks'),
        schema: {
          operationId: 'getTaskList',
          summary: 'Get a task list',
          tags,
          params: TaskListPath,
          response: { 200: TaskListInfo },
        },
      },
      (request) => lists.get(request.user, request.params.id),
    )

    app.patch(
      '/:id',
      {
        config: write('tasks'),
        schema: {
          operationId: 'updateTaskList',
          summary: 'Update a task list',
          description:
            'On a list of another account, only `visible` and `color` can be changed. They apply to the caller only.',
          tags,
          params: TaskListPath,
          body: TaskListChange,
          response: { 200: TaskListInfo },
        },
      },
      (request) => {
        const { id } = request.params
        return lists.change(request.user, id, request.body, request.headers['if-match'])
      },
    )

    app.delete(
      '/:id',
      {
        config: write('tasks'),
        schema: {
          operationId: 'deleteTaskList',
          summary: 'Delete a task list',
          description: 'Its tasks go to the Inbox, or are deleted. The Inbox cannot be deleted.',
          tags,
          params: TaskListPath,
          querystring: TaskListDeletion,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        const { tasks = 'move' } = request.query
        const ifMatch = request.headers['if-match']
        await lists.remove(request.user, request.params.id, tasks, ifMatch)
        reply.code(204)
        return null
      },
    )
  }
