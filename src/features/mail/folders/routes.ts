import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { read, write } from '../../../platform/access/route-access.ts'
import { MailFolder } from './folder.ts'
import type { Folders } from './folders.ts'
import { FolderChange, FolderList, FolderPath, FolderQuery, FolderRemoval, NewFolder } from './schema.ts'

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
          body: NewFolder,
          response: { 201: MailFolder },
        },
      },
      (request) => folders.create(request.user, request.body),
    )

    app.get(
      '/folders/:id',
      {
        config: read('mail'),
        schema: {
          operationId: 'getFolder',
          summary: 'Get a folder',
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
          params: FolderPath,
          body: FolderChange,
          response: { 200: MailFolder },
        },
      },
      ({ user, params, body, ifMatch }) => folders.change(user, params.id, body, ifMatch),
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
          params: FolderPath,
          querystring: FolderRemoval,
          response: { 204: Type.Null() },
        },
      },
      ({ user, params, query, ifMatch }) => folders.remove(user, params.id, query, ifMatch),
    )
  }
