import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { read, write } from '../../platform/access/route-access.ts'
import { Page } from '../../platform/http/shapes.ts'
import { TaskPath } from './schema.ts'
import type { TimeEntries } from './time-entries.ts'
import {
  NewTimeEntry,
  OwnTimeEntryCollection,
  OwnTimeEntryQuery,
  StartedTimer,
  TimeEntry,
  TimeEntryChange,
  TimeEntryCollection,
  TimeEntryPath,
} from './time-entry-schema.ts'

/** The time entries of a task. */
export const timeEntryRoutes =
  (timeEntries: TimeEntries): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/:id/time-entries',
      {
        config: read('tasks'),
        schema: {
          operationId: 'listTimeEntries',
          summary: 'List the time entries of a task',
          description: 'Newest first. In a shared list, all members see the time of all.',
          params: TaskPath,
          querystring: Page,
          response: { 200: TimeEntryCollection },
        },
      },
      ({ user, params, query }) => timeEntries.list(user, params.id, query),
    )

    app.post(
      '/:id/time-entries',
      {
        config: { ...write('tasks'), idempotency: 'kept' },
        schema: {
          operationId: 'createTimeEntry',
          summary: 'Record time that was spent on a task',
          description: 'In a shared list, viewers cannot record time. The limit is 5,000 entries per task.',
          params: TaskPath,
          body: NewTimeEntry,
          response: { 201: TimeEntry },
        },
      },
      ({ user, params, body }) => timeEntries.create(user, params.id, body),
    )

    app.post(
      '/:id/time-entries/start',
      {
        config: write('tasks'),
        schema: {
          operationId: 'startTimer',
          summary: 'Start the timer of a task',
          description:
            'Each account has one running timer. Starting another one stops the first, and `stopped` is its entry. Starting the timer that runs already changes nothing. Closing the task stops its timers.',
          params: TaskPath,
          response: { 200: StartedTimer },
        },
      },
      ({ user, params }) => timeEntries.start(user, params.id),
    )

    app.post(
      '/:id/time-entries/stop',
      {
        config: write('tasks'),
        schema: {
          operationId: 'stopTimer',
          summary: 'Stop the timer of a task',
          params: TaskPath,
          response: { 200: TimeEntry },
        },
      },
      ({ user, params }) => timeEntries.stop(user, params.id),
    )

    app.patch(
      '/:id/time-entries/:entryId',
      {
        config: write('tasks'),
        schema: {
          operationId: 'updateTimeEntry',
          summary: 'Change a time entry',
          description:
            'Only the person who worked can change a time entry. `endedAt` of a running timer stops it.',
          params: TimeEntryPath,
          body: TimeEntryChange,
          response: { 200: TimeEntry },
        },
      },
      ({ user, params, body, ifMatch }) =>
        timeEntries.change(user, { taskId: params.id, id: params.entryId }, body, ifMatch),
    )

    app.delete(
      '/:id/time-entries/:entryId',
      {
        config: write('tasks'),
        schema: {
          operationId: 'deleteTimeEntry',
          summary: 'Delete a time entry',
          description: 'The person who worked and the owner of the list can delete a time entry.',
          params: TimeEntryPath,
          response: { 204: Type.Null() },
        },
      },
      ({ user, params, ifMatch }) =>
        timeEntries.remove(user, { taskId: params.id, id: params.entryId }, ifMatch),
    )
  }

/** The time entries of the caller. */
export const ownTimeEntryRoutes =
  (timeEntries: TimeEntries): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/',
      {
        config: read('tasks'),
        schema: {
          operationId: 'listOwnTimeEntries',
          summary: 'List your time entries of all tasks',
          description: 'Newest first. With `running=true`, only the running timer.',
          querystring: OwnTimeEntryQuery,
          response: { 200: OwnTimeEntryCollection },
        },
      },
      ({ user, query }) => timeEntries.listOwn(user, query),
    )
  }
