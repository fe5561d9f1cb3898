import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { read, write } from '../../../platform/access/route-access.ts'
import { MailFolder } from './folder.ts'
import type { Folders } from './folders.ts'
import { FolderChange, FolderList, FolderPath, FolderQuery, FolderRemoval, NewFolder } from './schema.ts'

const tags = ['Emails']
const upstream = [409, 502, 504] as const

export const folderRoutes =
  (folders: Folders): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/folders',
      {
        config: read('mail'),
        schema: {
          operationId: 'listFolders',
          summary: 'List the folders of mail accounts',
          description: 'Each folder names its parent. A sync updates the list.',
          tags,
          querystring: FolderQuery,
          response: { 200: FolderList },
        },
      },
      (request) => folders.list(request.user, request.query),
    )

    app.post(
      '/folders',
      {
        // The handler waits for the mail server, so it must not run in a transaction.
        config: { ...write('mail'), idempotency: 'noted', mayAnswer: upstream },
        schema: {
          operationId: 'createFolder',
          summary: 'Create a folder on the mail server',
          description: 'If the server refuses, the response is 502 with its own words.',
          tags,
          body: NewFolder,
          response: { 201: MailFolder },
        },
      },
      async (request, reply) => {
        const folder = await folders.create(request.user, request.body)
        reply.code(201).header('location', `/api/folders/${folder.id}`)
        return folder
      },
    )

    app.get(
      '/folders/:id',
      {
        config: read('mail'),
        schema: {
          operationId: 'getFolder',
          summary: 'Get a folder',
          tags,
          params: FolderPath,
          response: { 200: MailFolder },
        },
      },
      (request) => folders.get(request.user, request.params.id),
    )

    app.patch(
      '/folders/:id',
      {
        config: { ...write('mail'), mayAnswer: upstream },
        schema: {
          operationId: 'updateFolder',
          summary: 'Rename or move a folder on the mail server',
          description: 'Its subfolders move with it. Folders with a special use cannot be changed (409).',
          tags,
          params: FolderPath,
          body: FolderChange,
          response: { 200: MailFolder },
        },
      },
      ({ params, body, headers, user }) => folders.change(user, params.id, body, headers['if-match']),
    )

    app.delete(
      '/folders/:id',
      {
        config: { ...write('mail'), mayAnswer: upstream },
        schema: {
          operationId: 'deleteFolder',
          summary: 'Delete a folder on the mail server',
          description:
            'A folder that contains emails is deleted only with `emails=trash`. Folders with subfolders or a special use cannot be deleted (409).',
          tags,
          params: FolderPath,
          querystring: FolderRemoval,
          response: { 204: Type.Null() },
        },
      },
      async ({ params, query, headers, user }, reply) => {
        await folders.remove(user, params.id, query, headers['if-match'])
        reply.code(204)
        return null
      },
    )
  }
