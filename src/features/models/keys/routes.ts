import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { visitOf } from '../../../platform/access/caller.ts'
import { whileConnected } from '../../../platform/http/request-limits.ts'
import type { Keys } from './keys.ts'
import { Key, KeyList, KeyPath, NewKey } from './schema.ts'

const tags = ['AI']
/** Has no scope, so personal access tokens cannot access keys. */
const config = { access: 'switched', ownerOnly: true } as const

export const keyRoutes =
  (keys: Keys): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/',
      {
        config,
        schema: {
          operationId: 'listAiKeys',
          summary: 'List the status of the provider keys',
          description: 'Returns only the status, never a key.',
          tags,
          response: { 200: KeyList },
        },
      },
      async () => ({ keys: await keys.list(), nextCursor: null }),
    )

    app.post(
      '/',
      {
        config: { ...config, idempotency: 'noted' },
        schema: {
          operationId: 'saveAiKey',
          summary: 'Add or replace the key of a provider',
          description:
            'Applies from the next request on, on every instance. The key is verified with the provider and saved in any case; see `verified` and `reason`.',
          tags,
          body: NewKey,
          response: { 200: Key, 201: Key },
        },
      },
      async (request, reply) => {
        const who = { caller: request.caller, visit: visitOf(request), signal: whileConnected(reply) }
        const { made, key } = await keys.save(request.body, who)
        reply.code(made ? 201 : 200).header('location', `/api/api-keys/${key.keyId}`)
        return key
      },
    )

    app.get(
      '/:keyId',
      {
        config,
        schema: {
          operationId: 'getAiKey',
          summary: 'Get the status of a provider key',
          tags,
          params: KeyPath,
          response: { 200: Key },
        },
      },
      (request) => keys.get(request.params.keyId),
    )

    app.post(
      '/:keyId/verify',
      {
        config: { ...config, mayAnswer: [409] },
        schema: {
          operationId: 'verifyAiKey',
          summary: 'Verify a key with its provider',
          tags,
          params: KeyPath,
          response: { 200: Key },
        },
      },
      (request, reply) => keys.verify(request.params.keyId, whileConnected(reply)),
    )

    app.delete(
      '/:keyId',
      {
        config,
        schema: {
          operationId: 'deleteAiKey',
          summary: 'Delete a key that was saved at run time',
          description:
            'From the next request on, the key from the environment applies again, if there is one.',
          tags,
          params: KeyPath,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        const who = { caller: request.caller, visit: visitOf(request) }
        await keys.remove(request.params.keyId, who, request.headers['if-match'])
        reply.code(204)
        return null
      },
    )
  }
