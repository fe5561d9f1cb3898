import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { read, write } from '../../../platform/access/route-access.ts'
import { Page } from '../../../platform/http/shapes.ts'
import type { TaskFilters } from './filters.ts'
import {
  NewTaskFilter,
  TaskFilter,
  TaskFilterChange,
  TaskFilterCollection,
  TaskFilterPath,
} from './schema.ts'

export const taskFilterRoutes =
  (filters: TaskFilters): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/',
      {
        config: read('tasks'),
        schema: {
          operationId: 'listTaskFilters',
          summary: 'List saved task filters in order of creation',
          querystring: Page,
          response: { 200: TaskFilterCollection },
        },
      },
      ({ user, query }) => filters.list(user, query),
    )

    app.post(
      '/',
      {
        config: { ...write('tasks'), idempotency: 'kept' },
        schema: {
          operationId: 'createTaskFilter',
          summary: 'Save a task filter under a name',
          description:
            'A query that cannot be read is rejected with the word that is wrong. The limit is 100 filters.',
          body: NewTaskFilter,
          response: { 201: TaskFilter },
        },
      },
      ({ user, body }) => filters.create(user, body),
    )

    app.get(
      '/:id',
      {
        config: read('tasks'),
        schema: {
          operationId: 'getTaskFilter',
          summary: 'Get a saved task filter',
          params: TaskFilterPath,
          response: { 200: TaskFilter },
        },
      },
      ({ user, params }) => filters.get(user, params.id),
    )

    app.patch(
      '/:id',
      {
        config: write('tasks'),
        schema: {
          operationId: 'updateTaskFilter',
          summary: 'Rename or change a saved task filter',
          params: TaskFilterPath,
          body: TaskFilterChange,
          response: { 200: TaskFilter },
        },
      },
      ({ user, params, body, ifMatch }) => filters.change(user, params.id, body, ifMatch),
    )

    app.delete(
      '/:id',
      {
        config: write('tasks'),
        schema: {
          operationId: 'deleteTaskFilter',
          summary: 'Delete a saved task filter',
          description: 'The tasks stay.',
          params: TaskFilterPath,
          response: { 204: Type.Null() },
        },
      },
      ({ user, params, ifMatch }) => filters.remove(user, params.id, ifMatch),
    )
  }
