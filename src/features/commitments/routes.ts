import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { read, write } from '../../platform/access/route-access.ts'
import { Commitment, CommitmentChange } from './commitment.ts'
import type { Commitments } from './commitments.ts'
import { CommitmentCollection, CommitmentPath, CommitmentQuery, CommitmentTask } from './schema.ts'

export const commitmentRoutes =
  (commitments: Commitments): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/',
      {
        config: read('mail'),
        schema: {
          operationId: 'listCommitments',
          summary: 'List promises',
          description:
            'Promises in received and sent mail of the last 60 days, found by the built-in engine. Open ones first: by due date, then the newest without one. Closed ones follow, the last closed first.',
          querystring: CommitmentQuery,
          response: { 200: CommitmentCollection },
        },
      },
      (request) => commitments.list(request.user, request.query),
    )

    app.get(
      '/:id',
      {
        config: read('mail'),
        schema: {
          operationId: 'getCommitment',
          summary: 'Get a promise',
          params: CommitmentPath,
          response: { 200: Commitment },
        },
      },
      (request) => commitments.get(request.user, request.params.id),
    )

    app.patch(
      '/:id',
      {
        config: write('mail'),
        schema: {
          operationId: 'updateCommitment',
          summary: 'Update a promise',
          description: '`done` means kept, `dismissed` means that it does not count. `open` reopens it.',
          params: CommitmentPath,
          body: CommitmentChange,
          response: { 200: Commitment },
        },
      },
      (request) => {
        const { id } = request.params
        return commitments.change(request.user, id, request.body, request.headers['if-match'])
      },
    )

    app.post(
      '/:id/task',
      {
        config: { ...write('mail'), idempotency: 'kept' },
        schema: {
          operationId: 'createCommitmentTask',
          summary: 'Create a task from a promise',
          description:
            'The task has the due date and the email of the promise. Completing the task closes the promise. If there is a task already, returns 200 with it.',
          params: CommitmentPath,
          response: { 200: CommitmentTask, 201: CommitmentTask },
        },
      },
      async (request, reply) => {
        const made = await commitments.makeTask(request.user, request.params.id)
        if (made.actionId !== null) reply.code(201).header('location', `/api/tasks/${made.taskId}`)
        return made
      },
    )
  }
