import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { Page } from '../../platform/http/shapes.ts'
import { Credential, CredentialList, CredentialPath, CredentialWish } from './credential-schema.ts'
import type { StreamCredentials } from './credentials.ts'

const tags = ['Stream features']
const reading = { access: 'switched', scope: 'stream:read' } as const
const changing = { access: 'switched', scope: 'stream:write', ownerOnly: true } as const

export const credentialRoutes =
  (credentials: StreamCredentials): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/credentials',
      {
        config: reading,
        schema: {
          operationId: 'listStreamCredentials',
          summary: 'For which platforms there are credentials',
          description: 'Whether they are there, never what they are.',
          tags,
          querystring: Page,
          response: { 200: CredentialList },
        },
      },
      (request) => credentials.list(request.query),
    )

    app.get(
      '/credentials/:platform',
      {
        config: reading,
        schema: {
          operationId: 'getStreamCredential',
          summary: 'Whether there are credentials for a platform',
          tags,
          params: CredentialPath,
          response: { 200: Credential },
        },
      },
      (request) => credentials.get(request.params.platform),
    )

    app.put(
      '/credentials/:platform',
      {
        config: { ...changing, mayAnswer: [412] },
        schema: {
          operationId: 'putStreamCredential',
          summary: 'Keep the credentials for a platform',
          description:
            'They take the place of those that were there. They are sealed, and no answer shows them.',
          tags,
          params: CredentialPath,
          body: CredentialWish,
          response: { 200: Credential, 201: Credential },
        },
      },
      async (request, reply) => {
        const { platform } = request.params
        const { made, credential } = await credentials.put(
          platform,
          request.body,
          request.headers['if-match'],
        )
        if (made) reply.code(201).header('location', `/api/stream/credentials/${platform}`)
        return credential
      },
    )

    app.delete(
      '/credentials/:platform',
      {
        config: changing,
        schema: {
          operationId: 'deleteStreamCredential',
          summary: 'Forget the credentials for a platform',
          tags,
          params: CredentialPath,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        await credentials.remove(request.params.platform, request.headers['if-match'])
        reply.code(204)
        return null
      },
    )
  }
