import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { read, write } from '../../platform/access/route-access.ts'
import {
  ListMembers,
  NewSection,
  NewTaskList,
  Section,
  SectionChange,
  SectionCollection,
  SectionPath,
  TaskListChange,
  TaskListCollection,
  TaskListDeletion,
  TaskListInfo,
  TaskListPage,
  TaskListPath,
} from './list-schema.ts'
import type { TaskLists } from './lists.ts'
import type { Sections } from './sections.ts'

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
          body: NewTaskList,
          response: { 201: TaskListInfo },
        },
      },
      (request) => lists.create(request.user, request.body),
    )

    app.get(
      '/:id',
      {
        config: read('tasks'),
        schema: {
          operationId: 'getTaskList',
          summary: 'Get a task list',
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
          params: TaskListPath,
          body: TaskListChange,
          response: { 200: TaskListInfo },
        },
      },
      ({ user, params, body, ifMatch }) => lists.change(user, params.id, body, ifMatch),
    )

    app.delete(
      '/:id',
      {
        config: write('tasks'),
        schema: {
          operationId: 'deleteTaskList',
          summary: 'Delete a task list',
          description: 'Its tasks go to the Inbox, or are deleted. The Inbox cannot be deleted.',
          params: TaskListPath,
          querystring: TaskListDeletion,
          response: { 204: Type.Null() },
        },
      },
      ({ user, params, query, ifMatch }) => lists.remove(user, params.id, query.tasks ?? 'move', ifMatch),
    )

    app.get(
      '/:id/members',
      {
        config: read('tasks'),
        schema: {
          operationId: 'listTaskListMembers',
          summary: 'List the people of a task list',
          description: 'The owner and those who accepted the list. Tasks can be assigned to them.',
          params: TaskListPath,
          response: { 200: ListMembers },
        },
      },
      (request) => lists.listMembers(request.user, request.params.id),
    )
  }

export const sectionRoutes =
  (sections: Sections): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/:id/sections',
      {
        config: read('tasks'),
        schema: {
          operationId: 'listTaskSections',
          summary: 'List the sections of a task list',
          description: 'In the order of the list.',
          params: TaskListPath,
          querystring: TaskListPage,
          response: { 200: SectionCollection },
        },
      },
      ({ user, params, query }) => sections.list(user, params.id, query),
    )

    app.post(
      '/:id/sections',
      {
        config: { ...write('tasks'), idempotency: 'kept' },
        schema: {
          operationId: 'createTaskSection',
          summary: 'Create a section of a task list',
          description: 'The limit is 100 sections.',
          params: TaskListPath,
          body: NewSection,
          response: { 201: Section },
        },
      },
      ({ user, params, body }) => sections.create(user, params.id, body),
    )

    app.patch(
      '/:id/sections/:sectionId',
      {
        config: write('tasks'),
        schema: {
          operationId: 'updateTaskSection',
          summary: 'Rename or move a section of a task list',
          params: SectionPath,
          body: SectionChange,
          response: { 200: Section },
        },
      },
      ({ user, params, body, ifMatch }) => sections.change(user, params.id, params.sectionId, body, ifMatch),
    )

    app.delete(
      '/:id/sections/:sectionId',
      {
        config: write('tasks'),
        schema: {
          operationId: 'deleteTaskSection',
          summary: 'Delete a section of a task list',
          description: 'Its tasks stay in the list.',
          params: SectionPath,
          response: { 204: Type.Null() },
        },
      },
      ({ user, params, ifMatch }) => sections.remove(user, params.id, params.sectionId, ifMatch),
    )
  }
