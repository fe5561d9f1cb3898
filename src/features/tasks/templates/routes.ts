import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { read, write } from '../../../platform/access/route-access.ts'
import { Page } from '../../../platform/http/shapes.ts'
import {
  AppliedTemplate,
  NewTaskTemplate,
  TaskTemplate,
  TaskTemplateChange,
  TaskTemplateCollection,
  TaskTemplatePath,
  TemplateApplication,
} from './schema.ts'
import type { TaskTemplates } from './templates.ts'

export const taskTemplateRoutes =
  (templates: TaskTemplates): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/',
      {
        config: read('tasks'),
        schema: {
          operationId: 'listTaskTemplates',
          summary: 'List task templates in order of creation',
          querystring: Page,
          response: { 200: TaskTemplateCollection },
        },
      },
      ({ user, query }) => templates.list(user, query),
    )

    app.post(
      '/',
      {
        config: { ...write('tasks'), idempotency: 'kept' },
        schema: {
          operationId: 'createTaskTemplate',
          summary: 'Create a task template',
          description:
            'From `tasks`, or from an existing task with its subtasks (`taskId`), without cancelled ones. A template has at most 500 tasks in 49 levels. The limit is 100 templates.',
          body: NewTaskTemplate,
          response: { 201: TaskTemplate },
        },
      },
      ({ user, body }) => templates.create(user, body),
    )

    app.get(
      '/:id',
      {
        config: read('tasks'),
        schema: {
          operationId: 'getTaskTemplate',
          summary: 'Get a task template',
          params: TaskTemplatePath,
          response: { 200: TaskTemplate },
        },
      },
      ({ user, params }) => templates.get(user, params.id),
    )

    app.patch(
      '/:id',
      {
        config: write('tasks'),
        schema: {
          operationId: 'updateTaskTemplate',
          summary: 'Rename or change a task template',
          params: TaskTemplatePath,
          body: TaskTemplateChange,
          response: { 200: TaskTemplate },
        },
      },
      ({ user, params, body, ifMatch }) => templates.change(user, params.id, body, ifMatch),
    )

    app.delete(
      '/:id',
      {
        config: write('tasks'),
        schema: {
          operationId: 'deleteTaskTemplate',
          summary: 'Delete a task template',
          description: 'Tasks that were created from it stay.',
          params: TaskTemplatePath,
          response: { 204: Type.Null() },
        },
      },
      ({ user, params, ifMatch }) => templates.remove(user, params.id, ifMatch),
    )

    app.post(
      '/:id/apply',
      {
        config: { ...write('tasks'), idempotency: 'kept' },
        schema: {
          operationId: 'applyTaskTemplate',
          summary: 'Create the tasks of a template',
          description:
            'Creates all tasks in one transaction, and one undo deletes them. They go to the list, the section, or below the task that is given; by default to the Inbox. A topmost task goes to the section of its name, if the list has one.',
          params: TaskTemplatePath,
          body: TemplateApplication,
          response: { 200: AppliedTemplate },
        },
      },
      ({ user, params, body }) => templates.apply(user, params.id, body),
    )
  }
