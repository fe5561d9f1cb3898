import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { read, write } from '../../platform/access/route-access.ts'
import { Page } from '../../platform/http/shapes.ts'
import { CommentInput, CommentPath, TaskComment, TaskCommentCollection } from './comment-schema.ts'
import type { Comments } from './comments.ts'
import { TaskPath } from './schema.ts'

export const commentRoutes =
  (comments: Comments): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/:id/comments',
      {
        config: read('tasks'),
        schema: {
          operationId: 'listTaskComments',
          summary: 'List the comments on a task',
          description: 'Oldest first. In a shared list, all members can read them.',
          params: TaskPath,
          querystring: Page,
          response: { 200: TaskCommentCollection },
        },
      },
      ({ user, params, query }) => comments.list(user, params.id, query),
    )

    app.post(
      '/:id/comments',
      {
        config: { ...write('tasks'), idempotency: 'kept' },
        schema: {
          operationId: 'createTaskComment',
          summary: 'Comment on a task',
          description:
            'Notifies the owner of the list, the assignee and everybody who commented before. In a shared list, viewers cannot comment. The limit is 1,000 comments.',
          params: TaskPath,
          body: CommentInput,
          response: { 201: TaskComment },
        },
      },
      ({ user, params, body }) => comments.create(user, params.id, body),
    )

    app.patch(
      '/:id/comments/:commentId',
      {
        config: write('tasks'),
        schema: {
          operationId: 'updateTaskComment',
          summary: 'Change a comment on a task',
          description: 'Only its author can change a comment.',
          params: CommentPath,
          body: CommentInput,
          response: { 200: TaskComment },
        },
      },
      ({ user, params, body, ifMatch }) =>
        comments.change(user, { taskId: params.id, id: params.commentId }, body, ifMatch),
    )

    app.delete(
      '/:id/comments/:commentId',
      {
        config: write('tasks'),
        schema: {
          operationId: 'deleteTaskComment',
          summary: 'Delete a comment on a task',
          description: 'Its author and the owner of the list can delete a comment.',
          params: CommentPath,
          response: { 204: Type.Null() },
        },
      },
      ({ user, params, ifMatch }) =>
        comments.remove(user, { taskId: params.id, id: params.commentId }, ifMatch),
    )
  }
